// SPDX-License-Identifier: Apache-2.0
#include "ringwave/backend/registry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "ringwave/dsp/gain.hpp"
#include "ringwave/dsp/gain_twins.hpp"

namespace ringwave::backend {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// An op whose twin on the CPU takes even numbers only.
struct Halve {
  static constexpr std::string_view kName = "halve";
  using Twin = int;
  using Request = int;
};

Registry with_halve() {
  Registry registry;
  registry.add<Halve>(DeviceKind::cpu,
                      {.make = [](Device, const int& number) { return std::make_unique<int>(number / 2); },
                       .supports = [](Device, const int& number) noexcept { return number % 2 == 0; }});
  return registry;
}

TEST(Registry, MakesTheTwinOfADevice) {
  EXPECT_EQ(*with_halve().make<Halve>(Device::cpu(), 42), 21);
}

TEST(Registry, KnowsWhichRequestsADeviceTakes) {
  const Registry registry = with_halve();
  EXPECT_TRUE(registry.supports<Halve>(Device::cpu(), 2));
  EXPECT_FALSE(registry.supports<Halve>(Device::cpu(), 3));
  EXPECT_FALSE(registry.supports<Halve>(Device{}, 2)) << "auto is no device";
  EXPECT_FALSE(Registry().supports<Halve>(Device::cpu(), 2));
}

TEST(Registry, ARequestThatNoTwinTakesIsUnavailable) {
  EXPECT_THAT([] { (void)with_halve().make<Halve>(Device::cpu(), 3); },
              ThrowsMessage<DeviceUnavailable>(AllOf(HasSubstr("halve"), HasSubstr("cpu"))));
  EXPECT_THROW((void)Registry().make<dsp::Gain>(Device::cpu(), {}), DeviceUnavailable);
}

TEST(Registry, AFactoryWithoutAConditionTakesEverything) {
  Registry registry;
  registry.add<Halve>(DeviceKind::cpu, {.make = [](Device, const int&) { return std::make_unique<int>(1); }});
  EXPECT_TRUE(registry.supports<Halve>(Device::cpu(), 3));
}

TEST(Registry, AnUnknownOpIsRefusedWithTheNamesThereAre) {
  Registry registry;
  registry.describe({.name = "reverb", .summary = {}, .sizes = {}, .batches = {}});
  registry.describe({.name = "chorus", .summary = {}, .sizes = {}, .batches = {}});
  EXPECT_THAT([&] { (void)registry.op("fuzz"); },
              ThrowsMessage<InvalidArgument>(AllOf(HasSubstr("'fuzz'"), HasSubstr("chorus, reverb"))));
  EXPECT_EQ(registry.op("reverb").name, "reverb");
}

TEST(Registry, ASecondOpOfTheSameNameIsRefused) {
  Registry registry;
  registry.describe({.name = "reverb", .summary = "first", .sizes = {}, .batches = {}});
  EXPECT_THROW(registry.describe({.name = "reverb", .summary = "second", .sizes = {}, .batches = {}}),
               InvalidArgument);
  EXPECT_EQ(registry.ops().size(), 1U);
  EXPECT_EQ(registry.op("reverb").summary, "first");
}

TEST(Registry, EveryOpOfThisProgramIsDescribedAndRunsOnTheCpu) {
  const auto ops = Registry::instance().ops();
  ASSERT_FALSE(ops.empty());
  EXPECT_TRUE(std::ranges::is_sorted(ops, {}, &OpInfo::name));
  for (const OpInfo& op : ops) {
    EXPECT_FALSE(op.summary.empty()) << op.name;
    ASSERT_FALSE(op.sizes.empty()) << op.name;
    ASSERT_FALSE(op.batches.empty()) << op.name;
    EXPECT_TRUE(std::ranges::is_sorted(op.sizes)) << op.name;
    EXPECT_TRUE(std::ranges::is_sorted(op.batches)) << op.name;
    ASSERT_NE(op.make_trial, nullptr) << op.name;
    const auto trial = op.make_trial(Device::cpu(), op.sizes.front(), op.batches.front());
    EXPECT_EQ(trial->run(), Status::ok) << op.name;
  }
}

}  // namespace
}  // namespace ringwave::backend
