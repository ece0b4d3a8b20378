// SPDX-License-Identifier: Apache-2.0
// The resampler on every device against its formula in double, in host and in device memory.
#include "ringwave/dsp/resampler.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "ringwave/core/buffer.hpp"
#include "tests/parity/measure.hpp"
#include "tests/parity/signal.hpp"
#include "tests/test_label.hpp"

namespace ringwave::parity {
namespace {

using dsp::Resampler;

/// The definition, tap by tap, for outputs `first` to `first + count`.
std::vector<double> expected(const Resampler& op, std::span<const double> taps, std::span<const float> x,
                             std::int64_t first, std::int64_t count) {
  std::vector<double> y;
  const auto size = static_cast<std::int64_t>(taps.size());
  for (std::int64_t m = first; m < first + count; ++m) {
    const std::int64_t at = m * op.down() + size / 2;
    double sum = 0;
    for (std::int64_t n = std::max<std::int64_t>(0, (at - size) / op.up());
         n < static_cast<std::int64_t>(x.size()) && at - n * op.up() >= 0; ++n)
      if (const std::int64_t k = at - n * op.up(); k < size)
        sum += taps[static_cast<std::size_t>(k)] * static_cast<double>(x[static_cast<std::size_t>(n)]);
    y.push_back(sum);
  }
  return y;
}

struct Ratio {
  int from_hz;
  int to_hz;
};
struct Shape {
  int channels;
  int frames;
};

class ResamplerParity : public testing::TestWithParam<Device> {
 protected:
  static std::vector<double> taps_of(const Resampler& op) {
    return dsp::resampler_filter(op.up(), op.down(), op.spec().quality);
  }

  /// Every channel where there are few samples; else the ends and the middle of three.
  static void expect_parity(const Resampler& op, std::span<const double> taps, const Signal& in,
                            const Signal& out) {
    constexpr int kMost = 3000;
    const int channels = in.channels();
    for (const int channel : {0, channels / 2, channels - 1})
      for (const int first :
           {0, std::max(0, out.frames() / 2 - kMost / 2), std::max(0, out.frames() - kMost)}) {
        const int count = std::min(kMost, out.frames() - first);
        SCOPED_TRACE("channel " + std::to_string(channel) + " from " + std::to_string(first));
        const auto found =
            out.channel(channel).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
        ASSERT_TRUE(agrees(op.device().name(), found, expected(op, taps, in.channel(channel), first, count)));
      }
  }

  static Signal resampled(Resampler& op, const Signal& in, int gap = 0) {
    Signal out(in.channels(), op.output_frames(in.frames()), gap);
    EXPECT_EQ(op.process(in.view(), out.view()), Status::ok);
    return out;
  }

