// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <optional>
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
    drop_client();
    limits_->leave(address_);
    --*open_;
  }
  ConnectionSlot(ConnectionSlot&& from) noexcept
      : open_(std::exchange(from.open_, nullptr)),
        limits_(from.limits_),
        address_(from.address_),
        client_(std::exchange(from.client_, std::nullopt)),
        descriptor_(std::move(from.descriptor_)) {}
  ConnectionSlot& operator=(ConnectionSlot&&) = delete;  // it is given back once

  /// Counts among the connections of somebody whom a proxy passes on, too, until drop_client(). False, and
  /// nothing changed, where that one has as many as there may be. [server]
  [[nodiscard]] bool take_client(const Address& client) {
    drop_client();
    if (client == address_) return true;
    if (!limits_->enter(client)) return false;
    client_ = client;
    return true;
  }
  void drop_client() {
    if (client_) limits_->leave(*std::exchange(client_, std::nullopt));
  }

  /// Of the peer: the client, or a proxy in front of us. [server]
  [[nodiscard]] const Address& address() const noexcept { return address_; }

 private:
  std::atomic<int>* open_;
  AddressLimits* limits_;
  Address address_;
  std::optional<Address> client_;  // behind the proxy that the peer is
  Descriptors::Place descriptor_;
};

}  // namespace ringwave::server
