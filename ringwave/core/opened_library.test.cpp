// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/opened_library.hpp"

#include <gtest/gtest.h>

#include "ringwave/core/error.hpp"

namespace ringwave {
namespace {

TEST(OpenedLibrary, FindsAFunction) {
  const OpenedLibrary library("libm.so.6", "there is none", "a C library");
  double (*cosine)(double) = nullptr;
  library.load("cos", cosine);
  EXPECT_EQ(cosine(0), 1);
}

TEST(OpenedLibrary, SaysWhatIsMissingAndWhatToInstall) {
  try {
    const OpenedLibrary library("libnone-of-that-name.so.9", "there is none; install it", "it");
    ADD_FAILURE();
  } catch (const DeviceUnavailable& error) {
    EXPECT_STREQ(error.what(), "there is none; install it");
  }
  const OpenedLibrary library("libm.so.6", "there is none", "a C library");
  void (*function)() = nullptr;
  try {
    library.load("no_such_function", function);
    ADD_FAILURE();
  } catch (const DeviceUnavailable& error) {
    EXPECT_STREQ(error.what(), "the libm.so.6 of this machine has no no_such_function; install a C library");
  }
}

}  // namespace
}  // namespace ringwave
