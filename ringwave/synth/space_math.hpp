// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ringwave/dsp/approx_math.hpp"
#include "ringwave/dsp/delay_line_math.hpp"
#include "ringwave/synth/knob_math.hpp"

namespace ringwave::synth {

/// The rule of a station's chorus, echo and room. Every line is longer than a chunk and damped by three taps
/// instead of a recursion, so that no frame of a chunk waits for another one: a warp does a chunk at once.
///
///   chorus  two readers a side that wander around 12 ms, through the four samples nearest to each
///   echo    one line, heard at its end on the left and at two thirds on the right, fed back damped
///   room    eight lines of prime lengths that feed each other by a Householder matrix, each with a gain that
///           makes it 60 dB softer after the decay
struct SpaceRule {
  static constexpr int kLines = 8;
  static constexpr int kChorusReaders = 2;  // a side

  /// Where a station's samples lie, at a sample rate: rings all, of which the first kGuard samples lie once
  /// more behind the last, so that neighbours are read in one go. A station has floats() of them.
  struct Layout {
    static constexpr int kGuard = 3;

    int chorus_size = 0;  ///< of one side
    int delay_size = 0;
    int line_sizes[kLines] = {};

    [[nodiscard]] RW_HOST_DEVICE int right_at() const { return chorus_size + kGuard; }
    [[nodiscard]] RW_HOST_DEVICE int delay_at() const { return 2 * right_at(); }
    [[nodiscard]] RW_HOST_DEVICE int lines_at() const { return delay_at() + delay_size + kGuard; }
    [[nodiscard]] RW_HOST_DEVICE int floats() const {
      int sum = lines_at();
      for (int i = 0; i < kLines; ++i) sum += line_sizes[i] + kGuard;
      return sum;
    }
  };

  /// Where the next frame is written in each ring.
  struct Places {
    int chorus = 0;
    int delay = 0;
    int lines[kLines] = {};

    /// Goes on by at most a chunk.
    RW_HOST_DEVICE void advance(const Layout& layout, int frames) {
      chorus = wrapped(chorus + frames, layout.chorus_size);
      delay = wrapped(delay + frames, layout.delay_size);
      for (int i = 0; i < kLines; ++i) lines[i] = wrapped(lines[i] + frames, layout.line_sizes[i]);
    }
  };

  /// At a frame of a clock. [any]
  [[nodiscard]] static Places places_at(const Layout& layout, std::int64_t clock) noexcept {
    Places made;
    made.chorus = static_cast<int>(clock % layout.chorus_size);
    made.delay = static_cast<int>(clock % layout.delay_size);
    for (int i = 0; i < kLines; ++i) made.lines[i] = static_cast<int>(clock % layout.line_sizes[i]);
    return made;
  }

  /// Of a sample rate.
  struct Rates {
    Layout layout{};
    float chorus_frames = 0;  ///< around which the readers wander
    float glide = 1;          ///< share of the way to a new setting that is gone in a chunk
  };

  struct Constants {
    float chorus = 0;  ///< what is heard of a reader
    float depth_frames = 0;
    std::uint32_t turn = 0;  ///< of the readers' phase in a frame, in 2^-32 turns
    float delay = 0;         ///< what is heard of the echo
    float feedback = 0;
    int delay_frames = kChunkFrames + 2;
    int right_frames = kChunkFrames + 2;
    float room = 0;            ///< what is heard of each line
    float gains[kLines] = {};  ///< of the way round
    float damp = 0;            ///< of the two outer taps, 0 to 1/4
  };

  struct State {
    Knob chorus{};
    Knob delay{};
    Knob feedback{};
    Knob room{};
    int delay_frames = kChunkFrames + 2;
    int right_frames = kChunkFrames + 2;
    std::uint32_t clock = 0;  ///< of the station, at the beginning of the chunk
  };

  /// What a frame leaves in the rings.
  struct Fresh {
    float delay;
    float lines[kLines];
  };

  /// What the rings have for a frame. All of it was there before its chunk began.
  struct Past {
    float readers[2 * kChorusReaders][4] = {};  ///< left, right, left, right; the oldest first
    float between[2 * kChorusReaders] = {};     ///< how far each is from the second oldest to the one before
    float delay[3] = {};                        ///< at its end, the oldest first
    float right = 0;
    float lines[kLines][3] = {};  ///< the oldest first
  };

