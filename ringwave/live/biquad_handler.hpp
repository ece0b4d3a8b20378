// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "ringwave/core/host_device.hpp"
#include "ringwave/core/realtime.hpp"
#include "ringwave/dsp/biquad_math.hpp"
#include "ringwave/live/sample_copy.hpp"
#include "ringwave/ring/context.hpp"
#include "ringwave/ring/message.hpp"

namespace ringwave::live {

/// What a section's states become without input:  s' = M s.
struct Transition {
  double a = 1, b = 0, c = 0, d = 1;  ///< row by row

  /// This one after `other`. [ring]
  [[nodiscard]] RW_HOST_DEVICE constexpr Transition after(const Transition& other) const {
    return {a * other.a + b * other.c, a * other.b + b * other.d, c * other.a + d * other.c,
            c * other.b + d * other.d};
  }
};

/// One sample of step() of biquad_math.hpp. [ring]
[[nodiscard]] RW_HOST_DEVICE constexpr Transition transition_of(const dsp::Recurrence& r) {
  return {-r.a1, 1, -r.a2, 0};
}

/// A cascade of second-order sections as a ring kernel: a block comes as a message and goes as its reply.
/// What dsp::Biquad says holds here too.
///
/// On a GPU a channel is a warp. Its lanes take a stretch of up to 16 frames each and, section by section,
/// run it from rest, find the states at its beginning by a scan over the lanes, and run it from there. While
/// the sections change a channel is a lane, sample after sample.
struct BiquadHandler {
  static constexpr const char* kName = "live_biquad";
  static constexpr int kMostChannels = 64;
  static constexpr int kMostSections = 16;
  static constexpr int kMostSamples = static_cast<int>(ring::kMostPayloadBytes / sizeof(float));

  enum Type : std::uint32_t {
    kBlock,     // channel after channel; the argument is their frames; replies with as many samples
    kSections,  // as many sections as there are; goes there from where it is, over smooth_frames
    kReset,     // forgets the past and ends a change
  };

  int channels = 1;
  int sections = 1;
  int smooth_frames = 0;

  RW_HOST_DEVICE void on_message(ring::Context& context, const ring::Message& message) {
    switch (message.type()) {
      case kBlock:
        return take_block(context, message);
      case kSections:
        return take_sections(context, message);
      case kReset:
        return reset(context);
      default:
        context.refuse();
    }
  }

  /// Begins with these sections; before the first message. [setup]
  void begin_with(const dsp::Section* first) {
    for (int i = 0; i < sections; ++i) {
      from[i] = to[i] = first[i];
      recurrences[i] = dsp::recurrence_of(first[i]);
    }
  }

 private:
  static constexpr int kWarp = 32;
  static constexpr int kMostChunk = 16;
  static constexpr int kScanSteps = 5;  // over a warp

  RW_HOST_DEVICE void take_block(ring::Context& context, const ring::Message& message) {
    const auto frames = static_cast<int>(message.argument());
    if (frames < 1 || frames > kMostSamples / channels ||
        message.bytes() != sizeof(float) * static_cast<std::size_t>(channels * frames))
      return context.refuse();
#if !defined(__CUDA_ARCH__)
    const FlushSubnormals flush;
#endif
    const bool glides = glide_done < glide_frames;
    const int chunk = (frames + kWarp - 1) / kWarp < kMostChunk ? (frames + kWarp - 1) / kWarp : kMostChunk;
    const bool needs_powers = powers_chunk != chunk;
    copy_samples(context, work, reinterpret_cast<const float*>(message.data()), channels * frames);
    context.sync();
    if (glides)
      glide(context, frames);
    else
      filter(context, frames, chunk, needs_powers);
    reply_samples(context, work, channels * frames);
    if (glides && context.lane() == 0)
      glide_done = frames >= glide_frames - glide_done ? glide_frames : glide_done + frames;
  }

  RW_HOST_DEVICE void take_sections(ring::Context& context, const ring::Message& message) {
    auto given = message.view<dsp::Section>();
    if (message.bytes() != sizeof(dsp::Section) * static_cast<std::size_t>(sections)) return context.refuse();
    const double share = dsp::glide_share(glide_done, glide_frames);
    for (int i = context.lane(); i < sections; i += context.lanes()) {
      from[i] = dsp::between(from[i], to[i], share);
      to[i] = given[static_cast<std::size_t>(i)];
      recurrences[i] = dsp::recurrence_of(to[i]);
    }
    context.sync();  // all lanes have read how far the last change was
    if (context.lane() != 0) return;
    glide_frames = smooth_frames;
    glide_done = 0;
    powers_chunk = 0;
  }

  RW_HOST_DEVICE void reset(ring::Context& context) {
    for (int i = context.lane(); i < kMostChannels * kMostSections * 2; i += context.lanes()) states[i] = 0;
    if (context.lane() == 0) glide_done = glide_frames;
  }

  /// The two states of a section of a channel.
  [[nodiscard]] RW_HOST_DEVICE double* states_of(int channel, int section) {
    return states + 2 * (channel * kMostSections + section);
  }

