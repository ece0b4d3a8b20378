// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/encode_crew.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "ringwave/core/thread_name.hpp"

namespace ringwave::stream {

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
  double most = 0;
  for (const auto& member : members_)
    most = std::max(most, member->meter.load_with(stations / static_cast<double>(members_.size())));
  return most;
}

void EncodeCrew::run(std::size_t number) {
  using Seconds = std::chrono::duration<double>;
  name_thread("encode");
  Member& member = *members_[number];
  auto done = std::chrono::steady_clock::now();
  while (true) {
    member.wake.acquire();
    if (stopping_) return;
    const auto begun = std::chrono::steady_clock::now();
    const Share mine = spec_.share(number);
    bool any = false;
    for (const auto& station : mine.stations) any = station->produce(mine.due, seconds_) || any;
    if (any && spec_.published) spec_.published();
    const auto before = std::exchange(done, std::chrono::steady_clock::now());
    member.meter.add(Seconds(done - begun).count(), Seconds(done - before).count(),
                     static_cast<double>(mine.stations.size()));
  }
}

}  // namespace ringwave::stream
