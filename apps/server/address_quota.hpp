// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "apps/server/address.hpp"

namespace ringwave::server {

/// Holds each address to its share of something that there is little of: stations that play, files that are
/// rendered. Such a thing counts for the address that took it until it is over, which is asked whenever
/// somebody takes another one.
class AddressQuota {
 public:
  struct Spec {
    int most = 1;
    bool hold_loopback = false;
    std::string what{};                                  ///< "stations play": for the sentence of a refusal
    std::function<bool(const std::string& id)> is_held;  ///< it is not over yet
  };

  explicit AddressQuota(Spec spec) : spec_(std::move(spec)) {}

  /// While this lives, what was taken counts, whether it is held yet or not.
  class Beginning {
   public:
    Beginning() noexcept = default;
    ~Beginning() {
      if (quota_ != nullptr) quota_->end_beginning(id_);
    }
    Beginning(Beginning&& from) noexcept
        : quota_(std::exchange(from.quota_, nullptr)), id_(std::move(from.id_)) {}
    Beginning& operator=(Beginning&&) = delete;  // it begins once

   private:
    friend class AddressQuota;
    Beginning(AddressQuota& quota, std::string id) : quota_(&quota), id_(std::move(id)) {}
    AddressQuota* quota_ = nullptr;
    std::string id_;
  };

  /// Throws Refusal, limit_reached, for an address that holds as many as it may. [server]
  void require_room(const Address& address);
  /// This one is held for that address, unless it is already held. Throws as require_room(). [server]
  [[nodiscard]] Beginning take(const Address& address, const std::string& id);

 private:
  struct Entry {
    Address address;
    std::string id;
    bool is_beginning = true;
  };

  void require_room_unlocked(const Address& address);
  void end_beginning(const std::string& id);

  Spec spec_;
  std::mutex mutex_;
  std::vector<Entry> entries_;
};

}  // namespace ringwave::server
