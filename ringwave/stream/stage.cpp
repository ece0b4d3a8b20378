// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/stage.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "ringwave/stream/refusal.hpp"

namespace ringwave::stream {
namespace {

constexpr std::chrono::seconds kBuildPause{10};  // after a loop could not be built

[[noreturn]] void refuse_closed() {
  throw Refusal(RefusalCode::gone, "the server is about to go; come back later");
}

std::uint64_t dropped_in(const Place& place) {
  const LiveStation* live = place.live();
  return live == nullptr ? 0 : live->dropped();
}

}  // namespace

Stage::Stage(Spec spec) : spec_(std::move(spec)), playing_(std::make_shared<const Stations>()) {
  for (int slot = spec_.loop.stations; slot-- > 0;) free_slots_.push_back(slot);
  begin(std::make_unique<RenderLoop>(spec_.loop));
}

void Stage::begin(Loop loop) {
  loop_.store(loop.get(), std::memory_order_release);
  loops_.push_back(std::move(loop));
}

void Stage::require_room() const {
  const std::lock_guard lock(mutex_);
  require_room_locked();
}

/// One station too many would break the music of all.
void Stage::require_room_locked() const {
  if (is_closing_) refuse_closed();
  if (free_slots_.empty())
    throw Refusal(RefusalCode::overloaded, "all " + std::to_string(spec_.loop.stations) +
                                               " places are taken by stations that play; come back later");
  const std::size_t playing = playing_.get()->size();
  if (spec_.load_with_another(playing) > spec_.most_load)
    throw Refusal(RefusalCode::overloaded, "the " + std::to_string(playing) +
                                               " stations that play take all that this machine can do; "
                                               "come back later");
}

void Stage::wake(const StationPtr& station) {
  if (give_place(station)) spec_.woken();
}

bool Stage::give_place(const StationPtr& station) {
  const std::lock_guard lock(mutex_);
  if (station->is_gone())
    throw Refusal(RefusalCode::not_found, "the station '" + station->id() + "' was removed");
  if (is_closing_) refuse_closed();
  if (station->place()) return false;
  require_room_locked();
  auto more = std::make_shared<Stations>(*playing_.get());
  more->push_back(station);
  (void)station->wake(std::make_shared<Place>(*loop_.load(), free_slots_.back()));
  free_slots_.pop_back();
  playing_.set(std::move(more));
  return true;
}

void Stage::remove(const StationPtr& station) {
  (void)remove_if(station, [] { return true; });
}

bool Stage::remove_if(const StationPtr& station, const std::function<bool()>& is_unwanted) {
  const std::lock_guard lock(mutex_);
  if (!is_unwanted()) return false;
  stop(station);
  station->end();
  return true;
}

/// Where it plays. Its place is free once the renderer is done with it.
void Stage::stop(const StationPtr& station) {
  auto place = station->sleep();
  if (!place) return;
  auto fewer = std::make_shared<Stations>(*playing_.get());
  std::erase(*fewer, station);
  playing_.set(std::move(fewer));
  place->stop();
  retire(std::move(place));
}

void Stage::retire(std::shared_ptr<Place> place) {
  dropped_ += dropped_in(*place);
  retired_.push_back(std::move(place));
}

void Stage::fade_out() {
  const std::lock_guard lock(mutex_);
  is_closing_ = true;
  const auto playing = playing_.get();
  for (const auto& station : *playing) station->place()->stop();
}

void Stage::tend() {
  replace_lost_loop();
  bool any = false;
  {
    const std::lock_guard lock(mutex_);
    any = wake_ended();
    stop_lonely();
    free_retired();
  }
  if (any) spec_.woken();
}

void Stage::free_retired() {
  std::erase_if(retired_, [this](const std::shared_ptr<Place>& place) {
    if (!place->has_ended()) return false;
    free_slots_.push_back(place->slot());
    return true;
  });
}

void Stage::stop_lonely() {
  const auto now = std::chrono::steady_clock::now();
  const auto playing = playing_.get();
  for (const auto& station : *playing)
    if (const auto since = station->lonely_since();
        since && std::chrono::duration<double>(now - *since).count() > spec_.linger_seconds)
      stop(station);
}

/// Those that the renderer has given up begin anew where somebody listens, once there is a loop that renders.
bool Stage::wake_ended() {
  if (loop().is_lost()) return false;
  bool any = false;
  const auto playing = playing_.get();
  for (const auto& station : *playing) {
    const auto place = station->place();
    if (!place->has_ended()) continue;
    if (is_closing_ || station->listeners() == 0) {
      stop(station);
    } else {  // in the same slot, which is free in every loop
      dropped_ += dropped_in(*place);
      (void)station->wake(std::make_shared<Place>(*loop_.load(), place->slot()));
      any = true;
    }
  }
  return any;
}

/// The stations go on where they were, on the CPU.
void Stage::replace_lost_loop() {
  if (!loop().is_lost()) return;
  if (replaced_ != &loop()) {
    replaced_ = &loop();
    ++losses_;
    report("the device " + loop().device().name() + " has failed; the stations go on on the CPU");
    spec_.loop.device = Device::cpu();
  }
  const auto now = std::chrono::steady_clock::now();
  if (now < build_again_) return;
  try {
    if (!building_.valid())
      building_ =
          std::async(std::launch::async, [spec = spec_.loop] { return std::make_unique<RenderLoop>(spec); });
    if (building_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
    Loop made = building_.get();
    const std::lock_guard lock(mutex_);
    begin(std::move(made));
  } catch (const std::exception& error) {
    build_again_ = now + kBuildPause;
    report(std::string("rendering could not begin again: ") + error.what());
  }
}

void Stage::report(const std::string& sentence) const {
  if (spec_.report) spec_.report(sentence);
}

std::uint64_t Stage::deadline_misses() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t misses = 0;
  for (const Loop& loop : loops_) misses += loop->deadline_misses();
  return misses;
}

std::uint64_t Stage::dropped_blocks() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t blocks = dropped_;
  const auto playing = playing_.get();
  for (const auto& station : *playing)
    if (const auto place = station->place()) blocks += dropped_in(*place);
  return blocks;
}

}  // namespace ringwave::stream