  RW_HOST_DEVICE static void start(const Constants& c, State& state) {
    state = State{};
    state.chorus.jump(c.chorus);
    state.delay.jump(c.delay);
    state.feedback.jump(c.feedback);
    state.room.jump(c.room);
    state.delay_frames = c.delay_frames;
    state.right_frames = c.right_frames;
    state.clock = 0U - kChunkFrames;
  }

  /// A chunk begins. An echo of another length comes in where the one before has faded.
  RW_HOST_DEVICE static void advance(const Rates& rates, const Constants& c, State& state) {
    state.clock += kChunkFrames;
    const bool is_moving = state.delay_frames != c.delay_frames;
    state.chorus.advance(c.chorus, rates.glide);
    state.delay.advance(is_moving ? 0.0F : c.delay, rates.glide);
    state.feedback.advance(is_moving ? 0.0F : c.feedback, rates.glide);
    state.room.advance(c.room, rates.glide);
    if (is_moving && state.delay.to < 1e-3F && state.feedback.to < 1e-3F) {
      state.delay_frames = c.delay_frames;
      state.right_frames = c.right_frames;
    }
  }

  /// What the rings have for frame `frame` of the chunk, which is `ahead` of the places. Any time after the
  /// chunk before was written and before the frame's own is.
  [[nodiscard]] RW_HOST_DEVICE static Past look(const Rates& rates, const Constants& c, const State& state,
                                                const Places& places, const float* memory, int frame,
                                                int ahead) {
    Past past;
    look_chorus(rates, c, state, places, memory, frame, ahead, past);
    look_delay(rates, state, places, memory, ahead, past);
    const float* line = memory + rates.layout.lines_at();
    for (int i = 0; i < kLines; ++i) {
      const int size = rates.layout.line_sizes[i];
      // The line is two shorter than its ring: the oldest three are the next places.
      const float* const here = line + wrapped(places.lines[i] + ahead, size);
      for (int k = 0; k < 3; ++k) past.lines[i][k] = here[1 + k];
      line += size + Layout::kGuard;
    }
    return past;
  }

  /// What is heard at a frame, and what it leaves.
  [[nodiscard]] RW_HOST_DEVICE static StereoFrame hear(const Constants& c, const State& state,
                                                       const Past& past, int frame, StereoFrame x,
                                                       Fresh& fresh) {
    StereoFrame y = x;
    chorus(state, past, frame, y);
    const float in = (x.left + x.right) * 0.5F;
    const float echo = delay(state, past, frame, in, y, fresh);
    room(c, state, past, frame, in + 0.5F * echo, y, fresh);
    return y;
  }

  /// Once all frames that are done at once have looked: what the chorus will read.
  RW_HOST_DEVICE static void listen(const Layout& layout, const Places& places, float* memory, int ahead,
                                    StereoFrame x) {
    const int place = wrapped(places.chorus + ahead, layout.chorus_size);
    put(memory, layout.chorus_size, place, x.left);
    put(memory + layout.right_at(), layout.chorus_size, place, x.right);
  }

  /// And what a frame leaves.
  RW_HOST_DEVICE static void write(const Layout& layout, const Places& places, float* memory, int ahead,
                                   const Fresh& fresh) {
    put(memory + layout.delay_at(), layout.delay_size, wrapped(places.delay + ahead, layout.delay_size),
        kept(fresh.delay));
    float* line = memory + layout.lines_at();
    for (int i = 0; i < kLines; ++i) {
      const int size = layout.line_sizes[i];
      put(line, size, wrapped(places.lines[i] + ahead, size), kept(fresh.lines[i]));
      line += size + Layout::kGuard;
    }
  }

 private:
  [[nodiscard]] RW_HOST_DEVICE static int wrapped(int place, int size) {
    return place >= size ? place - size : place;
  }

  RW_HOST_DEVICE static void put(float* ring, int size, int place, float x) {
    ring[place] = x;
    if (place < Layout::kGuard) ring[place + size] = x;
  }

