# SPDX-License-Identifier: Apache-2.0
# ringwave/core/version.hpp from the project's version and the checkout's commit.
execute_process(COMMAND git describe --always --dirty --abbrev=12 WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
                OUTPUT_VARIABLE RINGWAVE_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
# Made again after the next commit: results name the one that they were measured at.
execute_process(COMMAND git rev-parse --path-format=absolute --git-path logs/HEAD WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
                OUTPUT_VARIABLE commits OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(EXISTS "${commits}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${commits}")
endif()
if(NOT RINGWAVE_COMMIT)
  set(RINGWAVE_COMMIT unknown)
endif()
string(STRIP "${CMAKE_BUILD_TYPE} ${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_RELEASE} ${RINGWAVE_SANITIZE}" RINGWAVE_FLAGS)
configure_file(${CMAKE_SOURCE_DIR}/cmake/version.hpp.in ${CMAKE_BINARY_DIR}/include/ringwave/core/version.hpp @ONLY)
