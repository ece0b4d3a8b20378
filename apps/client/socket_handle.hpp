// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <utility>

namespace ringwave::client {

/// A socket that is closed at the end.
class SocketHandle {
 public:
  explicit SocketHandle(int number = -1) noexcept : number_(number) {}
  ~SocketHandle() {
    if (number_ >= 0) close(number_);
  }
  SocketHandle(SocketHandle&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  SocketHandle& operator=(SocketHandle&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  [[nodiscard]] int number() const noexcept { return number_; }

 private:
  int number_;
};

}  // namespace ringwave::client
