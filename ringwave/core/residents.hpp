// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <mutex>
#include <new>
#include <vector>

namespace ringwave {

/// Kernels that stay on a device, and what is to be released while there are any: CUDA frees nothing before
/// all work of the device has ended, which would be never. It is released when the last one has left.
///
/// Whatever is released is so with the lock held: a kernel that arrives waits until that is over, and a
/// release that comes after it is put off.
class Residents {
 public:
  /// Releases one thing. It must not throw, nor release another.
  using Release = void (*)(std::uintptr_t thing);

  /// Of this process, in a module. [setup]
  [[nodiscard]] static Residents& instance() {
    static Residents& residents = *new Residents;  // whatever is freed last still finds it
    return residents;
  }

  /// Before a kernel is launched that stays. [setup]
  void arrive() {
    const std::lock_guard lock(mutex_);
    ++count_;
  }
  /// It has left, or was not launched after all. [setup]
  void leave() noexcept {
    const std::lock_guard lock(mutex_);
    if (--count_ > 0) return;
    for (const Kept& kept : kept_) kept.how(kept.thing);
    kept_.clear();
  }

  /// Now, or when nothing is resident any more. [setup]
  void release(std::uintptr_t thing, Release how) noexcept {
    const std::lock_guard lock(mutex_);
    if (count_ == 0) return how(thing);
    try {
      kept_.push_back({thing, how});
    } catch (const std::bad_alloc&) {  // lost: better than a wait without end
    }
  }

 private:
  struct Kept {
    std::uintptr_t thing;
    Release how;
  };

  std::mutex mutex_;
  int count_ = 0;
  std::vector<Kept> kept_;
};

}  // namespace ringwave
