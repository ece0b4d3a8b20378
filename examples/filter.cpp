// SPDX-License-Identifier: Apache-2.0
// Low-passes one second of noise, on the device that is fastest here.
#include <cstdio>
#include <random>
#include <vector>

#include "ringwave/dsp/biquad.hpp"
#include "ringwave/dsp/butterworth.hpp"

int main() {
  using namespace ringwave;
  std::vector<float> noise(48000);
  for (std::minstd_rand random; float& sample : noise)
    sample = static_cast<float>(random() % 2001) / 1000.0F - 1.0F;
  const auto lowpass = dsp::butterworth_lowpass(8, 1000.0, 48000.0);
  dsp::Biquad filter(Device::from_environment(), {.channels = 1, .max_block_frames = 48000}, lowpass);
  filter.process({noise}, {noise});
  std::printf("filtered %zu samples on %s\n", noise.size(), filter.device().name().c_str());
}
