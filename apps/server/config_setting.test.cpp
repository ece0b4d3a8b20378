// SPDX-License-Identifier: Apache-2.0
#include "apps/server/config_setting.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "ringwave/core/error.hpp"

namespace ringwave::server {
namespace {

const Setting& setting(std::string_view name) {
  return *std::ranges::find(settings(), name, &Setting::name);
}

TEST(ConfigSetting, HasOneNameInThreePlaces) {
  EXPECT_EQ(setting("max_stations").flag(), "--max-stations");
  EXPECT_EQ(setting("max_stations").variable(), "RINGWAVE_MAX_STATIONS");
}

TEST(ConfigSetting, EveryoneIsWhatItSaysItIs) {
  for (const Setting& each : settings()) {
    ServerConfig config;
    const std::string before = each.text_of(config);
    each.set(config, before, "again");
    EXPECT_EQ(each.text_of(config), before) << each.name;
    EXPECT_FALSE(each.about.empty());
  }
}

TEST(ConfigSetting, RefusesWhatIsOutOfItsRange) {
  ServerConfig config;
  for (const char* text : {"", "x", "-1", "65536", "80.5", "80 ", "nan", "inf", "0x50", "1e9"})
    EXPECT_THROW(setting("port").set(config, text, "--port"), InvalidArgument) << text;
  EXPECT_THROW(setting("trust_proxy").set(config, "maybe", "--trust-proxy"), InvalidArgument);
  EXPECT_EQ(config.port, ServerConfig{}.port);
  setting("port").set(config, "80", "--port");
  setting("tokens").set(config, "a,,b", "--tokens");
  EXPECT_EQ(config.port, 80);
  EXPECT_EQ(config.tokens, (std::vector<std::string>{"a", "b"}));
}

}  // namespace
}  // namespace ringwave::server
