// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/core/out_of_line.hpp"
#include "ringwave/synth/voice_group.hpp"
#include "ringwave/synth/voice_math.hpp"

namespace ringwave::synth {

/// A voice in a block: how it is, and what happens to it next.
struct VoiceInBlock {
  VoiceRule::State state{};
  int patch = 0;
  int event = -1;       ///< the next one of the block's
  int event_frame = 0;  ///< when it happens; the block's frames where none does
};

/// The same while it plays.
struct PlayingVoice : VoiceInBlock {
  VoiceRule::Constants constants{};  ///< of its patch, of which a frame needs few: in registers
};

/// What the voices of a block have in common.
struct VoicePass {
  const VoiceRule::Constants* patches = nullptr;
  const VoiceEvent* events = nullptr;  ///< by station, then by voice, then in time
  int event_count = 0;
  int frames = 0;

  /// Some frames of a voice, all of one control step, which `in_step` of it come after: `put(n, frame)`.
  /// False, and nothing put, where it is silent.
  template <class Put>
  [[nodiscard]] RW_HOST_DEVICE bool play(PlayingVoice& voice, int first, int count, int in_step,
                                         const Put& put) const {
    if (voice.event_frame < first + count) {
      play_events(voice, first, count, in_step, put);
      return true;
    }
    if (VoiceRule::is_silent(voice.state)) return false;
    if (in_step == 0) VoiceRule::control(patches[voice.patch], voice.state);
    play_on(voice.constants, voice.state, count, put);
    return true;
  }

  /// The same by a group of lanes, all of which have the voice, for `length` frames from `first` on; each
  /// puts frames of its own, zeros where the voice is silent. `near` is a copy of the patch that it begins
  /// with, which is read at every step. A group that is a pair may put other lanes' frames.
  ///
  ///   played(int frame, const State& state)
  ///       after some of them, and wherever a chunk ends: the frame that comes next, and what the voice is
  ///       there, in the lane that keeps it
  template <class Put, class Played>
  RW_HOST_DEVICE void play_together(const VoiceGroup& group, VoiceInBlock& voice,
                                    const VoiceRule::Constants& near, std::int64_t clock, int first,
                                    int length, const Put& put, const Played& played) const {
    constexpr int kStep = VoiceRule::kControlFrames;
    const int begun = voice.patch;
    ControlAhead ahead;
    int ahead_from = 0;
    int ahead_to = 0;
    int count = 0;
    for (int done = 0; done < length; done += count) {
      const auto in_step = static_cast<int>((clock + done) % kStep);
      const auto put_here = [put, done](int n, VoiceRule::Frame frame) { put(done + n, frame); };
      if constexpr (VoiceGroup::width() == 1) {
        count = least(kStep - in_step, length - done);
        play_apart(group, voice, first + done, count, in_step, put_here);
        played(done + count, voice.state);
        continue;
      }
      if (voice.event_frame <= first + done) take_events(voice, first + done);
      const VoiceRule::Constants& c = voice.patch == begun ? near : patches[voice.patch];
      const int left = group.least(least(voice.event_frame - first, length) - done);  // as nothing happens
      // Several control steps at once, up to the one in which something happens.
      if (in_step == 0 && done >= ahead_to && left >= 2 * kStep &&
          group.both(ControlAhead::is_possible(c, clock + done, left - left % kStep))) {
        ahead_from = done;
        ahead_to = done + left - left % kStep;
        const VoiceRule::State apart =
            voice.state;  // which lies in memory then; the voice stays in registers
        work_out(group, c, apart, (ahead_to - ahead_from) / kStep, ahead);
      }
      const bool is_ahead = done < ahead_to;
      const int step = (done - ahead_from) / kStep;
      // Two steps end where a chunk does.
      if (group.is_pair && is_ahead && (clock + done) % (2 * kStep) == 0 && done + 2 * kStep <= ahead_to &&
          play_pair(group, c, ahead, step, voice.state, put_here)) {
        count = 2 * kStep;
        played(done + count, voice.state);
        continue;
      }
      count = least(kStep - in_step, left);
      if (is_ahead)
        ahead.control(group, voice.state, step);
      else if (in_step == 0)
        control_together(group, c, voice.state);
      EnvelopeRule::Run amp(c.amp, voice.state.amp);
      float level = 0;
      if (group.both(amp.glide(count, group.lane, level))) {
        voice.state.amp = amp.state();
        play_frames(group, c, voice.state, count, level, put_here);
      } else {
        constexpr int kWithin = 1;  // a control step: its beginning is over
        VoiceInBlock apart = voice;
        play_apart(group, apart, first + done, count, kWithin, put_here);
        voice = apart;
      }
      played(done + count, voice.state);
    }
  }

