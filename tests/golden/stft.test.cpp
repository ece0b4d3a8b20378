// SPDX-License-Identifier: Apache-2.0
// Against scipy: its stft and its istft, as make_stft.py wrote them down.
#include "ringwave/dsp/stft.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/golden/data.hpp"
#include "tests/parity/measure.hpp"
#include "tests/test_label.hpp"

namespace ringwave::golden {
namespace {

using dsp::Complex;
using dsp::Stft;
using dsp::Window;

// A transform's rounding, and that of the files, which have float's 24 bits.
constexpr double kLeastDb = 120;

struct Case {
  std::string name;
  Stft::Spec spec;
  int frames = 0;
  std::size_t back = 0;  ///< samples that scipy gives back
};

void PrintTo(const Case& test, std::ostream* out) {
  *out << test.name;
}

std::vector<Case> read_cases() {
  const std::map<std::string, Window::Shape> shapes{{"hann", Window::Shape::hann},
                                                    {"hamming", Window::Shape::hamming},
                                                    {"blackman", Window::Shape::blackman},
                                                    {"kaiser", Window::Shape::kaiser}};
  const std::map<std::string, Stft::Padding> paddings{
      {"reflect", Stft::Padding::reflect}, {"zero", Stft::Padding::zero}, {"none", Stft::Padding::none}};
  const auto index = read_index("stft");
  std::vector<Case> cases;
  if (index.is_null()) return cases;  // GoogleTest then fails: a suite without a case is an error
  for (const auto& entry : index.at("cases"))
    cases.push_back({entry.at("name"),
                     {.size = entry.at("size"),
                      .hop = entry.at("hop"),
                      .window = {shapes.at(entry.at("window"))},
                      .padding = paddings.at(entry.at("padding")),
                      .scaling = Stft::Scaling::amplitude,
                      .samples = index.at("samples")},
                     entry.at("frames"),
                     entry.at("back")});
  return cases;
}

std::span<const float> floats(const std::vector<Complex>& bins) {
  return {reinterpret_cast<const float*>(bins.data()), 2 * bins.size()};
}

std::vector<Complex> read_bins(const std::string& name, std::size_t count) {
  const std::vector<float> values = read_floats("stft", name, 2 * count);
  std::vector<Complex> bins;
  for (std::size_t i = 0; i < count; ++i) bins.emplace_back(values[2 * i], values[2 * i + 1]);
  return bins;
}

class StftGolden : public testing::TestWithParam<Case> {};

TEST_P(StftGolden, TransformsAsScipyDoes) {
  const auto noise = read_floats("stft", "noise", static_cast<std::size_t>(GetParam().spec.samples));
  for (const Device device : Device::all()) {
    Stft stft(device, GetParam().spec);
    ASSERT_EQ(stft.frame_count(), GetParam().frames);
    std::vector<Complex> bins(stft.total_bins());
    ASSERT_EQ(stft.forward(noise, bins), Status::ok);
    const auto expected = read_floats("stft", GetParam().name + "_bins", 2 * bins.size());
    EXPECT_TRUE(parity::agrees(device.name(), floats(bins),
                               std::vector<double>(expected.begin(), expected.end()), kLeastDb));
  }
}

TEST_P(StftGolden, PutsTogetherAsScipyDoes) {
  const auto expected = read_floats("stft", GetParam().name + "_back", GetParam().back);
  for (const Device device : Device::all()) {
    Stft stft(device, GetParam().spec);
    std::vector<Complex> bins = read_bins(GetParam().name + "_changed", stft.total_bins());
    std::vector<float> back(stft.sample_count());
    ASSERT_EQ(stft.inverse(bins, back), Status::ok);
    // Without padding, the first and the last samples are rounding divided by next to nothing, on both sides.
    const std::size_t edge = GetParam().spec.padding == Stft::Padding::none
                                 ? static_cast<std::size_t>(GetParam().spec.size / 8)
                                 : 0;
    const std::size_t count = std::min(back.size(), expected.size()) - 2 * edge;
    const auto inner = std::span(expected).subspan(edge, count);
    EXPECT_TRUE(parity::agrees(device.name(), std::span<const float>(back).subspan(edge, count),
                               std::vector<double>(inner.begin(), inner.end()), kLeastDb));
  }
}

INSTANTIATE_TEST_SUITE_P(Scipy, StftGolden, testing::ValuesIn(read_cases()),
                         [](const auto& test) { return test_label(test.param.name); });

}  // namespace
}  // namespace ringwave::golden
