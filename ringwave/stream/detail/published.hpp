// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <utility>

namespace ringwave::stream {

/// A value that is replaced as a whole: who looks at it keeps what it saw for as long as it likes.
///
/// The lock is held while one pointer is copied, never over work. A std::atomic<std::shared_ptr> of libstdc++
/// 12 spins at that place, which takes longer where the thread that is inside has lost its core.
template <class T>
class Published {
 public:
  explicit Published(std::shared_ptr<const T> value) : value_(std::move(value)) {}

  /// [any]
  [[nodiscard]] std::shared_ptr<const T> get() const {
    const std::lock_guard lock(mutex_);
    return value_;
  }
  /// Who bases the new value on the old one keeps others from it meanwhile. [any]
  void set(std::shared_ptr<const T> value) {
    const std::lock_guard lock(mutex_);
    value_.swap(value);
  }  // the lock goes before the argument, which is the old value now

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const T> value_;
};

}  // namespace ringwave::stream
