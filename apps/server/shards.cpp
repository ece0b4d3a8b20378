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
  turn_ = (turn_ + 1) % shards_.size();
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

}  // namespace ringwave::server
