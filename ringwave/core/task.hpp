// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <new>
#include <type_traits>

namespace ringwave {

/// The queue as its backend knows it: a cudaStream_t on CUDA, null on the CPU.
using NativeQueue = void*;

/// A small function that a queue runs, stored in place: making, copying and forgetting one allocates nothing.
class Task {
 public:
  static constexpr std::size_t kBytes = 96;

  constexpr Task() noexcept = default;

  /// Any noexcept callable of at most kBytes that copies like bytes do. [any]
  template <std::invocable<NativeQueue> Function>
  requires(!std::same_as<Function, Task>) Task(Function function)
  noexcept  // NOLINT(google-explicit-constructor): a lambda is a task
      : run_([](const std::byte* storage, NativeQueue queue) noexcept {
          (*std::launder(reinterpret_cast<const Function*>(storage)))(queue);
        }) {
    static_assert(std::is_nothrow_invocable_v<const Function&, NativeQueue>,
                  "a task cannot fail: make it noexcept");
    static_assert(std::is_trivially_copyable_v<Function>,
                  "a task is copied as bytes: capture pointers and numbers");
    static_assert(sizeof(Function) <= kBytes, "a task captures at most Task::kBytes");
    static_assert(alignof(Function) <= alignof(std::max_align_t), "a task's captures are aligned as usual");
    ::new (static_cast<void*>(storage_)) Function(function);
  }

  /// Does it. [any]
  void operator()(NativeQueue queue) const noexcept {
    if (run_ != nullptr) run_(storage_, queue);
  }

 private:
  void (*run_)(const std::byte*, NativeQueue) noexcept = nullptr;
  alignas(std::max_align_t) std::byte storage_[kBytes]{};
};

static_assert(std::is_trivially_copyable_v<Task>, "tasks pass through an SpscRing");

}  // namespace ringwave
