// SPDX-License-Identifier: Apache-2.0
#include "apps/server/shard.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>

#include "ringwave/core/thread_name.hpp"

namespace ringwave::server {

Member::Member(Shard& shard) : shard_(shard), place_(shard.members_.size()) {
  shard_.members_.push_back(this);
}

Member::~Member() {
  Member* const last = shard_.members_.back();
  shard_.members_[place_] = last;
  last->place_ = place_;
  shard_.members_.pop_back();
}

Shard::Shard() : work_(context_.get_executor()), second_(context_.get_executor()) {
  asio::co_spawn(context_, tick(), asio::detached);
}

Shard::~Shard() {
  stop();
  join();
  for_each([](Member& member) { member.forget(); });
}

void Shard::start() {
  stamp_.set(std::chrono::steady_clock::now());
  thread_ = std::thread([this] {
    name_thread("network");
    context_.run();
  });
}

void Shard::stop() {
  context_.stop();
}

void Shard::join() {
  if (thread_.joinable()) thread_.join();
}

void Shard::wake() {
  if (is_woken_.exchange(true)) return;
  asio::post(context_, [this] {
    // It reads what the last wake() wrote here, and so sees the packets that this one was called for.
    (void)is_woken_.exchange(false);
    for_each([](Member& member) { member.on_packets(); });
  });
}

void Shard::drain(double seconds) {
  asio::post(context_,
             [this, seconds] { for_each([seconds](Member& member) { member.on_drain(seconds); }); });
}

void Shard::end() {
  asio::post(context_, [this] { for_each([](Member& member) { member.on_end(); }); });
}

Task<> Shard::tick() {
  while (true) {
    second_.expires_after(std::chrono::seconds(1));
    const auto [error] = co_await second_.async_wait(as_result);
    if (error) co_return;
    const Member::Time now = std::chrono::steady_clock::now();
    stamp_.set(now);
    for_each([now](Member& member) { member.on_second(now); });
  }
}

/// From the last on: where a member ends by the call, one that was called already takes its place.
void Shard::for_each(const std::function<void(Member&)>& call) {
  for (std::size_t i = members_.size(); i-- > 0;)
    if (i < members_.size()) call(*members_[i]);
}

}  // namespace ringwave::server
