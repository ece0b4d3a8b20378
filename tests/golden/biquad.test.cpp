// SPDX-License-Identifier: Apache-2.0
// Against scipy: its designs and its sosfilt, as make_biquad.py wrote them down.
#include "ringwave/dsp/biquad.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ringwave/dsp/butterworth.hpp"
#include "tests/golden/data.hpp"
#include "tests/parity/measure.hpp"
#include "tests/parity/signal.hpp"
#include "tests/test_label.hpp"

namespace ringwave::golden {
namespace {

using dsp::Section;
using parity::Signal;

struct Golden {
  std::string name;
  nlohmann::json design;  ///< null where it is no Butterworth filter
  std::vector<Section> sections;
  int channels = 0;
  int frames = 0;
};

void PrintTo(const Golden& golden, std::ostream* out) {
  *out << golden.name;
}

/// What is there, or only the filters that Ringwave designs too.
std::vector<Golden> read_goldens(bool only_designs) {
  const auto index = read_index("biquad");
  if (index.is_null()) return {};  // GoogleTest then fails: a suite without a case is an error
  std::vector<Golden> goldens;
  for (const auto& filter : index.at("filters")) {
    Golden golden{filter.at("name"),
                  filter.value("design", nlohmann::json()),
                  {},
                  index.at("channels"),
                  index.at("frames")};
    for (const auto& row : filter.at("sos"))
      golden.sections.push_back({row[0], row[1], row[2], row[4], row[5]});
    if (!only_designs || !golden.design.is_null()) goldens.push_back(std::move(golden));
  }
  return goldens;
}

std::vector<Section> designed(const nlohmann::json& design) {
  const auto make = design.at("kind") == "lowpass" ? dsp::butterworth_lowpass : dsp::butterworth_highpass;
  return make(design.at("order"), design.at("cutoff_hz"), design.at("sample_rate_hz"));
}

class BiquadGolden : public testing::TestWithParam<Golden> {
 protected:
  /// scipy's noise through these sections, on every device, in one block and in many.
  static void expect_golden(const std::vector<Section>& sections) {
    const auto& [name, design, theirs, channels, frames] = GetParam();
    const Signal in = read_signal("biquad", "noise", channels, frames);
    const Signal expected = read_signal("biquad", name, channels, frames);
    for (const Device device : Device::all())
      for (const int block : {frames, 480}) {
        SCOPED_TRACE(device.name() + " in blocks of " + std::to_string(block));
        dsp::Biquad filter(device, {channels, block}, sections);
        Signal out(channels, frames);
        for (int done = 0; done < frames; done += block) {
          const int count = std::min(block, frames - done);
          ASSERT_EQ(filter.process(in.view().slice(done, count), out.view().slice(done, count)), Status::ok);
        }
        for (int i = 0; i < channels; ++i) {
          const auto samples = expected.channel(i);
          ASSERT_TRUE(parity::agrees(device.name(), out.channel(i),
                                     std::vector<double>(samples.begin(), samples.end())));
        }
      }
  }
};

TEST_P(BiquadGolden, FiltersAsScipyDoes) {
  expect_golden(GetParam().sections);
}

/// The numerators multiplied out, falling powers: sections may share their zeros as they like.
std::vector<double> numerator(const std::vector<Section>& sections) {
  std::vector<double> product{1};
  for (const Section& s : sections) {
    std::vector<double> next(product.size() + 2, 0.0);
    for (std::size_t i = 0; i < product.size(); ++i) {
      next[i] += s.b0 * product[i];
      next[i + 1] += s.b1 * product[i];
      next[i + 2] += s.b2 * product[i];
    }
    product = next;
  }
  return product;
}

class ButterworthGolden : public BiquadGolden {};

TEST_P(ButterworthGolden, FiltersAsScipyDoesByItsOwnDesign) {
  expect_golden(designed(GetParam().design));
}

TEST_P(ButterworthGolden, DesignsAsScipyDoes) {
  // A hundred roundings in double: both sides compute the same poles by different roads.
  constexpr double kRelative = 1e-12;
  const auto expect_near = [](double a, double b) { EXPECT_NEAR(a, b, kRelative * std::abs(b)); };
  auto ours = designed(GetParam().design);
  auto theirs = GetParam().sections;
  ASSERT_EQ(ours.size(), theirs.size());
  std::ranges::sort(ours, {}, &Section::a2);  // the order of the sections is free
  std::ranges::sort(theirs, {}, &Section::a2);
  for (std::size_t i = 0; i < ours.size(); ++i) {
    SCOPED_TRACE("poles of section " + std::to_string(i));
    expect_near(ours[i].a1, theirs[i].a1);
    expect_near(ours[i].a2, theirs[i].a2);
  }
  const auto our_zeros = numerator(ours);
  const auto their_zeros = numerator(theirs);
  for (std::size_t i = 0; i < our_zeros.size(); ++i) {
    SCOPED_TRACE("numerator, coefficient " + std::to_string(i));
    expect_near(our_zeros[i], their_zeros[i]);
  }
}

std::string label(const testing::TestParamInfo<Golden>& test) {
  return test_label(test.param.name);
}

INSTANTIATE_TEST_SUITE_P(Scipy, BiquadGolden, testing::ValuesIn(read_goldens(false)), label);
INSTANTIATE_TEST_SUITE_P(Scipy, ButterworthGolden, testing::ValuesIn(read_goldens(true)), label);

}  // namespace
}  // namespace ringwave::golden