  /// The same between blocks in the device's memory.
  static Signal resampled_there(Resampler& op, const Signal& in, int gap) {
    Signal out(in.channels(), op.output_frames(in.frames()), gap);
    Queue queue(op.device());
    Buffer<float> from(op.device(), in.memory().size());
    Buffer<float> to(op.device(), out.memory().size());
    from.copy_from(in.memory());
    to.copy_from(out.memory());
    const auto there = [](auto view, auto memory, auto* device) {
      return BlockView<std::remove_pointer_t<decltype(device)>>(
          device + (view.data() - memory.data()), view.channels(), view.frames(), view.stride());
    };
    const float* const source = from.device(queue).data();
    (void)to.device(queue);
    float* const target = to.overwrite_device().data();
    EXPECT_EQ(
        op.enqueue(queue, there(in.view(), in.memory(), source), there(out.view(), out.memory(), target)),
        Status::ok);
    queue.synchronize();
    to.copy_to(queue, out.memory());
    return out;
  }
};

// Whole periods in a block's registers, short and long rows, ratios with long periods, and shapes that end
// anywhere.
constexpr Ratio kRatios[] = {{48000, 44100}, {44100, 48000}, {48000, 96000}, {96000, 48000}, {48000, 16000},
                             {96000, 44100}, {44100, 96000}, {48000, 8000},  {44100, 44100}, {5, 7},
                             {7, 5},         {48000, 47999}, {44100, 192000}};

TEST_P(ResamplerParity, EveryRatioAndShape) {
  for (const auto& [from_hz, to_hz] : kRatios)
    for (const auto& [channels, frames] :
         {Shape{1, 1}, Shape{3, 7}, Shape{1, 4801}, Shape{5, 1000}, Shape{40, 9999}}) {
      SCOPED_TRACE(std::to_string(from_hz) + " to " + std::to_string(to_hz) + ", " +
                   std::to_string(channels) + " x " + std::to_string(frames));
      Resampler op(GetParam(),
                   {.from_hz = from_hz, .to_hz = to_hz, .channels = channels, .max_frames = frames});
      const auto taps = taps_of(op);
      for (const int gap : {0, 3}) {
        const Signal in = noise(channels, frames, 11).with_gap(gap);
        const Signal out = resampled(op, in, gap + 2);
        expect_parity(op, taps, in, out);
        ASSERT_TRUE(out.gaps_untouched()) << "something was written between the planes";
        const Signal there = resampled_there(op, in, gap);
        expect_parity(op, taps, in, there);
        ASSERT_TRUE(there.gaps_untouched()) << "something was written between the planes, in device memory";
        if (HasFatalFailure()) return;
      }
    }
}

TEST_P(ResamplerParity, LongSignalsInPieces) {
  for (const auto& [channels, frames] : {Shape{1, 3'000'000}, Shape{9, 400'003}}) {
    const Signal in = noise(channels, frames, 13);
    Resampler op(GetParam(), {.channels = channels, .max_frames = frames});
    const auto taps = taps_of(op);
    expect_parity(op, taps, in, resampled(op, in));
    expect_parity(op, taps, in, resampled_there(op, in, 0));
  }
}

TEST_P(ResamplerParity, HostAndDeviceMemoryGiveTheSameOverASeam) {
  // A piece of the host's way ends inside this signal; what lies around it is compared sample by sample.
  const Signal in = noise(2, 1'500'000, 17);
  Resampler op(GetParam(), {.channels = 2, .max_frames = in.frames()});
  const Signal a = resampled(op, in);
  const Signal b = resampled_there(op, in, 0);
  for (int channel = 0; channel < 2; ++channel)
    for (std::size_t n = 0; n < a.channel(channel).size(); ++n)
      ASSERT_NEAR(a.channel(channel)[n], b.channel(channel)[n], 1e-6F) << n;
}

TEST_P(ResamplerParity, BetterFiltersAndFiltersOfTheCallers) {
  const Signal in = noise(4, 20'000, 19);
  for (const auto quality : {Resampler::Quality::high, Resampler::Quality::best}) {
    Resampler op(GetParam(), {.channels = 4, .max_frames = in.frames(), .quality = quality});
    expect_parity(op, taps_of(op), in, resampled(op, in));
  }
  std::vector<double> taps(101);
  for (std::size_t k = 0; k < taps.size(); ++k) taps[k] = std::sin(static_cast<double>(k * k));
  for (const auto& [from_hz, to_hz] : {Ratio{3, 2}, Ratio{2, 3}, Ratio{1000, 1}, Ratio{1, 50}, Ratio{1, 1}}) {
    Resampler op(GetParam(), {.from_hz = from_hz, .to_hz = to_hz, .channels = 4, .max_frames = in.frames()},
                 taps);
    expect_parity(op, taps, in, resampled(op, in));
    expect_parity(op, taps, in, resampled_there(op, in, 1));
  }
}

TEST_P(ResamplerParity, TheFinestFilterOverEveryRatioAndShape) {
  for (const auto& [from_hz, to_hz] :
       {Ratio{48000, 44100}, Ratio{44100, 48000}, Ratio{48000, 96000}, Ratio{96000, 48000}, Ratio{3, 1},
        Ratio{1, 48}, Ratio{48, 1}, Ratio{5, 7}, Ratio{96000, 11025}, Ratio{44100, 192000}, Ratio{9001, 9000},
        Ratio{1, 1}})
    for (const auto& [channels, frames] : {Shape{1, 1}, Shape{3, 7}, Shape{5, 1000}, Shape{9, 20'011}}) {
      SCOPED_TRACE(std::to_string(from_hz) + " to " + std::to_string(to_hz) + ", " +
                   std::to_string(channels) + " x " + std::to_string(frames));
      Resampler op(GetParam(), {.from_hz = from_hz,
                                .to_hz = to_hz,
                                .channels = channels,
                                .max_frames = frames,
                                .quality = Resampler::Quality::finest});
      const auto taps = taps_of(op);
      const Signal in = noise(channels, frames, 37).with_gap(3);
      for (const Signal& out : {resampled(op, in, 2), resampled_there(op, in, 1)}) {
        expect_parity(op, taps, in, out);
        ASSERT_TRUE(out.gaps_untouched()) << "something was written between the planes";
        if (frames < 10'000) continue;  // of a few outputs one that is nearly 0 would decide
        const int count = std::min(2000, out.frames());
        const auto found = out.channel(0).subspan(0, static_cast<std::size_t>(count));
        // A float holds 150 dB, and the sums keep most of it: runs are short, or go from the ends inwards.
        ASSERT_GE(difference(found, expected(op, taps, in.channel(0), 0, count)).decibels, 134);
      }
    }
}

TEST_P(ResamplerParity, LessThanTheMost) {
  Resampler op(GetParam(), {.channels = 2, .max_frames = 100'000});
  const auto taps = taps_of(op);
  for (const int frames : {0, 1, 160, 4096, 99'999}) {
    const Signal in = noise(2, frames, 23);
    const Signal out = resampled(op, in);
    if (frames > 0) expect_parity(op, taps, in, out);
  }
}

TEST_P(ResamplerParity, ANaNStaysWhereItsFilterReaches) {
  Signal in = noise(40, 20'000, 29);
  in.channel(20)[10'000] = std::numeric_limits<float>::quiet_NaN();
  Resampler op(GetParam(), {.channels = 40, .max_frames = in.frames()});
  const Signal out = resampled(op, in);
  int hit = 0;
  for (int channel = 0; channel < 40; ++channel)
    for (std::size_t m = 0; m < out.channel(channel).size(); ++m)
      if (std::isnan(out.channel(channel)[m])) {
        ++hit;
        ASSERT_EQ(channel, 20);
        ASSERT_NEAR(static_cast<double>(m) * 160 / 147, 10'000, 11 + 64);
      }
  EXPECT_GE(hit, 20);
}

TEST_P(ResamplerParity, ACapturedSignalIsReplayed) {
  const Signal in = noise(3, 5000, 31);
  Resampler op(GetParam(), {.channels = 3, .max_frames = 5000});
  Queue queue(op.device());
  Buffer<float> from(op.device(), in.memory().size());
  Signal out(3, op.output_frames(5000));
  Buffer<float> to(op.device(), out.memory().size());
  from.copy_from(in.memory());
  const float* const source = from.device(queue).data();
  float* const target = to.overwrite_device().data();
  Status status = Status::busy;
  const Graph graph = queue.capture([&] {
    status = op.enqueue(queue, {source, 3, 5000}, {target, 3, out.frames()});
  });
  ASSERT_EQ(status, Status::ok);
  ASSERT_EQ(queue.launch(graph), Status::ok);
  queue.synchronize();
  to.copy_to(queue, out.memory());
  expect_parity(op, taps_of(op), in, out);
}

INSTANTIATE_TEST_SUITE_P(Devices, ResamplerParity, testing::ValuesIn(Device::all()),
                         [](const auto& test) { return device_label(test.param); });

}  // namespace
}  // namespace ringwave::parity
