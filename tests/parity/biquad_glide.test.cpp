// SPDX-License-Identifier: Apache-2.0
// Sections that change while the filter plays, against the same lines in double, across any block size.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "ringwave/dsp/biquad.hpp"
#include "ringwave/dsp/butterworth.hpp"
#include "tests/parity/measure.hpp"
#include "tests/parity/oracle.hpp"
#include "tests/parity/signal.hpp"
#include "tests/test_label.hpp"

namespace ringwave::parity {
namespace {

using dsp::Section;
using Cascade = std::vector<Section>;

constexpr int kFrames = 4000;
constexpr int kSmooth = 480;

struct Change {
  int frame = 0;
  Cascade to;
};

/// The second comes in the middle of the first, the last two at the same frame.
std::vector<Change> changes(int sections) {
  const auto lowpass = [sections](double hz) { return dsp::butterworth_lowpass(2 * sections, hz, 48000); };
  return {{100, lowpass(9000)},
          {300, dsp::butterworth_highpass(2 * sections, 200, 48000)},
          {2000, Cascade(static_cast<std::size_t>(sections), resonance(700, 5, 48000))},
          {3000, lowpass(50)},
          {3000, lowpass(4000)}};
}

Section between(const Section& a, const Section& b, double share) {
  const auto mix = [share](double from, double to) { return (1 - share) * from + share * to; };
  return {mix(a.b0, b.b0), mix(a.b1, b.b1), mix(a.b2, b.b2), mix(a.a1, b.a1), mix(a.a2, b.a2)};
}

/// The transposed direct form II by its definition, with the coefficients of each frame.
std::vector<double> expected(const Cascade& start, const std::vector<Change>& changes,
                             std::span<const float> in) {
  Cascade from = start, to = start, now = start;
  std::vector<double> s1(start.size()), s2(start.size()), out;
  int since = kSmooth;
  for (int frame = 0; frame < kFrames; ++frame) {
    for (const Change& change : changes)
      if (change.frame == frame) {
        from = now;
        to = change.to;
        since = 0;
      }
    ++since;
    double x = static_cast<double>(in[static_cast<std::size_t>(frame)]);
    for (std::size_t i = 0; i < start.size(); ++i) {
      now[i] = since >= kSmooth ? to[i] : between(from[i], to[i], static_cast<double>(since) / kSmooth);
      const double y = now[i].b0 * x + s1[i];
      s1[i] = now[i].b1 * x - now[i].a1 * y + s2[i];
      s2[i] = now[i].b2 * x - now[i].a2 * y;
      x = y;
    }
    out.push_back(x);
  }
  return out;
}

/// A change falls between two blocks: a block ends where one is due.
Signal played(Device device, const Cascade& start, const std::vector<Change>& changes, const Signal& in,
              int block) {
  dsp::Biquad filter(device, {in.channels(), block, kSmooth}, start);
  Signal out(in.channels(), in.frames());
  for (int done = 0; done < kFrames;) {
    int end = std::min(done + block, kFrames);
    for (const Change& change : changes) {
      if (change.frame == done) {
        EXPECT_TRUE(filter.set_sections(change.to));
      }
      if (change.frame > done) end = std::min(end, change.frame);
    }
    const auto target = out.view().slice(done, end - done);
    EXPECT_EQ(filter.process(in.view().slice(done, end - done), target), Status::ok);
    done = end;
  }
  return out;
}

class BiquadGlideParity : public testing::TestWithParam<Device> {};

TEST_P(BiquadGlideParity, FollowsStraightLinesForAnyBlockSizeAndNumberOfSections) {
  for (const int sections : {1, 2, 5, 13, 32}) {
    const Signal in = noise(3, kFrames, 97);
    const Cascade start = dsp::butterworth_lowpass(2 * sections, 1000, 48000);
    const auto plan = changes(sections);
    const Signal plain = played(Device::cpu(), start, plan, in, kFrames);
    std::vector<std::vector<double>> reference;
    for (int i = 0; i < in.channels(); ++i) reference.push_back(expected(start, plan, in.channel(i)));
    for (const int block : {1, 3, 64, 65, 480, 4096}) {
      SCOPED_TRACE(std::to_string(sections) + " sections, blocks of " + std::to_string(block));
      const Signal out = played(GetParam(), start, plan, in, block);
      for (int i = 0; i < in.channels(); ++i) {
        ASSERT_TRUE(agrees(GetParam().name(), out.channel(i), reference[static_cast<std::size_t>(i)]));
        if (GetParam().kind() == DeviceKind::cpu) {
          ASSERT_EQ(first_difference(out.channel(i), plain.channel(i)), -1);
        }
      }
    }
  }
}

TEST_P(BiquadGlideParity, GoesOnFromTheStatesOfFixedSections) {
  // More than the 32 sections that a warp takes, and a group that is not full.
  const Cascade sections(35, dsp::Section{0.99, 0.2, 0.1, 0.15, 0.12});
  const Signal in = noise(2, kFrames, 101);
  dsp::Biquad filter(GetParam(), {2, 1000, kSmooth}, sections);
  Signal out(2, kFrames);
  for (int done = 0; done < kFrames; done += 500) {
    if (done == 1500) {
      ASSERT_TRUE(filter.set_sections(sections));
    }
    ASSERT_EQ(filter.process(in.view().slice(done, 500), out.view().slice(done, 500)), Status::ok);
  }
  for (int i = 0; i < 2; ++i)
    ASSERT_TRUE(agrees(GetParam().name(), out.channel(i), filtered(sections, in.channel(i))));
}

INSTANTIATE_TEST_SUITE_P(Devices, BiquadGlideParity, testing::ValuesIn(Device::all()),
                         [](const auto& test) { return device_label(test.param); });

}  // namespace
}  // namespace ringwave::parity
