// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/listener.hpp"

#include <algorithm>
#include <utility>

namespace ringwave::stream {

Listener::Listener(Spec spec)
    : spec_(std::move(spec)),
      next_(std::max(spec_.sound->begin(),
                     spec_.sound->end() - std::min<std::uint64_t>(spec_.sound->end(), spec_.packets_behind))),
      next_news_(spec_.first_news) {}

Listener::~Listener() {
  if (spec_.leave) spec_.leave(*this);
}

std::size_t Listener::take(std::span<PacketPtr> packets) {
  const Broadcast::Reading got = spec_.sound->read(next_, packets, Broadcast::Gap::to_newest);
  skipped_ += got.first - next_;
  taken_ += got.count;
  next_ = got.end();
  return got.count;
}

std::size_t Listener::take_news(std::span<PacketPtr> news) {
  const Broadcast::Reading got = spec_.news->read(next_news_, news, Broadcast::Gap::to_oldest);
  next_news_ = got.end();
  return got.count;
}

}  // namespace ringwave::stream
