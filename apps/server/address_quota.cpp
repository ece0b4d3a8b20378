// SPDX-License-Identifier: Apache-2.0
#include "apps/server/address_quota.hpp"

#include <algorithm>

#include "ringwave/stream/refusal.hpp"

namespace ringwave::server {
void AddressQuota::require_room(const Address& address) {
  const std::lock_guard lock(mutex_);
  require_room_unlocked(address);
}

AddressQuota::Beginning AddressQuota::take(const Address& address, const std::string& id) {
  const std::lock_guard lock(mutex_);
  if (std::ranges::find(entries_, id, &Entry::id) != entries_.end()) return {};
  require_room_unlocked(address);
  entries_.push_back({address.limited(), id});
  return {*this, id};
}

void AddressQuota::end_beginning(const std::string& id) {
  const std::lock_guard lock(mutex_);
  if (const auto found = std::ranges::find(entries_, id, &Entry::id); found != entries_.end())
    found->is_beginning = false;
}

void AddressQuota::require_room_unlocked(const Address& address) {
  std::erase_if(entries_,
                [&](const Entry& entry) { return !entry.is_beginning && !spec_.is_held(entry.id); });
  if (!spec_.hold_loopback && address.is_loopback()) return;
  const auto held = std::ranges::count(entries_, address.limited(), &Entry::address);
  if (held >= spec_.most)
    throw stream::Refusal(stream::RefusalCode::limit_reached, std::to_string(held) + " " + spec_.what +
                                                                  " for this address, as many as may; come "
                                                                  "back when one of them is over");
}

}  // namespace ringwave::server
