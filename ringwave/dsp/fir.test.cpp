// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/fir.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "ringwave/core/error.hpp"

namespace ringwave::dsp {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

class FirOn : public testing::TestWithParam<Device> {
 protected:
  /// `signal` through the taps in blocks of that many frames.
  static std::vector<float> filtered(const std::vector<float>& taps, std::vector<float> signal, int block) {
    Fir fir(GetParam(), {1, block}, taps);
    const BlockView<float> all(signal);
    for (int done = 0; done < all.frames(); done += block) {
      const auto part = all.slice(done, std::min(block, all.frames() - done));
      EXPECT_EQ(fir.process(part, part), Status::ok);
    }
    return signal;
  }
};

TEST_P(FirOn, AnImpulseBringsTheTaps) {
  for (const int taps : {1, 2, 31, 32, 33, 255, 1000, 8192}) {
    std::vector<float> shape(static_cast<std::size_t>(taps));
    for (std::size_t k = 0; k < shape.size(); ++k) shape[k] = static_cast<float>(k + 1);
    std::vector<float> impulse(shape.size() + 100);
    impulse[0] = 1;
    for (const int block : {64, 1000}) {
      const std::vector<float> out = filtered(shape, impulse, block);
      EXPECT_TRUE(std::equal(shape.begin(), shape.end(), out.begin()))
          << taps << " taps, blocks of " << block;
      EXPECT_EQ(std::count(out.begin() + taps, out.end(), 0.0F), 100) << "and silence behind them";
    }
  }
}

TEST_P(FirOn, ADelayedImpulseAsTapsDelays) {
  std::vector<float> taps(300);
  taps[299] = 1;
  std::vector<float> in(2000);
  for (std::size_t n = 0; n < in.size(); ++n) in[n] = static_cast<float>(n % 37);
  const std::vector<float> out = filtered(taps, in, 77);
  EXPECT_TRUE(std::equal(in.begin(), in.end() - 299, out.begin() + 299));
}

TEST_P(FirOn, AMovingAverageSmoothsAndKeepsTheMean) {
  const std::vector<float> taps(100, 0.01F);
  const std::vector<float> out = filtered(taps, std::vector<float>(1000, 0.5F), 128);
  EXPECT_NEAR(out[0], 0.005F, 1e-7F);
  EXPECT_NEAR(out[49], 0.25F, 1e-6F);
  EXPECT_NEAR(out[999], 0.5F, 1e-6F);
}

TEST_P(FirOn, ANaNIsGoneAfterAsManyFramesAsThereAreTaps) {
  Fir fir(GetParam(), {1, 64}, std::vector<float>(50, 0.1F));
  std::vector<float> signal(256, 1.0F);
  signal[10] = std::numeric_limits<float>::quiet_NaN();
  const BlockView<float> all(signal);
  for (int done = 0; done < 256; done += 64)
    ASSERT_EQ(fir.process(all.slice(done, 64), all.slice(done, 64)), Status::ok);
  EXPECT_EQ(fir.nonfinite_samples(), 1U);
  for (std::size_t n = 0; n < 256; ++n) ASSERT_EQ(std::isnan(signal[n]), n >= 10 && n < 60) << n;
}

INSTANTIATE_TEST_SUITE_P(Devices, FirOn, testing::ValuesIn(Device::all()), [](const auto& test) {
  std::string name = test.param.name();
  std::ranges::replace(name, ':', '_');
  return name;
});

TEST(Fir, RefusesTapsThatAreNone) {
  const Device cpu = Device::cpu();
  EXPECT_THAT([&] { Fir(cpu, {}, std::vector<float>{}); },
              ThrowsMessage<InvalidArgument>(HasSubstr("0 taps")));
  EXPECT_THROW(Fir(cpu, {}, std::vector<float>(8193)), InvalidArgument);
  EXPECT_THAT(
      [&] {
        Fir(cpu, {}, std::vector<float>{1, std::numeric_limits<float>::infinity()});
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("tap 1")));
  EXPECT_THROW(Fir(cpu, {.channels = 0}, std::vector<float>(1)), InvalidArgument);
}

}  // namespace
}  // namespace ringwave::dsp
