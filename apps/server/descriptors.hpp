// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <optional>
#include <utility>

namespace ringwave::server {

/// The descriptors that connections may have, and the files that are sent to them. The others are kept for
/// the server itself: however many come, stations are saved, and there is an answer to who comes too many.
class Descriptors {
 public:
  static constexpr int kReserve = 24;  ///< for files of the server's own, and for who is sent away

  /// One of them, given back at its end.
  class Place {
   public:
    explicit Place(Descriptors& of) noexcept : of_(&of) {}
    ~Place() {
      if (of_ != nullptr) ++of_->free_;
    }
    Place(Place&& from) noexcept : of_(std::exchange(from.of_, nullptr)) {}
    Place& operator=(Place&&) = delete;  // it is given back once

   private:
    Descriptors* of_;
  };

  /// So many in all. [setup]
  explicit Descriptors(int count) noexcept : count_(count), free_(count) {}
  Descriptors(const Descriptors&) = delete;  // places hold its address
  Descriptors& operator=(const Descriptors&) = delete;

  /// Nothing where all are taken. [any]
  [[nodiscard]] std::optional<Place> take() noexcept;
  [[nodiscard]] int count() const noexcept { return count_; }

 private:
  int count_;
  std::atomic<int> free_;
};

/// How many are left for so many connections, each with a file, when the system has raised its limit for them
/// as far as it may, and what is open now and the reserve are taken off. Throws InvalidArgument where none is
/// left. [setup]
[[nodiscard]] int descriptors_for(int connections);

}  // namespace ringwave::server
