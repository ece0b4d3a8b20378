// SPDX-License-Identifier: Apache-2.0
// Against scipy: its resample_poly, with its own filter and with ours, as make_resampler.py wrote it down.
#include "ringwave/dsp/resampler.hpp"

#include <gtest/gtest.h>

#include "tests/golden/data.hpp"
#include "tests/parity/measure.hpp"
#include "tests/parity/signal.hpp"
#include "tests/test_label.hpp"

namespace ringwave::golden {
namespace {

using dsp::Resampler;
using parity::Signal;

struct Golden {
  std::string name;
  Resampler::Spec spec;
  int noise_frames = 0;
  int output_frames = 0;
};

void PrintTo(const Golden& golden, std::ostream* out) {
  *out << golden.name;
}

Resampler::Quality quality_of(const std::string& name) {
  if (name == "high") return Resampler::Quality::high;
  return name == "best" ? Resampler::Quality::best : Resampler::Quality::standard;
}

std::vector<Golden> read_goldens() {
  const auto index = read_index("resampler");
  if (index.is_null()) return {};  // GoogleTest then fails: a suite without a case is an error
  std::vector<Golden> goldens;
  for (const auto& one : index.at("cases"))
    goldens.push_back({one.at("name"),
                       {.from_hz = one.at("from_hz"),
                        .to_hz = one.at("to_hz"),
                        .channels = index.at("channels"),
                        .max_frames = one.at("frames"),
                        .quality = quality_of(one.at("quality"))},
                       index.at("frames"),
                       one.at("output_frames")});
  return goldens;
}

class ResamplerGolden : public testing::TestWithParam<Golden> {};

TEST_P(ResamplerGolden, ResamplesAsScipyDoes) {
  const auto& [name, spec, noise_frames, output_frames] = GetParam();
  const Signal in = read_signal("resampler", "noise", spec.channels, noise_frames);
  const Signal expected = read_signal("resampler", name, spec.channels, output_frames);
  for (const Device device : Device::all()) {
    SCOPED_TRACE(device.name());
    Resampler resampler(device, spec);
    ASSERT_EQ(resampler.output_frames(spec.max_frames), output_frames);
    Signal out(spec.channels, output_frames);
    ASSERT_EQ(resampler.process(in.view().slice(0, spec.max_frames), out.view()), Status::ok);
    for (int i = 0; i < spec.channels; ++i) {
      const auto samples = expected.channel(i);
      const std::vector<double> reference(samples.begin(), samples.end());
      ASSERT_TRUE(parity::agrees(device.name(), out.channel(i), reference));
      // Sums of some twenty to two hundred floats, rounded once each.
      ASSERT_GE(parity::difference(out.channel(i), reference).decibels, 120);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Scipy, ResamplerGolden, testing::ValuesIn(read_goldens()),
                         [](const auto& test) { return test_label(test.param.name); });

}  // namespace
}  // namespace ringwave::golden
