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
  std::size_t count = spec_.sound->read(next_, packets);
  if (count == 0 && has_packets() && !packets.empty()) {
    // What it wanted is gone: on with the newest.
    const std::uint64_t newest = spec_.sound->end() - 1;
    skipped_ += newest - next_;
    next_ = newest;
    count = spec_.sound->read(next_, packets);
  }
  next_ += count;
  taken_ += count;
  return count;
}

std::size_t Listener::take_news(std::span<PacketPtr> news) {
  next_news_ = std::max(next_news_, spec_.news->begin());
  const std::size_t count = spec_.news->read(next_news_, news);
  next_news_ += count;
  return count;
}

}  // namespace ringwave::stream
