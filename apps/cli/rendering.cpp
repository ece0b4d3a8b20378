// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/rendering.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "apps/cli/interruption.hpp"
#include "apps/cli/progress.hpp"
#include "ringwave/core/error.hpp"

namespace ringwave::cli {
namespace {

using synth::VoiceEvent;

// Far more than a station has that plays live: here nobody waits, and no note is taken away.
constexpr int kVoices = 112;
constexpr int kSpares = 16;

constexpr double kFadeSeconds = 0.05;  // what is cut off does not click
constexpr double kLookSeconds = 0.05;  // how often a tail is looked at
constexpr double kSilence = 1e-4;      // -80 dB
constexpr double kMostDecays = 2;      // of the room, each 60 dB

void require_ok(Status status) {
  if (status != Status::ok)
    throw DeviceLost("rendering stopped because of the device: " + std::string(to_string(status)) +
                     "; try again with --device cpu");
}

}  // namespace

/// A station's performer, and the way from its samples to who hears them.
class Rendering::Player {
 public:
  Player(int number, Station station, const Spec& spec)
      : station_(std::move(station)),
        performer_(
            {.station = number, .voices = kVoices, .spares = kSpares, .sample_rate_hz = spec.sample_rate_hz},
            spec.patches),
        heard_frames_(static_cast<std::size_t>(spec.heard_frames)),
        samples_(2 * heard_frames_) {
    performer_.add_bends(station_.piece->bends());
  }

  void perform(int frames, std::vector<VoiceEvent>& events) {
    std::vector<synth::Performer::Note> notes;
    for (const Piece::Note& note : station_.piece->notes_until(performer_.clock() + frames))
      if (!station_.part || note.part == *station_.part) notes.push_back(note.played);
    if (!notes.empty()) performer_.add(notes);
    performer_.perform(frames, 0, events);
  }

  /// Left and right in turn.
  void hear(float left, float right) {
    samples_[filled_] = left;
    samples_[heard_frames_ + filled_] = right;
    if (++filled_ == heard_frames_) pass_on();
  }

  void pass_on() {
    const auto stride = static_cast<std::ptrdiff_t>(heard_frames_);
    if (filled_ > 0) station_.hear({samples_.data(), 2, static_cast<int>(filled_), stride});
    filled_ = 0;
  }

  [[nodiscard]] int sounding(std::int64_t frame) const noexcept {
    return performer_.allocator().sounding(frame);
  }

