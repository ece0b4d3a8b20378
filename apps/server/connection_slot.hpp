// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <utility>

#include "apps/server/address.hpp"
#include "apps/server/address_limits.hpp"
#include "apps/server/descriptors.hpp"

namespace ringwave::server {

/// The place that a connection takes among those that there may be, given back at its end.
class ConnectionSlot {
 public:
  ConnectionSlot(std::atomic<int>& open, AddressLimits& limits, const Address& address,
                 Descriptors::Place descriptor) noexcept
      : open_(&open), limits_(&limits), address_(address), descriptor_(std::move(descriptor)) {}
  ~ConnectionSlot() {
    if (open_ == nullptr) return;
    limits_->leave(address_);
    --*open_;
  }
  ConnectionSlot(ConnectionSlot&& from) noexcept
      : open_(std::exchange(from.open_, nullptr)),
        limits_(from.limits_),
        address_(from.address_),
        descriptor_(std::move(from.descriptor_)) {}
  ConnectionSlot& operator=(ConnectionSlot&&) = delete;  // it is given back once

  [[nodiscard]] const Address& address() const noexcept { return address_; }

 private:
  std::atomic<int>* open_;
  AddressLimits* limits_;
  Address address_;
  Descriptors::Place descriptor_;
};

}  // namespace ringwave::server
