// SPDX-License-Identifier: Apache-2.0
// The table as text and as a file, and what is not one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "ringwave/backend/routing_table.hpp"
#include "ringwave/core/error.hpp"

namespace ringwave::backend {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

RoutingTable measured() {
  RoutingTable table("a \"quoted\" machine, Größe 1");
  for (const int batch : {1, 7})
    for (const int size : {1, 63, 1 << 20})
      for (const char* device : {"cpu", "cuda:0"})
        table.add("fft", device,
                  {.size = size, .batch = batch, .seconds = 1e-7 * size / 3.0 + 1.1e-9 * batch});
  return table;
}

TEST(RoutingTableText, ComesBackAsItWasToTheLastBit) {
  const RoutingTable table = measured();
  const RoutingTable back = RoutingTable::from_json(table.to_json());
  EXPECT_EQ(back.machine_key(), table.machine_key());
  for (const char* device : {"cpu", "cuda:0"}) {
    const auto points = table.points("fft", device);
    const auto points_back = back.points("fft", device);
    ASSERT_EQ(points_back.size(), points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      EXPECT_EQ(points_back[i].size, points[i].size);
      EXPECT_EQ(points_back[i].batch, points[i].batch);
      EXPECT_EQ(points_back[i].seconds, points[i].seconds);
    }
  }
}

TEST(RoutingTableText, TornAtAnyByteItIsRefused) {
  std::string text = measured().to_json();
  while (text.back() == '\n') text.pop_back();
  for (std::size_t bytes = 0; bytes < text.size(); ++bytes)
    ASSERT_THROW((void)RoutingTable::from_json(text.substr(0, bytes)), BadFile) << bytes;
}

TEST(RoutingTableText, AWrongValueIsNamed) {
  const auto with = [](const char* pointer, const nlohmann::json& value) {
    auto root = nlohmann::json::parse(measured().to_json());
    root[nlohmann::json::json_pointer(pointer)] = value;
    return root.dump();
  };
  const auto expect_bad = [&](const char* pointer, const nlohmann::json& value, const char* words) {
    EXPECT_THAT([&] { (void)RoutingTable::from_json(with(pointer, value)); },
                ThrowsMessage<BadFile>(HasSubstr(words)))
        << pointer << " = " << value;
  };
  expect_bad("/format", "some other table", "not a routing table");
  expect_bad("/format", 1, "'format'");
  expect_bad("/version", "99.0.0", "99.0.0");
  expect_bad("/version", nullptr, "'version'");
  expect_bad("/machine", 5, "'machine'");
  expect_bad("/measurements", "many", "'measurements'");
  expect_bad("/measurements/0", 1, "is missing");
  expect_bad("/measurements/0/op", nlohmann::json::array(), "'op'");
  expect_bad("/measurements/0/device", true, "'device'");
  for (const auto& size : {nlohmann::json("64"), nlohmann::json(0), nlohmann::json(-1), nlohmann::json(1e300),
                           nlohmann::json(std::uint64_t{1} << 63), nlohmann::json(nullptr)}) {
    expect_bad("/measurements/0/size", size, "'size'");
    expect_bad("/measurements/0/batch", size, "'batch'");
  }
  for (const auto& seconds :
       {nlohmann::json(0), nlohmann::json(-1e-6), nlohmann::json(1e7), nlohmann::json("1")})
    expect_bad("/measurements/0/seconds", seconds, "'seconds'");
}

TEST(RoutingTableText, WhatIsNoTableIsRefused) {
  for (const std::string text :
       {"", "null", "[]", "{}", "0", "\"table\"", "NaN", "{\"format\": NaN}", "1e999",
        "{\"format\":\"\\ud800\"}", "\xff\xfe\x00", "{} {}", "\xef\xbb\xbf"})
    EXPECT_THROW((void)RoutingTable::from_json(text), BadFile) << text;
  EXPECT_THROW((void)RoutingTable::from_json(std::string(100'000, '[')), BadFile);
  EXPECT_THROW((void)RoutingTable::from_json(std::string(100'000, '[') + std::string(100'000, ']')), BadFile);
}

class RoutingTableFile : public testing::Test {
 protected:
  RoutingTableFile() { fs::create_directories(folder_); }
  ~RoutingTableFile() override { fs::remove_all(folder_); }

  void expect_bad(const std::string& words) {
    EXPECT_THAT(
        [&] { (void)RoutingTable::load(path_, "m"); },
        ThrowsMessage<BadFile>(AllOf(HasSubstr(path_), HasSubstr(words), HasSubstr("ringwave tune"))));
  }

  fs::path folder_ = fs::path(testing::TempDir()) / ("ringwave-table-" + std::to_string(getpid()));
  std::string path_ = folder_ / "deep" / "folder" / "routing.json";
};

TEST_F(RoutingTableFile, IsSavedWithItsFolderAndLoaded) {
  const RoutingTable table = measured();
  table.save(path_);
  const auto back = RoutingTable::load(path_, table.machine_key());
  ASSERT_TRUE(back);
  EXPECT_EQ(back->to_json(), table.to_json());
  EXPECT_EQ(std::distance(fs::directory_iterator(fs::path(path_).parent_path()), {}), 1) << "nothing is left";
}

TEST_F(RoutingTableFile, AbsentItIsNoErrorButNoTable) {
  EXPECT_FALSE(RoutingTable::load(path_, "m"));
  std::ofstream(folder_ / "file") << "x";
  EXPECT_FALSE(RoutingTable::load(folder_ / "file" / "routing.json", "m"));
}

TEST_F(RoutingTableFile, OfAnotherMachineItIsNotUsed) {
  RoutingTable("their machine").save(path_);
  expect_bad("their machine");
}

TEST_F(RoutingTableFile, TornLargeOrUnreadableItIsNamedWithTheReason) {
  RoutingTable("m").save(path_);
  fs::resize_file(path_, fs::file_size(path_) / 2);
  expect_bad("not whole JSON");
  fs::resize_file(path_, std::uintmax_t{5} << 20);
  expect_bad("larger than 4 MiB");
  fs::remove(path_);
  fs::create_directory(path_);
  expect_bad("");
}

TEST_F(RoutingTableFile, APathThatCannotBeLookedAtIsBadToo) {
  EXPECT_THROW((void)RoutingTable::load("/" + std::string(5000, 'x'), "m"), BadFile);
}

TEST_F(RoutingTableFile, AFolderThatCannotBeMadeIsReported) {
  std::ofstream(folder_ / "file") << "x";
  EXPECT_THROW(measured().save(folder_ / "file" / "routing.json"), BadFile);
}

TEST(RoutingTable, LivesInTheUsersCacheFolder) {
  const auto keep = [](const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
  };
  const std::string cache = keep("XDG_CACHE_HOME");
  const std::string home = keep("HOME");
  setenv("HOME", "/home/me", 1);
  setenv("XDG_CACHE_HOME", "/cache", 1);
  EXPECT_EQ(RoutingTable::default_path(), "/cache/ringwave/routing.json");
  setenv("XDG_CACHE_HOME", "relative", 1);  // the standard says to ignore it
  EXPECT_EQ(RoutingTable::default_path(), "/home/me/.cache/ringwave/routing.json");
  unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(RoutingTable::default_path(), "/home/me/.cache/ringwave/routing.json");
  if (!cache.empty()) setenv("XDG_CACHE_HOME", cache.c_str(), 1);
  setenv("HOME", home.c_str(), 1);
}

TEST(RoutingTable, TheMachinesKeyNamesItsProcessor) {
  EXPECT_THAT(RoutingTable::this_machine(), HasSubstr(Device::cpu().profile().name));
  EXPECT_EQ(RoutingTable::this_machine(), RoutingTable::this_machine());
}

}  // namespace
}  // namespace ringwave::backend
