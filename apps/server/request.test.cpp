// SPDX-License-Identifier: Apache-2.0
#include "apps/server/request.hpp"

#include <gtest/gtest.h>

#include "ringwave/stream/refusal.hpp"

namespace ringwave::server {
namespace {

Request of(std::string_view target) {
  Request request;
  set_target(request, target);
  return request;
}

TEST(Request, IsDividedIntoPathAndQuery) {
  const Request request = of("/ws/a%20b?codec=opus&token=x%26y&codec=pcm&empty=&bare");
  EXPECT_EQ(request.path, "/ws/a b");
  EXPECT_EQ(request.asked("codec"), "opus");
  EXPECT_EQ(request.asked("token"), "x&y");
  EXPECT_EQ(request.asked("empty"), "");
  EXPECT_EQ(request.asked("bare"), "");
  EXPECT_EQ(request.asked("code"), std::nullopt);
}

TEST(Request, RefusesWhatIsNoPath) {
  for (const char* target : {"", "x", "**", "http://a/b", "/%", "/%4", "/%zz", "/a%00b", "/a%0d%0ab"})
    EXPECT_THROW(of(target), stream::Refusal) << target;
  EXPECT_EQ(of("*").path, "*");  // the server as a whole, for OPTIONS
}

TEST(Request, DecodesPercentSigns) {
  EXPECT_EQ(percent_decoded("%41%7a%2F"), "Az/");
  EXPECT_EQ(percent_decoded("%4"), std::nullopt);
  EXPECT_EQ(percent_decoded("%"), std::nullopt);
}

}  // namespace
}  // namespace ringwave::server
