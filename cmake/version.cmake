# SPDX-License-Identifier: Apache-2.0
# ringwave/core/version.hpp from the project's version and the checkout's commit.
execute_process(COMMAND git describe --always --dirty --abbrev=12 WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
                OUTPUT_VARIABLE RINGWAVE_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT RINGWAVE_COMMIT)
  set(RINGWAVE_COMMIT unknown)
endif()
string(STRIP "${CMAKE_BUILD_TYPE} ${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_RELEASE} ${RINGWAVE_SANITIZE}" RINGWAVE_FLAGS)
configure_file(${CMAKE_SOURCE_DIR}/cmake/version.hpp.in ${CMAKE_BINARY_DIR}/include/ringwave/core/version.hpp @ONLY)
