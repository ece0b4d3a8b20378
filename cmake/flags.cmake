# SPDX-License-Identifier: Apache-2.0
# Flags of every target of ours, as one interface target.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
# What is built runs from anywhere as long as bin/ and lib/ stay side by side.
set(CMAKE_BUILD_RPATH "$ORIGIN/../lib")
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)
set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib;$ORIGIN")
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

add_library(ringwave_flags INTERFACE)
# No multiply-add is fused behind our back: samples are the same whatever the compiler's mood.
target_compile_options(ringwave_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -ffp-contract=off -fno-math-errno>)
if(RINGWAVE_WERROR)
  target_compile_options(ringwave_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()
if(RINGWAVE_SANITIZE)
  # Among its own checks g++ 12 sees an overlap in "literal" + string, which is none.
  target_compile_options(ringwave_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${RINGWAVE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1>
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>)
  target_link_options(ringwave_flags INTERFACE -fsanitize=${RINGWAVE_SANITIZE})
endif()

# For what goes to users: where memory is written past its end, the program ends there. These are apart from the flags
# above, for code of others that we compile. A sanitizer sees the same and more, and cannot bear to be helped.
add_library(ringwave_hardening INTERFACE)
include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)  # with it CMake also links what it compiles as position-independent
if(NOT RINGWAVE_SANITIZE AND NOT RINGWAVE_FUZZ)
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS "-O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3")
  check_cxx_source_compiles("#include <features.h>
    #if __USE_FORTIFY_LEVEL < 3
    #error
    #endif
    int main() {}" RINGWAVE_FORTIFIES_BY_3)
  unset(CMAKE_REQUIRED_FLAGS)
  set(fortify -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=$<IF:$<BOOL:${RINGWAVE_FORTIFIES_BY_3}>,3,2>)
  target_compile_options(ringwave_hardening INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fstack-protector-strong>
    $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-fstack-protector-strong>
    "$<$<AND:$<COMPILE_LANGUAGE:CXX>,$<NOT:$<CONFIG:Debug>>>:${fortify}>")  # it wants optimisation
  target_link_options(ringwave_hardening INTERFACE -Wl,-z,relro,-z,now,-z,noexecstack)
endif()

find_program(CCACHE ccache)
if(CCACHE)
  # What one checkout has compiled serves another: paths below it count as relative. For precompiled headers ccache asks
  # for these two liberties.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()
