# SPDX-License-Identifier: Apache-2.0
# Everything CUDA, in one shared module that the library opens at run time. Built wherever nvcc is.
if(RINGWAVE_CUDA STREQUAL OFF)
  return()
endif()
if(NOT CMAKE_CUDA_COMPILER)
  find_program(RINGWAVE_NVCC nvcc PATHS /usr/local/cuda/bin)
  if(RINGWAVE_NVCC)
    set(CMAKE_CUDA_COMPILER ${RINGWAVE_NVCC})
  endif()
endif()
if(NOT CMAKE_CUDA_COMPILER)
  if(RINGWAVE_CUDA STREQUAL ON)
    message(FATAL_ERROR "RINGWAVE_CUDA is ON, but there is no nvcc; install CUDA 13 or set CMAKE_CUDA_COMPILER")
  endif()
  message(STATUS "No nvcc: the CUDA module is not built; everything runs on the CPU")
  return()
endif()

# Machine code for Ampere and Hopper; the driver compiles the oldest PTX for everything else from Turing on.
if(NOT CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES "75-virtual;80-real;90-real")
endif()
enable_language(CUDA)
# Debian's CMake does not know that nvcc 13 knows C++20.
set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
set(CMAKE_CUDA_RUNTIME_LIBRARY Static)

file(GLOB_RECURSE cuda_sources CONFIGURE_DEPENDS ringwave/*.cu)
add_library(ringwave_cuda MODULE ${cuda_sources})
target_compile_options(ringwave_cuda PRIVATE
  $<$<COMPILE_LANGUAGE:CUDA>:--Werror=all-warnings -Xcompiler=-Wall,-Wextra,-Wshadow,-ffp-contract=off -lineinfo --expt-relaxed-constexpr>)
# The synthesiser's control is the CPU's to the bit; a fused multiply-add rounds otherwise.
set_source_files_properties(ringwave/synth/note_batch_cuda.cu ringwave/synth/renderer_voices_cuda.cu
  ringwave/live/stations_handler_cuda.cu PROPERTIES COMPILE_OPTIONS -fmad=false)
# Only the entry point is visible, so that the module's CUDA runtime cannot meet another one in the program.
target_link_options(ringwave_cuda PRIVATE -Wl,--exclude-libs,ALL)
target_link_libraries(ringwave_cuda PRIVATE ringwave ringwave_hardening)
