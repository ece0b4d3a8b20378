// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/bin_values.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include "ringwave/core/buffer.hpp"
#include "ringwave/core/device_runtime.hpp"
#include "ringwave/core/error.hpp"
#include "tests/test_label.hpp"

namespace ringwave::dsp {
namespace {

using Quantity = BinValues::Quantity;

/// Of sizes from a hundred decibels below one to a hundred above.
std::vector<Complex> some_bins(std::size_t count) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<Complex> made(count);
  for (Complex& bin : made) bin = std::polar(std::pow(10.0F, 5 * uniform(random)), 3.14F * uniform(random));
  return made;
}

double truth_of(Quantity quantity, Complex bin) {
  const std::complex<double> exact(bin);
  switch (quantity) {
    case Quantity::magnitude:
      return std::abs(exact);
    case Quantity::power:
      return std::norm(exact);
    case Quantity::phase:
      return std::arg(exact);
    case Quantity::decibels:
      break;
  }
  return 10 * std::log10(std::norm(exact));
}

class BinValuesOn : public testing::TestWithParam<Device> {};

TEST_P(BinValuesOn, AreTheirFormulas) {
  for (const Quantity quantity : {Quantity::magnitude, Quantity::power, Quantity::phase, Quantity::decibels})
    for (const std::size_t count : {1UL, 33UL, 1025UL, 100'003UL}) {
      BinValues op(GetParam(), {.quantity = quantity, .max_bins = count});
      const std::vector<Complex> bins = some_bins(count);
      std::vector<float> values(count);
      ASSERT_EQ(op.process(bins, values), Status::ok);
      // Some roundings of a float: of the value itself, or of a hundred decibels.
      const bool relative = quantity == Quantity::magnitude || quantity == Quantity::power;
      for (std::size_t i = 0; i < count; ++i) {
        const double truth = truth_of(quantity, bins[i]);
        ASSERT_NEAR(values[i], truth,
                    relative                      ? 4e-7 * truth
                    : quantity == Quantity::phase ? 1e-6
                                                  : 4e-5)
            << static_cast<int>(quantity) << ", bin " << i;
      }
    }
}

TEST_P(BinValuesOn, DecibelsEndAtTheFloor) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  BinValues op(GetParam(), {.quantity = Quantity::decibels, .max_bins = 8, .floor_db = -100});
  const std::vector<Complex> bins{{1, 0}, {0, 0}, {1e-6F, 0}, {nan, 0}, {0, nan}, {2e-5F, 0}};
  std::vector<float> values(bins.size());
  ASSERT_EQ(op.process(bins, values), Status::ok);
  const double expected[] = {0, -100, -100, -100, -100, -93.979};
  for (std::size_t i = 0; i < bins.size(); ++i) EXPECT_NEAR(values[i], expected[i], 1e-3) << i;
}

TEST_P(BinValuesOn, InAQueueTheyAreTheSame) {
  constexpr std::size_t kCount = 5000;
  BinValues op(GetParam(), {.quantity = Quantity::phase, .max_bins = kCount});
  const std::vector<Complex> made = some_bins(kCount);
  Queue queue(GetParam());
  Buffer<Complex> bins(GetParam(), kCount);
  Buffer<float> values(GetParam(), kCount);
  bins.copy_from(made);
  ASSERT_EQ(op.enqueue(queue, bins.device(queue).data(), values.overwrite_device().data(), kCount),
            Status::ok);
  std::vector<float> direct(kCount);
  ASSERT_EQ(op.process(made, direct), Status::ok);
  const auto queued = values.host(queue);
  EXPECT_EQ(std::vector<float>(queued.begin(), queued.end()), direct);
  EXPECT_EQ(op.enqueue(queue, nullptr, nullptr, kCount + 1), Status::wrong_shape);
}

TEST_P(BinValuesOn, MoreBinsThanAskedForAreRefused) {
  BinValues op(GetParam(), {.max_bins = 4});
  std::vector<Complex> bins(5, Complex(1, 0));
  std::vector<float> values(5, 7.0F);
  EXPECT_EQ(op.process(bins, values), Status::wrong_shape);
  EXPECT_EQ(op.process(std::span(bins).first(4), std::span(values).first(3)), Status::wrong_shape);
  EXPECT_EQ(values.front(), 7.0F);
  EXPECT_EQ(op.process({}, {}), Status::ok);
}

INSTANTIATE_TEST_SUITE_P(Devices, BinValuesOn, testing::ValuesIn(Device::all()),
                         [](const auto& test) { return device_label(test.param); });

TEST(BinValues, RefusesWhatCannotBe) {
  EXPECT_THROW(BinValues(Device::cpu(), {.max_bins = 0}), InvalidArgument);
  for (const float floor : {1.0F, -371.0F, std::numeric_limits<float>::quiet_NaN()})
    EXPECT_THROW(BinValues(Device::cpu(), {.floor_db = floor}), InvalidArgument);
}

}  // namespace
}  // namespace ringwave::dsp
