// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/detail/station_directory.hpp"

#include <gtest/gtest.h>

#include <string>

#include "ringwave/stream/refusal.hpp"

namespace ringwave::stream {
namespace {

StationDirectory::StationPtr station(const std::string& id) {
  return std::make_shared<Station>(Station::Spec{}, StationRecord{.id = id});
}

RefusalCode refusal_of(StationDirectory& directory, const StationDirectory::StationPtr& added) {
  try {
    directory.add(added);
  } catch (const Refusal& refusal) {
    return refusal.code();
  }
  return RefusalCode::internal;
}

TEST(StationDirectory, FindsWhatIsThereInAnyOrder) {
  StationDirectory directory(5, {station("m"), station("c"), station("m")});
  directory.add(station("z"));
  directory.add(station("a"));
  directory.add(station("n"));
  std::string ids;
  for (const auto& each : *directory.all()) ids += each->id();
  EXPECT_EQ(ids, "acmnz");
  for (const char* id : {"a", "c", "m", "n", "z"}) EXPECT_EQ(directory.find(id)->id(), id);
  for (const char* id : {"", "b", "zz"}) EXPECT_EQ(directory.find(id), nullptr);
}

TEST(StationDirectory, TakesAnIdOnceAndAsManyAsThereMayBe) {
  StationDirectory directory(2, {station("a")});
  EXPECT_EQ(refusal_of(directory, station("a")), RefusalCode::exists);
  directory.add(station("b"));
  EXPECT_EQ(refusal_of(directory, station("b")), RefusalCode::exists);
  EXPECT_EQ(refusal_of(directory, station("c")), RefusalCode::limit_reached);
}

TEST(StationDirectory, WhoLookedKeepsWhatItSaw) {
  StationDirectory directory(2, {station("a"), station("b")});
  const auto before = directory.all();
  const auto a = directory.find("a");
  EXPECT_TRUE(directory.remove(a));
  EXPECT_FALSE(directory.remove(a)) << "it is gone";
  EXPECT_FALSE(directory.remove(station("b"))) << "another of that id";
  EXPECT_EQ(directory.find("a"), nullptr);
  EXPECT_EQ(before->size(), 2U);
  EXPECT_EQ(directory.all()->size(), 1U);
}

}  // namespace
}  // namespace ringwave::stream
