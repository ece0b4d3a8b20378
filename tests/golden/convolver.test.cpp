// SPDX-License-Identifier: Apache-2.0
// Against scipy: its convolve, as make_convolver.py wrote it down, by every way that we have to convolve.
#include "ringwave/dsp/convolver.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "ringwave/dsp/fir.hpp"
#include "tests/golden/data.hpp"
#include "tests/parity/measure.hpp"

namespace ringwave::golden {
namespace {

using dsp::Convolver;

// A transform's rounding, and that of the files, which have float's 24 bits.
constexpr double kLeastDb = 120;

struct Numbers {
  std::vector<float> noise;
  std::vector<float> response;
  std::vector<double> convolved;
};

Numbers read_numbers(std::size_t taps) {
  const std::size_t frames = read_index("convolver").at("frames");
  const auto convolved = read_floats("convolver", "convolved_" + std::to_string(taps), frames);
  return {read_floats("convolver", "noise", frames),
          read_floats("convolver", "response_" + std::to_string(taps), taps),
          {convolved.begin(), convolved.end()}};
}

/// The whole noise, block by block.
template <class Op>
std::vector<float> run(Op& op, const std::vector<float>& in, int block) {
  std::vector<float> out(in.size());
  const auto frames = static_cast<int>(in.size());
  for (int first = 0; first < frames; first += block) {
    const int count = std::min(block, frames - first);
    EXPECT_EQ(
        op.process(BlockView<const float>(in).slice(first, count), BlockView<float>(out).slice(first, count)),
        Status::ok);
  }
  return out;
}

class ConvolverGolden : public testing::TestWithParam<std::size_t> {};

TEST_P(ConvolverGolden, EveryModeConvolvesAsScipyDoes) {
  using Mode = Convolver::Mode;
  const auto [noise, response, convolved] = read_numbers(GetParam());
  for (const Device device : Device::all())
    for (const auto& [mode, name] : {std::pair{Mode::direct, "direct"}, std::pair{Mode::fft, "fft"},
                                     std::pair{Mode::partitioned, "partitioned"}})
      for (const int block : {16, 100, 4096}) {
        if (device != Device::cpu() && mode != Mode::partitioned) continue;  // a GPU knows that mode alone
        const std::vector<Convolver::Path> paths{{{0, 0}, response}};
        Convolver convolver(device, {.max_block_frames = block, .mode = mode}, paths);
        EXPECT_TRUE(parity::agrees(device.name(), run(convolver, noise, block), convolved, kLeastDb))
            << name << ", blocks of " << block;
      }
}

TEST_P(ConvolverGolden, AFirFiltersAsScipyDoes) {
  const auto [noise, response, convolved] = read_numbers(GetParam());
  for (const Device device : Device::all()) {
    dsp::Fir fir(device, {.channels = 1, .max_block_frames = 480}, response);
    EXPECT_TRUE(parity::agrees(device.name(), run(fir, noise, 480), convolved, kLeastDb));
  }
}

INSTANTIATE_TEST_SUITE_P(Scipy, ConvolverGolden,
                         testing::ValuesIn(read_index("convolver").value("taps", std::vector<std::size_t>())),
                         [](const auto& test) { return std::to_string(test.param) + "_taps"; });

}  // namespace
}  // namespace ringwave::golden
