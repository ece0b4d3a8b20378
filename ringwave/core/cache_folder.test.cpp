// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/cache_folder.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace ringwave {
namespace {

TEST(CacheFolder, IsWhereTheEnvironmentSaysElseInTheHome) {
  const char* const before = std::getenv("XDG_CACHE_HOME");
  const std::string kept = before == nullptr ? "" : before;
  setenv("XDG_CACHE_HOME", "/somewhere", 1);
  EXPECT_EQ(cache_folder(), "/somewhere/ringwave");
  setenv("XDG_CACHE_HOME", "not/absolute", 1);
  EXPECT_EQ(cache_folder(), std::string(std::getenv("HOME")) + "/.cache/ringwave");
  const std::string home = std::getenv("HOME");
  for (const char* const unsaid : {"", "not/absolute"}) {
    setenv("HOME", unsaid, 1);
    EXPECT_TRUE(cache_folder().is_absolute()) << "the current folder may be anybody's";
  }
  setenv("HOME", home.c_str(), 1);
  if (before == nullptr)
    unsetenv("XDG_CACHE_HOME");
  else
    setenv("XDG_CACHE_HOME", kept.c_str(), 1);
}

}  // namespace
}  // namespace ringwave