  /// Which waves a voice has: lanes with the same ones should lie side by side. Below kRanks.
  static constexpr int kRanks = 16;
  [[nodiscard]] RW_HOST_DEVICE static int rank_of(const VoiceRule::Constants& constants) {
    return static_cast<int>(constants.waves[0]) * 4 + static_cast<int>(constants.waves[1]);
  }

  /// The next control steps of a voice.
  RW_HOST_DEVICE RW_OUT_OF_LINE static void work_out(const VoiceGroup& group,
                                                     const VoiceRule::Constants& near,
                                                     const VoiceRule::State& state, int steps,
                                                     ControlAhead& ahead) {
    ahead = ControlAhead(group, near, state, steps);
  }

 private:
  /// Every lane all frames, and it puts its own. Rare, and long: the way of most steps does not lead round
  /// it.
  template <class Put>
  RW_HOST_DEVICE RW_OUT_OF_LINE void play_apart(const VoiceGroup& group, VoiceInBlock& kept, int first,
                                                int count, int in_step, const Put& put) const {
    PlayingVoice voice;
    static_cast<VoiceInBlock&>(voice) = kept;
    voice.constants = patches[voice.patch];
    const bool sounds = play(voice, first, count, in_step, [&](int n, VoiceRule::Frame frame) {
      if (n % VoiceGroup::width() == group.lane) put(n, frame);
    });
    kept = voice;
    if (sounds) return;
    for (int n = group.lane; n < count; n += VoiceGroup::width()) put(n, {0, 0});
  }

  template <class Put>
  RW_HOST_DEVICE void play_events(PlayingVoice& voice, int first, int count, int in_step,
                                  const Put& put) const {
    for (int n = 0; n < count; ++n) {
      if (voice.event_frame <= first + n) {
        const int begun = voice.patch;
        take_events(voice, first + n);
        if (voice.patch != begun) voice.constants = patches[voice.patch];
      }
      VoiceRule::Frame frame{};
      if (!VoiceRule::is_silent(voice.state)) {
        if (in_step + n == 0) VoiceRule::control(patches[voice.patch], voice.state);
        frame = VoiceRule::step(voice.constants, voice.state);
      }
      put(n, frame);
    }
  }

  /// What happens at a frame. Before it nothing is left: whoever gave events out of order is heard late.
  RW_HOST_DEVICE void take_events(VoiceInBlock& voice, int frame) const {
    while (voice.event_frame <= frame) {
      const VoiceEvent happening = events[voice.event];
      if (happening.kind == VoiceEvent::Kind::begin) voice.patch = happening.patch;
      VoiceRule::happen(patches[voice.patch], voice.state, happening);
      ++voice.event;
      const bool has_more = voice.event < event_count && events[voice.event].station == happening.station &&
                            events[voice.event].voice == happening.voice;
      voice.event_frame = has_more ? events[voice.event].frame : frames;
    }
  }

  [[nodiscard]] RW_HOST_DEVICE static int least(int a, int b) { return a < b ? a : b; }