  /// What may go round: a finite number, far from anything that was played.
  [[nodiscard]] RW_HOST_DEVICE static float kept(float x) { return x < 64 && x > -64 ? x : 0.0F; }

  /// Below its cutoff it is what it was; at half the sample rate 1 - 4 damp.
  [[nodiscard]] RW_HOST_DEVICE static float damped(float damp, float before, float middle, float after) {
    return middle + damp * (before - middle + (after - middle));
  }

  RW_HOST_DEVICE static void look_chorus(const Rates& rates, const Constants& c, const State& state,
                                         const Places& places, const float* memory, int frame, int ahead,
                                         Past& past) {
    const int size = rates.layout.chorus_size;
    const std::uint32_t phase = (state.clock + static_cast<std::uint32_t>(frame)) * c.turn;
    const float turned[2] = {c.depth_frames * dsp::approx::sine_of_phase(phase),
                             c.depth_frames * dsp::approx::sine_of_phase(phase + 0x4000'0000U)};
    for (int i = 0; i < 2 * kChorusReaders; ++i) {  // left, right, left, right, each a quarter turn on
      const float away = rates.chorus_frames + (i < 2 ? turned[i % 2] : -turned[i % 2]);
      const int whole = static_cast<int>(away);
      past.between[i] = away - static_cast<float>(whole);
      const int oldest = wrapped(places.chorus + ahead, size) - whole - 2;
      const float* const line =
          memory + (i % 2) * rates.layout.right_at() + (oldest < 0 ? oldest + size : oldest);
      for (int k = 0; k < 4; ++k) past.readers[i][k] = line[k];
    }
  }

  RW_HOST_DEVICE static void look_delay(const Rates& rates, const State& state, const Places& places,
                                        const float* memory, int ahead, Past& past) {
    const int size = rates.layout.delay_size;
    const float* const line = memory + rates.layout.delay_at();
    const int here = wrapped(places.delay + ahead, size);
    const auto ago = [line, size, here](int frames) {
      return line + (here >= frames ? here - frames : here - frames + size);
    };
    const float* const oldest = ago(state.delay_frames + 1);
    for (int k = 0; k < 3; ++k) past.delay[k] = oldest[k];
    past.right = *ago(state.right_frames);
  }

  RW_HOST_DEVICE static void chorus(const State& state, const Past& past, int frame, StereoFrame& y) {
    float sums[2] = {};
    for (int i = 0; i < 2 * kChorusReaders; ++i) {
      const float* const line = past.readers[i];
      const float p[4] = {line[3], line[2], line[1], line[0]};
      sums[i % 2] += dsp::cubic_between(p, past.between[i]);
    }
    const float level = state.chorus.at(frame);
    y.left += level * sums[0];
    y.right += level * sums[1];
  }

  [[nodiscard]] RW_HOST_DEVICE static float delay(const State& state, const Past& past, int frame, float in,
                                                  StereoFrame& y, Fresh& fresh) {
    constexpr float kDamp = 0.12F;
    const float end = damped(kDamp, past.delay[0], past.delay[1], past.delay[2]);
    const float level = state.delay.at(frame);
    y.left += level * end;
    y.right += level * past.right;
    fresh.delay = in + state.feedback.at(frame) * end;
    return level * end;
  }

  RW_HOST_DEVICE static void room(const Constants& c, const State& state, const Past& past, int frame,
                                  float in, StereoFrame& y, Fresh& fresh) {
    float sum = 0;
    float left = 0;
    float right = 0;
    for (int i = 0; i < kLines; ++i) {
      const float middle = past.lines[i][1];
      const float back = c.gains[i] * damped(c.damp, past.lines[i][0], middle, past.lines[i][2]);
      left += (i & 1) == 0 ? middle : -middle;
      right += (i & 2) == 0 ? middle : -middle;
      sum += back;
      fresh.lines[i] = back + (i % 3 == 0 ? in : -in);
    }
    for (int i = 0; i < kLines; ++i) fresh.lines[i] -= sum * (2.0F / kLines);
    const float level = state.room.at(frame);
    y.left += level * left;
    y.right += level * right;
  }
};

}  // namespace ringwave::synth
