// SPDX-License-Identifier: Apache-2.0
#include "ringwave/synth/voices_cpu.hpp"

#include <algorithm>

namespace ringwave::synth {

VoicesCpu::VoicesCpu(std::span<const VoiceRule::Constants> patches, std::size_t most_stations,
                     std::size_t most_voices)
    : patches_(patches),
      rows_(most_voices / VoiceLanes::kLanes + std::min(most_voices, patches.size())),
      open_(patches.size()) {
  players_.reserve(most_voices);
  stations_.reserve(most_stations + 1);
  stations_.push_back(0);
}

bool VoicesCpu::Row::is_silent() const noexcept {
  for (std::size_t lane = 0; lane < voices; ++lane)
    if (!lanes.is_silent(lane)) return false;
  return true;
}

void VoicesCpu::sit(std::span<Voice> voices, std::span<const VoiceEvent> events) noexcept {
  for (std::size_t slot = 0; slot < voices.size(); ++slot) {
    std::size_t own = 0;
    while (own < events.size() && static_cast<std::size_t>(events[own].voice) == slot) ++own;
    if (own > 0 || !VoiceRule::is_silent(voices[slot].state)) take_seat(voices[slot], events.first(own));
    events = events.subspan(own);
  }
  stations_.push_back(players_.size());
}

void VoicesCpu::take_seat(Voice& voice, std::span<const VoiceEvent> events) noexcept {
  // A silent voice sits where the note that comes will be.
  const bool is_silent = VoiceRule::is_silent(voice.state);
  Row& row = row_of(is_silent ? events.front().patch : voice.patch);
  players_.push_back({&voice, &row, row.voices++, events});
  if (!is_silent) row.lanes.put(players_.back().lane, voice.state);
}

VoicesCpu::Row& VoicesCpu::row_of(std::uint8_t patch) noexcept {
  Row*& open = open_[patch];
  if (open == nullptr || open->voices == VoiceLanes::kLanes) {
    open = &rows_[used_++];
    open->lanes = {};
    open->patch = patch;
    open->voices = 0;
  }
  return *open;
}

void VoicesCpu::play(std::int64_t clock, int first, int frames) noexcept {
  for (Player& player : players_) {
    const bool changes = !player.events.empty() && player.events.front().frame < first + frames;
    player.alone = changes || !player.is_seated() || !player.row->is_shared();
    if (player.alone && player.is_seated()) player.voice->state = player.row->lanes.at(player.lane);
    player.heard = changes || !(player.alone ? VoiceRule::is_silent(player.voice->state)
                                             : player.row->lanes.is_silent(player.lane));
  }
  for (Row& row : std::span(rows_).first(used_))
    if (row.is_shared() && !row.is_silent())
      play_lanes(patches_[row.patch], row.lanes, row.voices, clock, frames, row.played);
  for (Player& player : players_)
    if (player.alone && player.heard) play_alone(player, clock, first, frames);
}

void VoicesCpu::play_alone(Player& player, std::int64_t clock, int first, int frames) noexcept {
  Voice& voice = *player.voice;
  float* const left = player.row->played.left[player.lane];
  float* const right = player.row->played.right[player.lane];
  int until = 0;
  for (int done = 0; done < frames; done = until) {
    for (; !player.events.empty() && player.events.front().frame <= first + done;
         player.events = player.events.subspan(1)) {
      const VoiceEvent& event = player.events.front();
      if (event.kind == VoiceEvent::Kind::begin) voice.patch = event.patch;
      VoiceRule::happen(patches_[voice.patch], voice.state, event);
    }
    until = player.events.empty() ? frames : std::min(frames, player.events.front().frame - first);
    const VoiceRule::Constants& constants = patches_[voice.patch];
    const bool is_silent = VoiceRule::is_silent(voice.state);
    for (int n = done; n < until; ++n) {
      VoiceRule::Frame frame{0, 0};
      if (!is_silent) {
        if ((clock + n) % VoiceRule::kControlFrames == 0) VoiceRule::control(constants, voice.state);
        frame = VoiceRule::step(constants, voice.state);
      }
      left[n] = frame.left;
      right[n] = frame.right;
    }
  }
  // A voice that went over to another patch stays alone until the block ends.
  player.row->lanes.put(player.lane, player.is_seated() ? voice.state : VoiceRule::State{});
}

void VoicesCpu::add(std::size_t station, std::span<float> left, std::span<float> right) const noexcept {
  for (std::size_t i = stations_[station]; i < stations_[station + 1]; ++i) {
    const Player& player = players_[i];
    if (!player.heard) continue;
    const float* const own_left = player.row->played.left[player.lane];
    const float* const own_right = player.row->played.right[player.lane];
    for (std::size_t n = 0; n < left.size(); ++n) left[n] += own_left[n];
    for (std::size_t n = 0; n < right.size(); ++n) right[n] += own_right[n];
  }
}

void VoicesCpu::leave() noexcept {
  for (const Player& player : players_)
    if (player.is_seated()) player.voice->state = player.row->lanes.at(player.lane);
  players_.clear();
  stations_.resize(1);
  std::ranges::fill(open_, nullptr);
  used_ = 0;
}

}  // namespace ringwave::synth
