// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "ringwave/core/host_device.hpp"
#include "ringwave/core/realtime.hpp"
#include "ringwave/dsp/convolver_math.hpp"
#include "ringwave/dsp/fir_frames_cpu.hpp"
#include "ringwave/live/sample_copy.hpp"
#include "ringwave/ring/context.hpp"
#include "ringwave/ring/message.hpp"

namespace ringwave::live {

/// Direct convolution as a ring kernel: a response for each channel, every tap for every sample, no latency.
/// A block comes as a message and goes as its reply.
///
/// A response is kept with its last tap first, as
///
///   y[n] = sum over k of  g[k] x[origin + n + k],     g[k] = h[length - 4 - k],     length a multiple of 4
///
/// with zeros before and behind, so that a device can take four taps and four samples at a time. What came in
/// is kept in a ring that is written twice, one copy behind the other: whatever the position, what a block
/// needs lies in one piece.
///
/// On a GPU a lane has four frames in a row and slides a window of eight samples along them. As many lanes as
/// a block has frames for make a group, and the other groups take other stretches of the taps.
struct ConvolverHandler {
  static constexpr const char* kName = "live_convolver";
  static constexpr bool kLone = false;  ///< a kernel of one warp is seldom wanted
  static constexpr int kMostChannels = 16;
  static constexpr int kTapRoom = 16384;     ///< taps of all channels together
  static constexpr int kMostSamples = 8192;  ///< of a block, all channels together
  static constexpr int kThreads = 384;

  enum Type : std::uint32_t {
    kBlock,  // channel after channel; the argument is their frames; replies with as many samples
    kTaps,   // a part of the next response, channel after channel, from tap `argument` on; replies with it
    kSwap,   // goes over to the next response in as many frames as the argument says
    kReset,  // forgets the past and ends a change
  };

  int channels = 1;
  int taps = 1;  ///< of every channel
  int max_frames = 1;

  RW_HOST_DEVICE void on_message(ring::Context& context, const ring::Message& message) {
    switch (message.type()) {
      case kBlock:
        return take_block(context, message);
      case kTaps:
        return take_taps(context, message);
      case kSwap:
        return swap(context, static_cast<int>(message.argument()));
      case kReset:
        return reset(context);
      default:
        context.refuse();
    }
  }

 private:
  static constexpr int kPad = 8;       // zeros around a channel's taps
  static constexpr int kBeyond = 160;  // samples behind a channel's ring that a lane may read
  static constexpr int kPartialRoom = 4 * 416;
  static constexpr int kHistoryRoom =
      2 * (kTapRoom + kMostSamples) + kMostChannels * (2 * 3 * kPad + kBeyond);

  [[nodiscard]] RW_HOST_DEVICE int length() const { return (taps + 3 + 3) / 4 * 4; }
  [[nodiscard]] RW_HOST_DEVICE int period() const { return length() + (max_frames + 3) / 4 * 4; }
  [[nodiscard]] RW_HOST_DEVICE int row() const { return 2 * period() + kBeyond; }
  /// g of a channel.
  [[nodiscard]] RW_HOST_DEVICE float* response(int which, int channel) {
    return responses[which] + channel * (length() + kPad) + kPad / 2;
  }

  RW_HOST_DEVICE void take_block(ring::Context& context, const ring::Message& message) {
    const auto frames = static_cast<int>(message.argument());
    if (frames < 1 || frames > max_frames ||
        message.bytes() != sizeof(float) * static_cast<std::size_t>(channels * frames))
      return context.refuse();
    const int origin = position - (length() - 4) + (position < length() - 4 ? period() : 0);
    keep(context, reinterpret_cast<const float*>(message.data()), frames);
    context.sync();
    convolve(context, active, origin, frames, work);
    if (is_fading) {
      convolve(context, next, origin, frames, faded_in);
      fade(context, frames);
    }
    reply_samples(context, work, channels * frames);
    if (context.lane() == 0) advance(frames);
  }

