// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <mutex>

#include "apps/server/address.hpp"
#include "ringwave/stream/token_bucket.hpp"

namespace ringwave::server {

/// Holds each address to so many connections, and to a rate of requests. It knows a bounded number of
/// addresses: who has no connection and asked for nothing lately is forgotten.
class AddressLimits {
 public:
  static constexpr std::size_t kMostAddresses = 65536;
  static constexpr double kBurstSeconds = 10;

  struct Spec {
    int connections = 64;
    double requests_per_second = 20;
    bool hold_loopback = false;
  };

  explicit AddressLimits(const Spec& spec) : spec_(spec) {}

  /// False where it has as many connections as it may; else leave() is owed. [any]
  [[nodiscard]] bool enter(const Address& address);
  void leave(const Address& address);

  /// False where it asks too often. [any]
  [[nodiscard]] bool take_request(const Address& address);

 private:
  struct Visitor {
    int connections = 0;
    stream::TokenBucket requests;
  };

  [[nodiscard]] bool is_free(const Address& address) const {
    return !spec_.hold_loopback && address.is_loopback();
  }
  /// Nothing where there are too many.
  Visitor* visitor(const Address& address);
  void forget_the_idle();

  Spec spec_;
  std::mutex mutex_;
  std::map<Address, Visitor> visitors_;
};

}  // namespace ringwave::server
