// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <memory>
#include <numbers>
#include <span>
#include <vector>

#include "bench/faust_voice.hpp"
#include "bench/keep.hpp"
#include "bench/table.hpp"
#include "ringwave/core/realtime.hpp"
#include "ringwave/synth/built_in_patches.hpp"
#include "ringwave/synth/renderer.hpp"
#include "ringwave/synth/voices_cpu.hpp"

namespace ringwave::bench {
namespace {

using synth::VoiceRule;
using synth::VoicesCpu;

constexpr int kRateHz = 48000;
constexpr int kFrames = 480;
constexpr std::size_t kVoices = 64;
constexpr float kVelocity = 0.8F;
/// Three hundred voices in real time, on one core: what one may take of a block's ten milliseconds.
constexpr double kMostNsPerVoice = 1e9 * kFrames / kRateHz / 300;

using Side = std::array<float, kFrames>;

float key_of(std::size_t voice) {
  return 40 + static_cast<float>(voice * 7 % 41);
}

VoiceRule::Start start_of(std::size_t voice) {
  return {.key = key_of(voice), .velocity = kVelocity, .seed = static_cast<std::uint32_t>(voice + 1)};
}

const VoiceRule::Constants& pad() {
  static const VoiceRule::Constants made(synth::patch_of_name("pad"), kRateHz);
  return made;
}

/// The pads of one station, side by side.
class Pads {
 public:
  Pads() : together_({&pad(), 1}, 1, kVoices), voices_(kVoices) {
    for (std::size_t i = 0; i < kVoices; ++i) VoiceRule::begin(pad(), voices_[i].state, start_of(i));
  }

  void play() {
    const FlushSubnormals flush;
    left_.fill(0);
    right_.fill(0);
    together_.sit(voices_, {});
    for (int first = 0; first < kFrames; first += synth::kChunkFrames) {
      together_.play(clock_ + first, first, synth::kChunkFrames);
      together_.add(0, chunk(left_, first), chunk(right_, first));
    }
    together_.leave();
    clock_ += kFrames;
    keep(left_.data());
  }

  /// One more block, beside VoiceRule, one voice after the other.
  Check check() {
    std::vector<VoicesCpu::Voice> truth = voices_;
    const std::int64_t clock = clock_;
    play();
    const FlushSubnormals flush;
    Side left{};
    Side right{};
    for (VoicesCpu::Voice& voice : truth)
      for (int n = 0; n < kFrames; ++n) {
        if ((clock + n) % VoiceRule::kControlFrames == 0) VoiceRule::control(pad(), voice.state);
        const VoiceRule::Frame frame = VoiceRule::step(pad(), voice.state);
        left[static_cast<std::size_t>(n)] += frame.left;
        right[static_cast<std::size_t>(n)] += frame.right;
      }
    const bool same = left == left_ && right == right_;
    return {same, same ? 0.0 : 1.0, same ? "exact" : "not what the rule makes of each voice"};
  }

 private:
  static std::span<float> chunk(Side& side, int first) {
    return std::span(side).subspan(static_cast<std::size_t>(first), synth::kChunkFrames);
  }