  /// Some frames without an event, a lane a frame, of which the first envelope's `level` is known. What goes
  /// from frame to frame, the filter, every lane does for all of them: so each has what the voice is after
  /// the last.
  template <class Put>
  RW_HOST_DEVICE static void play_frames(const VoiceGroup& group, const VoiceRule::Constants& c,
                                         VoiceRule::State& state, int count, float level, const Put& put) {
    const int own = group.lane;
    VoiceRule::State mine = state;  // at the lane's frame
    go_on(group, c, VoiceRule::kControlFrames - 1, own, mine);
    for (int i = 0; i < 2; ++i) state.phases[i] += static_cast<Phase>(count) * state.steps[i];
    if (c.hisses)
      state.noise = VoiceRule::NoiseJump::of_frames(static_cast<std::uint32_t>(count)).after(state.noise);
    const float x = VoiceRule::source(c, mine);
    const SvfRule::Constants constants{mine.now.g, mine.now.k};
    const SvfRule::Gains gains = SvfRule::gains_of(constants);
    SvfRule::Poles own_poles{};
    const auto step = [&](int n) {
      const SvfRule::Poles poles =
          SvfRule::advance({group.from(gains.first, n), group.from(gains.second, n), group.from(gains.g, n)},
                           state.filter, group.from(x, n));
      if (n == own) own_poles = poles;
    };
    if (count == VoiceRule::kControlFrames) {
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
      for (int n = 0; n < VoiceRule::kControlFrames; ++n) step(n);
    } else {
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
      for (int n = 0; n < count; ++n) step(n);
    }
    if (own < count) {
      const VoiceRule::Frame frame =
          VoiceRule::heard(c.response, mine.now, SvfRule::out_of(constants, x, own_poles), level);
      put(own, VoiceRule::is_silent(state) ? VoiceRule::Frame{0, 0} : frame);
    }
    mine.now.advance(state.slope);
    state.now = group.from(mine.now, count - 1);
  }

  /// Two control steps of a voice that both halves of a warp have, each with one of them, a lane a frame.
  /// False, and nothing is changed, where a stage of the first envelope ends meanwhile. What a control step
  /// sets anew is then in each half as its own step has it: as it is after both, in the second.
  template <class Put>
  RW_HOST_DEVICE static bool play_pair(const VoiceGroup& group, const VoiceRule::Constants& c,
                                       const ControlAhead& ahead, int step, VoiceRule::State& state,
                                       const Put& put) {
    constexpr int kFrames = 2 * VoiceRule::kControlFrames;
    const int own = group.half * VoiceRule::kControlFrames + group.lane;
    VoiceRule::State mine = state;  // at the half's step
    ahead.control(group, mine, step);
    VoiceRule::State next = mine;
    go_on(group, c, VoiceRule::kControlFrames, VoiceRule::kControlFrames, next);
    ahead.control(group, next, step + 1);
    if (group.half != 0) mine = next;
    // At the lane's frame.
    go_on(group, c, VoiceRule::kControlFrames - 1, group.lane, mine);
    const float x = VoiceRule::source(c, mine);
    const SvfRule::Constants constants{mine.now.g, mine.now.k};
    const SvfRule::Gains gains = SvfRule::gains_of(constants);
    // What goes from frame to frame, every lane does for all of them.
    EnvelopeRule::Run amp(c.amp, state.amp);
    SvfRule::State filter = state.filter;
    SvfRule::Poles own_poles{};
    float own_level = 0;
#if defined(__CUDA_ARCH__)
#pragma unroll 8
#endif
    for (int n = 0; n < kFrames; ++n) {
      const float first = group.from_both(gains.first, n);
      const float g = group.from_both(gains.g, n);
      const SvfRule::Poles poles = SvfRule::advance({first, g * first, g}, filter, group.from_both(x, n));
      const float level = amp.slide();
      if (n == own) {
        own_poles = poles;
        own_level = level;
      }
    }
    if (!group.both(amp.holds())) return false;
    const VoiceRule::Frame frame =
        VoiceRule::heard(c.response, mine.now, SvfRule::out_of(constants, x, own_poles), own_level);
    put(own, VoiceRule::is_silent(state) ? VoiceRule::Frame{0, 0} : frame);
    constexpr int kLast = kFrames - 1;
    mine.now.advance(mine.slope);
    mine.now = group.from_both(mine.now, kLast);
    for (int i = 0; i < 2; ++i) mine.phases[i] = group.from_both(mine.phases[i], kLast);
    mine.noise = group.from_both(mine.noise, kLast);
    mine.filter = filter;
    mine.amp = amp.state();
    // What control steps go on from.
    for (int i = 0; i < VoiceRule::kSlowEnvelopes; ++i) mine.slow_envelopes[i] = next.slow_envelopes[i];
    mine.pitch = next.pitch;
    for (int i = 0; i < 2; ++i) mine.lfo_phases[i] = next.lfo_phases[i];
    state = mine;
    return true;
  }

