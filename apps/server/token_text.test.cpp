// SPDX-License-Identifier: Apache-2.0
#include "apps/server/token_text.hpp"

#include <gtest/gtest.h>

#include "ringwave/core/error.hpp"

namespace ringwave::server {
namespace {

TEST(TokenText, IsLongAndVisible) {
  EXPECT_NO_THROW(require_token_text("0123456789abcdef"));
  for (const char* text :
       {"", "0123456789abcde", "0123456789 abcdef", "0123456789abcdef\n", "0123456789abcdeü"})
    EXPECT_THROW(require_token_text(text), InvalidArgument) << text;
}

}  // namespace
}  // namespace ringwave::server
