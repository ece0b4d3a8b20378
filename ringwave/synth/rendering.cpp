// SPDX-License-Identifier: Apache-2.0
#include "ringwave/synth/rendering.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "ringwave/core/error.hpp"

namespace ringwave::synth {
namespace {

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
                     "; render again on another one ('cpu' always works)");
}

/// How many stations there are.
int require_valid(const Rendering::Spec& spec, const std::vector<Rendering::Station>& stations) {
  const auto require = [](bool is_valid, const std::string& what) {
    if (!is_valid) throw InvalidArgument("a rendering was asked for " + what);
  };
  require(!stations.empty(), "without a station; give it one for each piece");
  require(spec.heard_frames >= 1 && spec.heard_frames <= 1 << 20,
          "that is heard in pieces of " + std::to_string(spec.heard_frames) + " frames; use 1 to 2^20");
  for (std::size_t i = 0; i < stations.size(); ++i) {
    const std::string name = "whose station " + std::to_string(i);
    const Rendering::Station& station = stations[i];
    require(station.piece != nullptr && station.hear != nullptr,
            name + " has no piece or nobody who hears it; give it both");
    require(!station.part || *station.part < station.piece->parts().size(),
            name + " plays a part that its piece does not have");
    require(!station.ends_with || *station.ends_with < i, name + " ends with one that is not before it");
    synth::require_valid(station.effects);
  }
  return static_cast<int>(stations.size());
}

}  // namespace

/// A station's performer, and the way from its samples to who hears them.
class Rendering::Player {
 public:
  Player(int number, Station station, const Spec& spec)
      : station_(std::move(station)),
        end_of_notes_(station_.piece->end_frame()),
        sample_rate_hz_(spec.sample_rate_hz),
        performer_(
            {.station = number, .voices = kVoices, .spares = kSpares, .sample_rate_hz = spec.sample_rate_hz},
            spec.patches),
        heard_frames_(static_cast<std::size_t>(spec.heard_frames)),
        samples_(2 * heard_frames_) {
    performer_.add_bends(station_.piece->bends());
  }

  void begin(std::optional<std::int64_t> frames) {
    frames_ = frames;
    fade_frames_ = frames ? static_cast<std::int64_t>(kFadeSeconds * sample_rate_hz_) : 0;
  }
  void end_at(std::int64_t frame) noexcept { frames_ = std::min(frames_.value_or(frame), frame); }

  /// Nothing until it is known.
  [[nodiscard]] std::optional<std::int64_t> frames() const noexcept { return frames_; }
  [[nodiscard]] std::int64_t heard() const noexcept { return heard_; }
  [[nodiscard]] bool has_ended() const noexcept { return frames_ && heard_ >= *frames_; }
  [[nodiscard]] std::optional<std::size_t> ends_with() const noexcept { return station_.ends_with; }
  [[nodiscard]] int sounding() const noexcept { return sounding(heard_); }

  void perform(int frames, std::vector<VoiceEvent>& events) {
    std::vector<Performer::Note> notes;
    for (const Piece::Note& note : station_.piece->notes_until(performer_.clock() + frames))
      if (!station_.part || note.part == *station_.part) notes.push_back(note.played);
    if (!notes.empty()) performer_.add(notes);
    performer_.perform(frames, 0, events);
  }

  /// The next samples, left and right in turn. `leader` is whom it ends with, who has heard them already.
  void hear(std::span<const float> samples, const Player* leader) {
    if (leader != nullptr) frames_ = leader->frames_;
    const auto there = static_cast<std::int64_t>(samples.size() / 2);
    if (!frames_ && leader == nullptr && end_of_notes_) look_for_end(samples);
    const std::int64_t count = frames_ ? std::min(there, *frames_ - heard_) : there;
    for (std::int64_t n = 0; n < count; ++n) {
      const std::int64_t to_come = fade_frames_ > 0 ? *frames_ - heard_ - n : 0;
      const float gain =
          to_come < fade_frames_ ? static_cast<float>(to_come) / static_cast<float>(fade_frames_) : 1.0F;
      const auto at = 2 * static_cast<std::size_t>(n);
      add(gain * samples[at], gain * samples[at + 1]);
    }
    heard_ += count;
    if (has_ended()) pass_on();
  }