  VoicesCpu together_;
  std::vector<VoicesCpu::Voice> voices_;
  std::int64_t clock_ = 0;
  Side left_{};
  Side right_{};
};

/// The amplitude of a second at a frequency, under a Hann window.
double level_at(const std::vector<float>& second, double hz) {
  std::complex<double> sum = 0;
  for (std::size_t n = 0; n < second.size(); ++n) {
    const double turns = static_cast<double>(n) / kRateHz;
    sum += (1 - std::cos(2 * std::numbers::pi * turns)) * static_cast<double>(second[n]) *
           std::polar(1.0, -2 * std::numbers::pi * hz * turns);
  }
  return 2 * std::abs(sum) / kRateHz;
}

/// The fourth second of a middle A, from something that plays blocks.
template <class Play>
std::vector<float> fourth_second(Play play) {
  std::vector<float> second;
  Side left{};
  Side right{};
  for (int block = 0; block < 400; ++block) {
    play(left, right);
    if (block >= 300) second.insert(second.end(), left.begin(), left.end());
  }
  return second;
}

/// Pitch and level of a voice of Faust's: its lower saw is where ours is, to the two hertz of the window,
/// with nothing an octave and a half below, and all is as loud as ours.
Check check_faust(FaustVoice::Slow slow) {
  constexpr float kKey = 69;
  const auto faust = FaustVoice::try_make(slow, kKey, kVelocity, kRateHz);
  const std::vector<float> theirs =
      fourth_second([&](Side& left, Side& right) { faust->play(kFrames, left.data(), right.data()); });
  VoiceRule::State state;
  VoiceRule::begin(pad(), state, {.key = kKey, .velocity = kVelocity});
  int clock = 0;
  const std::vector<float> ours = fourth_second([&](Side& left, Side& right) {
    for (std::size_t n = 0; n < kFrames; ++n, ++clock) {
      if (clock % VoiceRule::kControlFrames == 0) VoiceRule::control(pad(), state);
      const VoiceRule::Frame frame = VoiceRule::step(pad(), state);
      left[n] = frame.left;
      right[n] = frame.right;
    }
  });
  const auto rms = [](const std::vector<float>& x) {
    double sum = 0;
    for (const float sample : x) sum += static_cast<double>(sample) * static_cast<double>(sample);
    return std::sqrt(sum / static_cast<double>(x.size()));
  };
  const double db = 20 * std::log10(rms(theirs) / rms(ours));
  const double low_hz = 440 * std::exp2(-7.0 / 1200);
  const bool in_tune = level_at(theirs, low_hz) > 100 * level_at(theirs, low_hz / 3);
  // The two saws beat, from phases of their own.
  constexpr double kMostDb = 3;
  const bool ok = in_tune && std::abs(db) < kMostDb;
  return {ok, std::abs(db), ok ? "in tune and as loud" : in_tune ? "not as loud" : "out of tune"};
}

Contender ours() {
  auto pads = std::make_shared<Pads>();
  return {"voices side by side", kVoices, timed([pads](std::size_t) { pads->play(); }),
          [pads] { return pads->check(); }};
}

/// Faust's voices, one after the other, added up.
Contender faust(const char* name, FaustVoice::Slow slow) {
  auto voices = std::make_shared<std::vector<std::unique_ptr<FaustVoice>>>();
  for (std::size_t i = 0; i < kVoices; ++i)
    voices->push_back(FaustVoice::try_make(slow, key_of(i), kVelocity, kRateHz));
  return {name, kVoices, timed([voices](std::size_t) {
            const FlushSubnormals flush;
            Side left{};
            Side right{};
            Side own_left;
            Side own_right;
            for (const auto& voice : *voices) {
              voice->play(kFrames, own_left.data(), own_right.data());
              for (std::size_t n = 0; n < kFrames; ++n) left[n] += own_left[n];
              for (std::size_t n = 0; n < kFrames; ++n) right[n] += own_right[n];
            }
            keep(left.data());
            keep(right.data());
          }),
          [slow] { return check_faust(slow); }};
}

Duel pads_duel() {
  Duel made;
  made.ours = ours();
  made.least_samples = 200;
  made.goal.at_most_ns = kMostNsPerVoice;
  if (FaustVoice::try_make(FaustVoice::Slow::every_frame, 60, 1, kRateHz) == nullptr) {
    made.notes.emplace_back("faust was not there when this was built: install faust to have it as a peer");
    return made;
  }
  made.peers.push_back(faust("faust -vec", FaustVoice::Slow::every_frame));
  made.peers.push_back(faust("faust -vec, slow parts once a block", FaustVoice::Slow::once_a_block));
  made.goal.times_fastest_peer = 1.5;
  return made;
}

/// A station with the same pads, its effects included.
class Station {
 public:
  Station() : renderer_(Device::cpu(), {.voices = kVoices, .max_block_frames = kFrames}) {
    (void)renderer_.start(0, {});
    std::vector<synth::VoiceEvent> events;
    for (std::size_t i = 0; i < kVoices; ++i)
      events.push_back({.voice = static_cast<std::int16_t>(i), .key = key_of(i), .velocity = kVelocity});
    play(events);
  }

  void play(std::span<const synth::VoiceEvent> events = {}) {
    if (renderer_.submit(events, kFrames) != Status::ok || renderer_.fetch() != Status::ok) failed_ = true;
  }

  /// The ceiling is kept, and it sounds.
  [[nodiscard]] Check check() const {
    float peak = 0;
    for (const float sample : renderer_.samples(0)) peak = std::max(peak, std::abs(sample));
    const bool ok = !failed_ && peak > 0.001F && peak <= 1;
    return {ok, 0, ok ? "sounds" : "silent, or beyond the ceiling"};
  }

 private:
  synth::Renderer renderer_;
  bool failed_ = false;
};

Duel station_duel() {
  Duel made;
  auto station = std::make_shared<Station>();
  made.ours = {"renderer", kVoices, timed([station](std::size_t) { station->play(); }),
               [station] { return station->check(); }};
  made.least_samples = 200;
  made.goal.at_most_ns = kMostNsPerVoice;
  return made;
}

}  // namespace

std::vector<Case> synth_cases(Devices devices) {
  if (!has_cpu(devices)) return {};
  return {{"synth/pads-480f/cpu", "64 pads; the 10 ms of one voice, on one core", Device::cpu(), pads_duel},
          {"synth/station-480f/cpu", "a station with 64 pads and its effects; the 10 ms of one voice",
           Device::cpu(), station_duel}};
}

}  // namespace ringwave::bench