  /// A lane goes on by `frames`, of up to `most` that any lane of either half goes, but for what every lane
  /// does for all.
  RW_HOST_DEVICE static void go_on(const VoiceGroup& group, const VoiceRule::Constants& c, int most,
                                   int frames, VoiceRule::State& state) {
    if (group.both(state.slope.is_still_but_g())) {
      for (int n = 0; n < most; ++n)
        if (n < frames) state.now.g += state.slope.g;
    } else {
#if defined(__CUDA_ARCH__)
#pragma unroll 4
#endif
      for (int n = 0; n < most; ++n)
        if (n < frames) state.now.advance(state.slope);
    }
    for (int i = 0; i < 2; ++i) state.phases[i] += static_cast<Phase>(frames) * state.steps[i];
    if (c.hisses)
      state.noise = VoiceRule::NoiseJump::of_frames(static_cast<std::uint32_t>(frames)).after(state.noise);
  }

  /// Some frames without an event, where the waves are known to the compiler: then a frame has no branch, and
  /// the oscillators of one are computed while the filter of another waits.
  template <Patch::Wave first, Patch::Wave second, class Put>
  RW_HOST_DEVICE static void play_waves(const VoiceRule::Constants& constants, VoiceRule::State& state,
                                        int count, const Put& put) {
    VoiceRule::Constants known = constants;
    known.waves[0] = first;
    known.waves[1] = second;
    known.hisses = false;
    EnvelopeRule::Run amp(known.amp, state.amp);
#if defined(__CUDA_ARCH__)
#pragma unroll 2
#endif
    for (int n = 0; n < count; ++n) put(n, VoiceRule::sound(known, state, amp.step(known.amp)));
    state.amp = amp.state();
  }

  template <Patch::Wave first, class Put>
  RW_HOST_DEVICE static void play_second(const VoiceRule::Constants& constants, VoiceRule::State& state,
                                         int count, const Put& put) {
    switch (constants.waves[1]) {
      case Patch::Wave::sine:
        return play_waves<first, Patch::Wave::sine>(constants, state, count, put);
      case Patch::Wave::triangle:
        return play_waves<first, Patch::Wave::triangle>(constants, state, count, put);
      case Patch::Wave::saw:
        return play_waves<first, Patch::Wave::saw>(constants, state, count, put);
      case Patch::Wave::pulse:
        return play_waves<first, Patch::Wave::pulse>(constants, state, count, put);
    }
  }

  template <class Put>
  RW_HOST_DEVICE static void play_on(const VoiceRule::Constants& constants, VoiceRule::State& state,
                                     int count, const Put& put) {
    if (constants.hisses) {
      for (int n = 0; n < count; ++n) put(n, VoiceRule::step(constants, state));
      return;
    }
    switch (constants.waves[0]) {
      case Patch::Wave::sine:
        return play_second<Patch::Wave::sine>(constants, state, count, put);
      case Patch::Wave::triangle:
        return play_second<Patch::Wave::triangle>(constants, state, count, put);
      case Patch::Wave::saw:
        return play_second<Patch::Wave::saw>(constants, state, count, put);
      case Patch::Wave::pulse:
        return play_second<Patch::Wave::pulse>(constants, state, count, put);
    }
  }
};

}  // namespace ringwave::synth