  /// Writes what came in twice into the ring.
  RW_HOST_DEVICE void keep(const ring::Context& context, const float* in, int frames) {
    constexpr int kAtOnce = 4;  // before the first is stored: one trip over the bus
    const int count = channels * frames;
    const int ring = period();
    for (int first = context.lane(); first < count; first += kAtOnce * context.lanes()) {
      float held[kAtOnce] = {};
      for (int i = 0; i < kAtOnce; ++i)
        if (const int at = first + i * context.lanes(); at < count) held[i] = in[at];
      for (int i = 0; i < kAtOnce; ++i) {
        const int at = first + i * context.lanes();
        if (at >= count) break;
        const int frame = position + at % frames;
        float* const place = history + at / frames * row() + (frame < ring ? frame : frame - ring);
        place[0] = held[i];
        place[ring] = held[i];
      }
    }
  }

  RW_HOST_DEVICE void convolve(const ring::Context& context, int which, int origin, int frames, float* out) {
#if defined(__CUDA_ARCH__)
    if (origin % 4 == 0)
      convolve_by_lanes<true>(context, which, origin, frames, out);
    else
      convolve_by_lanes<false>(context, which, origin, frames, out);
#else
    static_cast<void>(context);
    const FlushSubnormals flush;
    for (int channel = 0; channel < channels; ++channel) {
      float* const y = out + channel * frames;
      std::fill_n(y, frames, 0.0F);
      dsp::filter_frames({response(which, channel), static_cast<std::size_t>(length())},
                         history + channel * row() + origin, y, static_cast<std::size_t>(frames),
                         dsp::FrameSums::fastest);
    }
#endif
  }

  RW_HOST_DEVICE void fade(const ring::Context& context, int frames) {
    for (int i = context.lane(); i < channels * frames; i += context.lanes()) {
      const float share =
          dsp::fade_share(static_cast<float>(faded + i % frames + 1), static_cast<float>(fade_frames));
      work[i] += share * (faded_in[i] - work[i]);
    }
  }

  /// A block lies behind. By one lane.
  RW_HOST_DEVICE void advance(int frames) {
    position += frames;
    if (position >= period()) position -= period();
    if (!is_fading) return;
    faded += frames;
    if (faded < fade_frames) return;
    exchange(active, next);
    is_fading = false;
    if (is_waiting) begin_fade(waiting_frames);
  }

  RW_HOST_DEVICE void begin_fade(int over_frames) {
    exchange(next, incoming);
    is_fading = true;
    is_waiting = false;
    fade_frames = over_frames;
    faded = 0;
  }

  RW_HOST_DEVICE static void exchange(int& a, int& b) {
    const int was = a;
    a = b;
    b = was;
  }

  RW_HOST_DEVICE void take_taps(ring::Context& context, const ring::Message& message) {
    const auto given = message.view<float>();
    const auto first = static_cast<int>(message.argument());
    const auto count = static_cast<int>(given.size());
    if (first < 0 || first > channels * taps - count) return context.refuse();
    for (int i = context.lane(); i < count; i += context.lanes())
      response(incoming, (first + i) / taps)[length() - 4 - (first + i) % taps] = given.data()[i];
    context.sync();
    if (context.lane() == 0) is_waiting = false;  // what has not begun is replaced
    context.reply(first);
  }

  RW_HOST_DEVICE void swap(ring::Context& context, int over_frames) {
    context.sync();
    if (context.lane() == 0) {
      if (over_frames <= 0) {
        exchange(active, incoming);
        is_fading = is_waiting = false;
      } else if (is_fading) {
        is_waiting = true;
        waiting_frames = over_frames;
      } else {
        begin_fade(over_frames);
      }
    }
    context.reply(over_frames);
  }

