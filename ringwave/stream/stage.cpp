// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/stage.hpp"

#include <chrono>
#include <utility>

namespace ringwave::stream {

Stage::Stage(Spec spec) : spec_(std::move(spec)), loop_(std::make_unique<RenderLoop>(spec_.loop)) {
  for (int slot = spec_.loop.stations; slot-- > 0;) free_slots_.push_back(slot);
}

void Stage::wake(const StationPtr& station) {
  LiveStation& live = station->wake(free_slots_.back(), loop_->renderer_spec());
  free_slots_.pop_back();
  playing_.push_back(station);
  if (!loop_->start(live)) live.end();
}

void Stage::stop(const StationPtr& station) {
  if (LiveStation* live = station->live()) {
    if (!live->has_ended()) (void)loop_->stop(*live);
    retire(station);
  }
}

void Stage::fade_out() {
  is_closing_ = true;
  for (const auto& station : playing_)
    if (LiveStation* live = station->live(); !live->has_ended()) (void)loop_->stop(*live);
}

void Stage::tend() {
  if (loop_->is_lost()) move_to_cpu();
  retire_ended();
  stop_lonely();
  free_retired();
}

/// Its place is free once the renderer is done with it.
void Stage::retire(const StationPtr& station) {
  std::erase(playing_, station);
  if (auto live = station->sleep()) {
    dropped_ += live->dropped();
    retired_.push_back(std::move(live));
  }
}

void Stage::free_retired() {
  std::erase_if(retired_, [this](const std::unique_ptr<LiveStation>& live) {
    if (!live->has_ended()) return false;
    free_slots_.push_back(live->slot());
    return true;
  });
}

void Stage::stop_lonely() {
  const auto now = std::chrono::steady_clock::now();
  for (const auto& station : std::vector(playing_))
    if (const auto since = station->lonely_since();
        since && std::chrono::duration<double>(now - *since).count() > spec_.linger_seconds)
      stop(station);
}

/// Those that the renderer has given up begin anew where somebody listens.
void Stage::retire_ended() {
  for (const auto& station : std::vector(playing_)) {
    if (!station->live()->has_ended()) continue;
    retire(station);
    if (!is_closing_ && station->listeners() > 0 && has_place()) wake(station);
  }
}

/// The stations go on where they were.
void Stage::move_to_cpu() {
  if (spec_.report)
    spec_.report("the device " + loop_->device().name() + " has failed; the stations go on on the CPU");
  spec_.loop.device = Device::cpu();
  lost_loops_.push_back(std::exchange(loop_, std::make_unique<RenderLoop>(spec_.loop)));
  const std::vector<StationPtr> interrupted = playing_;
  for (const auto& station : interrupted) retire(station);
  free_retired();
  for (const auto& station : interrupted)
    if (has_place()) wake(station);
}

std::uint64_t Stage::deadline_misses() const noexcept {
  std::uint64_t misses = loop_->deadline_misses();
  for (const auto& lost : lost_loops_) misses += lost->deadline_misses();
  return misses;
}

std::uint64_t Stage::dropped_blocks() const {
  std::uint64_t blocks = dropped_;
  for (const auto& station : playing_)
    if (const LiveStation* live = station->live()) blocks += live->dropped();
  return blocks;
}

}  // namespace ringwave::stream
