// SPDX-License-Identifier: Apache-2.0
#include "apps/server/address_limits.hpp"

#include <iterator>

namespace ringwave::server {

bool AddressLimits::enter(const Address& address) {
  if (is_free(address)) return true;
  const std::lock_guard lock(mutex_);
  Visitor* const found = visitor(address);
  if (found == nullptr || found->connections >= spec_.connections) return false;
  ++found->connections;
  return true;
}

void AddressLimits::leave(const Address& address) {
  if (is_free(address)) return;
  const std::lock_guard lock(mutex_);
  const auto found = visitors_.find(address.limited());
  if (found != visitors_.end() && found->second.connections > 0) --found->second.connections;
}

bool AddressLimits::take_request(const Address& address) {
  if (is_free(address)) return true;
  const std::lock_guard lock(mutex_);
  Visitor* const found = visitor(address);
  return found != nullptr && found->requests.take();
}

AddressLimits::Visitor* AddressLimits::visitor(const Address& address) {
  const Address limited = address.limited();
  if (const auto found = visitors_.find(limited); found != visitors_.end()) return &found->second;
  if (visitors_.size() >= kMostAddresses) forget_the_idle();
  if (visitors_.size() >= kMostAddresses) return nullptr;
  const stream::TokenBucket requests(spec_.requests_per_second * kBurstSeconds, spec_.requests_per_second);
  return &visitors_.emplace(limited, Visitor{.requests = requests}).first->second;
}

void AddressLimits::forget_the_idle() {
  for (auto entry = visitors_.begin(); entry != visitors_.end();) {
    const bool is_idle = entry->second.connections == 0 && entry->second.requests.is_full();
    entry = is_idle ? visitors_.erase(entry) : std::next(entry);
  }
}

}  // namespace ringwave::server
