// SPDX-License-Identifier: Apache-2.0
#include "apps/server/shards.hpp"

namespace ringwave::server {

Shards::Shards(int count) {
  for (int i = 0; i < count; ++i) shards_.push_back(std::make_unique<Shard>());
}

void Shards::start() {
  for (const auto& shard : shards_) shard->start();
}

void Shards::join() {
  for (const auto& shard : shards_) shard->stop();
  for (const auto& shard : shards_) shard->join();
}

void Shards::clear() {
  std::vector<std::unique_ptr<Shard>> gone;
  const std::lock_guard lock(mutex_);
  gone.swap(shards_);
  gone.clear();
}

Shard& Shards::next() noexcept {
  const auto now = std::chrono::steady_clock::now();
  for (std::size_t looked = 0; looked < shards_.size(); ++looked) {
    turn_ = (turn_ + 1) % shards_.size();
    if (!shards_[turn_]->stamp().is_overdue(now)) break;
  }
  return *shards_[turn_];
}

void Shards::wake() {
  const std::lock_guard lock(mutex_);
  for (const auto& shard : shards_) shard->wake();
}

void Shards::drain(double seconds) {
  for (const auto& shard : shards_) shard->drain(seconds);
}

void Shards::end() {
  for (const auto& shard : shards_) shard->end();
}

std::vector<const Counters*> Shards::counters() const {
  std::vector<const Counters*> made;
  for (const auto& shard : shards_) made.push_back(&shard->counters());
  return made;
}

std::vector<const TickStamp*> Shards::stamps() const {
  std::vector<const TickStamp*> made;
  for (const auto& shard : shards_) made.push_back(&shard->stamp());
  return made;
}

}  // namespace ringwave::server
