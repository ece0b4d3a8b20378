// SPDX-License-Identifier: Apache-2.0
// Low-passes one second of noise, on the device that is fastest here.
#include <cstdio>
#include <random>
#include <vector>

#include "ringwave/dsp/biquad.hpp"
#include "ringwave/dsp/butterworth.hpp"

// [example]
void lowpass(std::vector<float>& mono, double cutoff_hz, double sample_rate_hz) {
  using namespace ringwave;
  const int frames = static_cast<int>(mono.size());
  const auto sections = dsp::butterworth_lowpass(8, cutoff_hz, sample_rate_hz);
  dsp::Biquad filter(Device::from_environment(), {.channels = 1, .max_block_frames = frames}, sections);
  const BlockView<float> block(mono.data(), 1, frames);
  if (filter.process(block, block) == Status::ok)
    std::printf("filtered %d frames on %s\n", frames, filter.device().name().c_str());
}
// [/example]

int main() {
  std::vector<float> noise(48000);
  for (std::minstd_rand random; float& sample : noise)
    sample = static_cast<float>(random() % 2001) / 1000.0F - 1.0F;
  lowpass(noise, 1000.0, 48000.0);
}