  RW_HOST_DEVICE void glide(const ring::Context& context, int frames) {
    for (int channel = context.lane(); channel < channels; channel += context.lanes()) {
      float* const samples = work + channel * frames;
      for (int n = 0; n < frames; ++n) {
        const double share = dsp::glide_share(glide_done + n + 1, glide_frames);
        double x = static_cast<double>(samples[n]);
        for (int i = 0; i < sections; ++i) {
          double* const s = states_of(channel, i);
          x = dsp::step(dsp::recurrence_of(dsp::between(from[i], to[i], share)), x, s[0], s[1]);
        }
        samples[n] = static_cast<float>(x);
      }
    }
  }

  RW_HOST_DEVICE void filter(const ring::Context& context, int frames, int chunk, bool needs_powers) {
#if defined(__CUDA_ARCH__)
    if (needs_powers) {
      for (int i = context.lane(); i < sections; i += context.lanes()) raise(i, chunk);
      if (context.lane() == 0) powers_chunk = chunk;
      context.sync();
    }
    for (int channel = context.lane() / kWarp; channel < channels; channel += context.lanes() / kWarp)
      for (int first = 0; first < frames; first += kWarp * chunk)
        filter_stretch(channel, work + channel * frames + first, min(kWarp * chunk, frames - first), chunk,
                       context.lane() % kWarp);
#else
    static_cast<void>(context), static_cast<void>(chunk), static_cast<void>(needs_powers);
    for (int channel = 0; channel < channels; ++channel) {
      float* const samples = work + channel * frames;
      for (int n = 0; n < frames; ++n) {
        double x = static_cast<double>(samples[n]);
        for (int i = 0; i < sections; ++i) {
          double* const s = states_of(channel, i);
          x = dsp::step(recurrences[i], x, s[0], s[1]);
        }
        samples[n] = static_cast<float>(x);
      }
    }
#endif
  }

#if defined(__CUDA_ARCH__)
  /// The steps of a scan over chunks of that length: M to the power of chunk, 2 chunk … 16 chunk.
  __device__ void raise(int section, int chunk) {
    const Transition one = transition_of(recurrences[section]);
    Transition power = one;
    for (int n = 1; n < chunk; ++n) power = one.after(power);
    for (Transition& step : powers[section]) {
      step = power;
      power = power.after(power);
    }
  }

  /// Up to 32 chunks of a channel, one a lane, by one warp.
  __device__ void filter_stretch(int channel, float* samples, int count, int chunk, int lane) {
    const int last = (count - 1) / chunk;  // the lane with the last sample; only its chunk may be shorter
    const int mine = min(max(count - lane * chunk, 0), chunk);
    double x[kMostChunk];
#pragma unroll
    for (int n = 0; n < kMostChunk; ++n) x[n] = n < mine ? static_cast<double>(samples[lane * chunk + n]) : 0;
    for (int i = 0; i < sections; ++i) {
      const dsp::Recurrence r = recurrences[i];
      double* const kept = states_of(channel, i);
      // Lane 0 goes on from where the channel was, the others from rest: then the scan carries both along.
      const double before1 = lane == 0 ? kept[0] : 0;
      const double before2 = lane == 0 ? kept[1] : 0;
      double v1 = before1;
      double v2 = before2;
#pragma unroll
      for (int n = 0; n < kMostChunk; ++n) {
        if (n >= chunk) break;  // for all lanes at once
        if (n < mine) dsp::step(r, x[n], v1, v2);
      }
#pragma unroll
      for (int step = 0; step < kScanSteps; ++step) {
        const Transition power = powers[i][step];
        const double u1 = __shfl_up_sync(~0U, v1, 1U << step);
        const double u2 = __shfl_up_sync(~0U, v2, 1U << step);
        if (lane >= 1 << step) {
          v1 += power.a * u1 + power.b * u2;
          v2 += power.c * u1 + power.d * u2;
        }
      }
      double s1 = __shfl_up_sync(~0U, v1, 1);
      double s2 = __shfl_up_sync(~0U, v2, 1);
      if (lane == 0) {
        s1 = before1;
        s2 = before2;
      }
#pragma unroll
      for (int n = 0; n < kMostChunk; ++n) {
        if (n >= chunk) break;
        if (n < mine) x[n] = dsp::step(r, x[n], s1, s2);
      }
      if (lane == last) {
        kept[0] = s1;
        kept[1] = s2;
      }
    }
#pragma unroll
    for (int n = 0; n < kMostChunk; ++n)
      if (n < mine) samples[lane * chunk + n] = static_cast<float>(x[n]);
    __syncwarp();  // the next stretch begins with these states
  }
#endif

  int glide_frames = 0;
  int glide_done = 0;
  int powers_chunk = 0;  // that `powers` are for; 0: none
  dsp::Section from[kMostSections]{};
  dsp::Section to[kMostSections]{};
  dsp::Recurrence recurrences[kMostSections]{};
  Transition powers[kMostSections][kScanSteps]{};
  double states[kMostChannels * kMostSections * 2]{};  // [channel][section][s1, s2]
  alignas(16) float work[kMostSamples]{};
};

}  // namespace ringwave::live