 private:
  Station station_;
  synth::Performer performer_;
  std::size_t heard_frames_;
  std::vector<float> samples_;  // [left, right][heard_frames_]
  std::size_t filled_ = 0;
};

Rendering::Rendering(const Spec& spec, std::vector<Station> stations)
    : sample_rate_hz_(spec.sample_rate_hz),
      block_frames_(spec.block_frames),
      first_effects_(stations.front().effects),
      end_of_notes_(stations.front().piece->end_frame()),
      renderer_(spec.device, {.stations = static_cast<int>(stations.size()),
                              .voices = kVoices + kSpares,
                              .max_block_frames = spec.block_frames,
                              .sample_rate_hz = spec.sample_rate_hz,
                              .patches = spec.patches}) {
  int number = 0;
  for (Station& station : stations) {
    synth::require_valid(station.effects);
    require_ok(renderer_.start(number, station.effects));
    players_.emplace_back(number++, std::move(station), spec);
  }
}

Rendering::~Rendering() = default;

std::int64_t Rendering::run(const std::string& task, std::optional<std::int64_t> frames) {
  begin(frames);
  Progress progress(task, frames ? frames : end_of_notes_, sample_rate_hz_);
  while (step()) {
    progress.show(heard_);
    Interruption::check();
  }
  return heard_;
}

void Rendering::begin(std::optional<std::int64_t> frames) {
  frames_ = frames;
  fade_frames_ = frames ? static_cast<std::int64_t>(kFadeSeconds * sample_rate_hz_) : 0;
}

bool Rendering::step() {
  const std::int64_t left =
      frames_ ? *frames_ + synth::Renderer::latency_frames() - renderer_.clock() : block_frames_;
  if (left > 0)
    perform(static_cast<int>(std::min<std::int64_t>(left, block_frames_)));
  else
    hear_oldest();
  if (!frames_ || heard_ < *frames_) return true;
  for (Player& player : players_) player.pass_on();
  return false;
}

void Rendering::stop() {
  for (std::size_t i = 0; i < players_.size(); ++i) require_ok(renderer_.stop(static_cast<int>(i)));
  const std::int64_t end = renderer_.clock() - synth::Renderer::latency_frames() +
                           std::llround(synth::Renderer::kStopSeconds * sample_rate_hz_);
  frames_ = std::min(frames_.value_or(end), end);
}

int Rendering::sounding() const noexcept {
  return players_.front().sounding(heard_);
}

void Rendering::perform(int frames) {
  events_.clear();
  for (Player& player : players_) player.perform(frames, events_);
  submit(events_, frames);
}

/// In halves where more happens than a block may hold.
void Rendering::submit(std::span<VoiceEvent> events, int frames) {
  const auto most = static_cast<std::size_t>(renderer_.max_events());
  if (events.size() > most && frames > 1) {
    const int half = frames / 2;
    const auto later = std::partition(events.begin(), events.end(),
                                      [half](const VoiceEvent& event) { return event.frame < half; });
    const auto earlier = static_cast<std::size_t>(later - events.begin());
    for (VoiceEvent& event : events.subspan(earlier)) event.frame -= half;
    submit(events.first(earlier), half);
    submit(events.subspan(earlier), frames - half);
    return;
  }
  if (in_flight_ == synth::Renderer::kBlocksInFlight) hear_oldest();
  require_ok(renderer_.submit(events.first(std::min(events.size(), most)), frames));
  ++in_flight_;
}

void Rendering::hear_oldest() {
  require_ok(renderer_.fetch());
  --in_flight_;
  const auto block = static_cast<std::int64_t>(renderer_.samples(0).size() / 2);
  const std::int64_t skipped =
      std::clamp<std::int64_t>(synth::Renderer::latency_frames() - fetched_, 0, block);
  fetched_ += block;
  const auto begin = static_cast<std::size_t>(2 * skipped);
  const std::int64_t count = frames_ ? std::min(block - skipped, *frames_ - heard_)
                                     : frames_until_silence(renderer_.samples(0).subspan(begin));
  for (std::size_t i = 0; i < players_.size(); ++i) {
    const std::span<const float> samples = renderer_.samples(static_cast<int>(i)).subspan(begin);
    for (std::int64_t n = 0; n < count; ++n) {
      const std::int64_t to_come = fade_frames_ > 0 ? *frames_ - heard_ - n : 0;
      const float gain =
          to_come < fade_frames_ ? static_cast<float>(to_come) / static_cast<float>(fade_frames_) : 1.0F;
      const auto at = 2 * static_cast<std::size_t>(n);
      players_[i].hear(gain * samples[at], gain * samples[at + 1]);
    }
  }
  heard_ += count;
}

/// How many frames there are until the first station has died away; then frames_ is known.
int Rendering::frames_until_silence(std::span<const float> samples) {
  if (!end_of_notes_) return static_cast<int>(samples.size() / 2);
  const auto look_frames = static_cast<std::int64_t>(kLookSeconds * sample_rate_hz_);
  const auto most = static_cast<std::int64_t>(kMostDecays * first_effects_.room.decay_s * sample_rate_hz_);
  const auto silence = static_cast<float>(kSilence * std::pow(10, first_effects_.gain_db / 20));
  const auto count = static_cast<int>(samples.size() / 2);
  for (int n = 0; n < count; ++n) {
    const auto at = 2 * static_cast<std::size_t>(n);
    loudest_ = std::max({loudest_, std::abs(samples[at]), std::abs(samples[at + 1])});
    const std::int64_t now = heard_ + n + 1;
    if (now % look_frames != 0) continue;
    if (now < *end_of_notes_ || players_.front().sounding(now) > 0) silent_voices_from_ = now;
    const bool has_ended = now >= *end_of_notes_ && (loudest_ < silence || now - silent_voices_from_ >= most);
    loudest_ = 0;
    if (!has_ended) continue;
    frames_ = now;
    return n + 1;
  }
  return count;
}

}  // namespace ringwave::cli
