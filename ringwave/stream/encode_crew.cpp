// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/encode_crew.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "ringwave/core/thread_name.hpp"

namespace ringwave::stream {
namespace {

constexpr int kNice = -10;  // before other programs, behind the render loop

/// Where the system allows it; elsewhere it runs as all others do.
void ask_for_priority() noexcept {
  (void)setpriority(PRIO_PROCESS, 0, kNice);  // of this thread alone: Linux counts each as a process
}

}  // namespace

EncodeCrew::EncodeCrew(Spec spec) : spec_(std::move(spec)) {
  for (int i = 0; i < spec_.threads; ++i) members_.push_back(std::make_unique<Member>());
  for (std::size_t i = 0; i < members_.size(); ++i) members_[i]->thread = std::thread([this, i] { run(i); });
}

void EncodeCrew::wake() noexcept {
  for (const auto& member : members_) member->wake.release();
}

void EncodeCrew::stop() noexcept {
  stopping_ = true;
  wake();
  for (const auto& member : members_)
    if (member->thread.joinable()) member->thread.join();
}

double EncodeCrew::load() const noexcept {
  double most = 0;
  for (const auto& member : members_) most = std::max(most, member->meter.load());
  return most;
}

double EncodeCrew::load_with(double stations) const noexcept {
  double load = 0;
  double known = 0;
  for (const auto& member : members_) {
    load += member->meter.load();
    known += member->meter.stations();
  }
  return known > 0 ? load * std::max(1.0, stations / known) / static_cast<double>(members_.size()) : 0;
}

void EncodeCrew::run(std::size_t number) {
  using Seconds = std::chrono::duration<double>;
  name_thread("encode");
  ask_for_priority();
  Member& member = *members_[number];
  auto done = std::chrono::steady_clock::now();
  while (true) {
    member.wake.acquire();
    while (member.wake.try_acquire()) {
    }  // all that there is to do is done at once
    if (stopping_) return;
    const auto begun = std::chrono::steady_clock::now();
    const std::size_t collected = go_round(number);
    const auto before = std::exchange(done, std::chrono::steady_clock::now());
    member.meter.add(Seconds(done - begun).count(), Seconds(done - before).count(),
                     static_cast<double>(collected));
  }
}

/// Once past all stations, from another one on than the other threads; returns from how many it collected.
std::size_t EncodeCrew::go_round(std::size_t number) {
  const auto stations = spec_.stations();
  const std::size_t count = stations->size();
  const std::size_t first = number * count / members_.size();
  std::size_t collected = 0;
  bool any = false;
  for (std::size_t i = 0; i < count; ++i) {
    const Station::Produced made = (*stations)[(first + i) % count]->produce(seconds_);
    collected += made.has_collected ? 1 : 0;
    any = any || made.has_published;
  }
  if (any && spec_.published) spec_.published();
  return collected;
}

}  // namespace ringwave::stream