  RW_HOST_DEVICE void reset(ring::Context& context) {
    for (int i = context.lane(); i < channels * row(); i += context.lanes()) history[i] = 0;
    if (context.lane() == 0 && is_fading) {
      exchange(active, is_waiting ? incoming : next);
      is_fading = is_waiting = false;
    }
    context.reply(channels);
  }

#if defined(__CUDA_ARCH__)
  /// All channels of a block. `kAligned`: samples and taps lie four by four alike.
  template <bool kAligned>
  __device__ void convolve_by_lanes(const ring::Context& context, int which, int origin, int frames,
                                    float* out) {
    int width = 32;  // lanes of a group: enough for the block, and not many more
    while (width > 1 && 2 * width >= frames) width /= 2;
    const int tiles = (frames + 4 * width - 1) / (4 * width);
    const int jobs = channels * tiles;
    const int groups = context.lanes() / width;
    const int shift = kAligned ? 0 : origin % 4;
    const int steps = (length() + (kAligned ? 0 : 4)) / 4;  // of four taps
    const int splits = min(max(groups / jobs, 1), max(steps / 4, 1));
    const int steps_each = (steps + splits - 1) / splits;
    const int lane = context.lane() % width;
    float* const sums = splits == 1 ? out : partial;
    for (int job = context.lane() / width; job < jobs * splits; job += groups) {
      const int split = job / jobs;
      const int channel = job % jobs / tiles;
      const int frame = 4 * (job % tiles * width + lane);
      const float* const g = response(which, channel) - shift;
      const float* const x = history + channel * row() + origin - shift + frame;
      Quad sum{};
      slide<kAligned>(g, x, split * steps_each, min((split + 1) * steps_each, steps), sum);
      float* const to = sums + (split * channels + channel) * frames + frame;
#pragma unroll
      for (int j = 0; j < 4; ++j)
        if (frame + j < frames) to[j] = sum.at[j];
    }
    if (splits == 1) return context.sync();
    context.sync();
    const int count = channels * frames;
    for (int i = context.lane(); i < count; i += context.lanes()) {
      float sum = 0;
      for (int split = 0; split < splits; ++split) sum += partial[split * count + i];
      out[i] = sum;
    }
    context.sync();  // before the next response writes its sums there
  }

  /// Four frames in a row: adds steps `first` to `last` of four taps each.
  template <bool kAligned>
  __device__ static void slide(const float* g, const float* x, int first, int last, Quad& sum) {
    Quad low = *reinterpret_cast<const Quad*>(x + 4 * first);
#pragma unroll 4
    for (int step = first; step < last; ++step) {
      const Quad high = *reinterpret_cast<const Quad*>(x + 4 * (step + 1));
      Quad tap;
      if constexpr (kAligned)
        tap = *reinterpret_cast<const Quad*>(g + 4 * step);
      else
        tap = {g[4 * step], g[4 * step + 1], g[4 * step + 2], g[4 * step + 3]};
      const float window[8] = {low.at[0],  low.at[1],  low.at[2],  low.at[3],
                               high.at[0], high.at[1], high.at[2], high.at[3]};
#pragma unroll
      for (int k = 0; k < 4; ++k)
#pragma unroll
        for (int j = 0; j < 4; ++j) sum.at[j] += tap.at[k] * window[j + k];
      low = high;
    }
  }
#endif

  int position = 0;  // where the next frame goes in the ring
  int active = 0;    // of the three responses
  int next = 1;      // that is faded in
  int incoming = 2;  // that is being sent
  int fade_frames = 0;
  int faded = 0;
  int waiting_frames = 0;
  bool is_fading = false;
  bool is_waiting = false;  // the one that came goes on when this fade has ended
  alignas(16) float responses[3][kTapRoom + kMostChannels * 2 * kPad]{};
  alignas(16) float history[kHistoryRoom]{};  // [channel][twice]
  alignas(16) float work[kMostSamples]{};
  alignas(16) float faded_in[kMostSamples]{};
  alignas(16) float partial[kPartialRoom]{};
};

}  // namespace ringwave::live