 private:
  void add(float left, float right) {
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

  /// Sets frames_ where it dies away in these samples.
  void look_for_end(std::span<const float> samples) {
    const auto look_frames = static_cast<std::int64_t>(kLookSeconds * sample_rate_hz_);
    const auto most =
        static_cast<std::int64_t>(kMostDecays * station_.effects.room.decay_s * sample_rate_hz_);
    const auto silence = static_cast<float>(kSilence * std::pow(10, station_.effects.gain_db / 20));
    for (std::size_t at = 0; at + 1 < samples.size() && !frames_; at += 2) {
      loudest_ = std::max({loudest_, std::abs(samples[at]), std::abs(samples[at + 1])});
      const std::int64_t now = heard_ + static_cast<std::int64_t>(at / 2) + 1;
      if (now % look_frames != 0) continue;
      if (now < *end_of_notes_ || sounding(now) > 0) silent_voices_from_ = now;
      if (now >= *end_of_notes_ && (loudest_ < silence || now - silent_voices_from_ >= most)) frames_ = now;
      loudest_ = 0;
    }
  }

  Station station_;
  std::optional<std::int64_t> end_of_notes_;
  int sample_rate_hz_;
  Performer performer_;
  std::size_t heard_frames_;
  std::vector<float> samples_;  // [left, right][heard_frames_]
  std::size_t filled_ = 0;
  std::int64_t heard_ = 0;
  std::optional<std::int64_t> frames_;
  std::int64_t fade_frames_ = 0;
  float loudest_ = 0;  // since the tail was last looked at
  std::int64_t silent_voices_from_ = 0;
};

Rendering::Rendering(const Spec& spec, std::vector<Station> stations)
    : sample_rate_hz_(spec.sample_rate_hz),
      block_frames_(spec.block_frames),
      renderer_(spec.device, {.stations = require_valid(spec, stations),
                              .voices = kVoices + kSpares,
                              .max_block_frames = spec.block_frames,
                              .sample_rate_hz = spec.sample_rate_hz,
                              .patches = spec.patches}) {
  int number = 0;
  for (Station& station : stations) {
    require_ok(renderer_.start(number, station.effects));
    players_.emplace_back(number++, std::move(station), spec);
  }
}

Rendering::~Rendering() = default;

void Rendering::begin(std::optional<std::int64_t> frames) {
  for (Player& player : players_) player.begin(frames);
}

bool Rendering::step() {
  // Frames that are still to be submitted; a block where that is not known.
  std::int64_t left = 0;
  for (const Player& player : players_)
    left = std::max(left, player.frames() ? *player.frames() + Renderer::latency_frames() - renderer_.clock()
                                          : block_frames_);
  if (left > 0)
    perform(static_cast<int>(std::min<std::int64_t>(left, block_frames_)));
  else
    hear_oldest();
  return !std::ranges::all_of(players_, &Player::has_ended);
}

void Rendering::stop() {
  const std::int64_t end =
      renderer_.clock() - Renderer::latency_frames() + std::llround(Renderer::kStopSeconds * sample_rate_hz_);
  for (std::size_t i = 0; i < players_.size(); ++i) {
    require_ok(renderer_.stop(static_cast<int>(i)));
    players_[i].end_at(end);
  }
}

std::int64_t Rendering::heard(std::size_t station) const {
  return players_.at(station).heard();
}

int Rendering::sounding() const noexcept {
  return players_.front().sounding();
}

void Rendering::perform(int frames) {
  events_.clear();
  for (Player& player : players_)
    if (!player.has_ended()) player.perform(frames, events_);
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
  if (in_flight_ == Renderer::kBlocksInFlight) hear_oldest();
  require_ok(renderer_.submit(events.first(std::min(events.size(), most)), frames));
  ++in_flight_;
}

void Rendering::hear_oldest() {
  require_ok(renderer_.fetch());
  --in_flight_;
  const auto block = static_cast<std::int64_t>(renderer_.samples(0).size() / 2);
  const std::int64_t skipped = std::clamp<std::int64_t>(Renderer::latency_frames() - fetched_, 0, block);
  fetched_ += block;
  for (std::size_t i = 0; i < players_.size(); ++i) {
    const auto leader = players_[i].ends_with();
    players_[i].hear(renderer_.samples(static_cast<int>(i)).subspan(2 * static_cast<std::size_t>(skipped)),
                     leader ? &players_[*leader] : nullptr);
  }
}

std::vector<std::int64_t> render_batch(const Rendering::Spec& spec, std::vector<Rendering::Station> stations,
                                       std::optional<std::int64_t> frames,
                                       const std::function<void(std::int64_t heard)>& see) {
  const std::size_t count = stations.size();
  const bool is_endless = std::ranges::any_of(stations, [](const Rendering::Station& station) {
    return station.piece != nullptr && !station.ends_with && !station.piece->end_frame();
  });
  if (is_endless && !frames)
    throw InvalidArgument("a piece without an end was to be rendered to its end; say how many frames");
  Rendering rendering(spec, std::move(stations));
  rendering.begin(frames);
  std::vector<std::int64_t> heard(count);
  bool goes_on = true;
  while (goes_on) {
    goes_on = rendering.step();
    for (std::size_t i = 0; i < count; ++i) heard[i] = rendering.heard(i);
    if (see) see(*std::ranges::max_element(heard));
  }
  return heard;
}

}  // namespace ringwave::synth
