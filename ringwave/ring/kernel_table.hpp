// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>

#include "ringwave/ring/delivery.hpp"
#include "ringwave/ring/message.hpp"

namespace ringwave::ring {

class KernelCore;

/// The kernels of a runtime by their numbers, for those that send to one another.
///
/// A sender says that it uses a place before it looks who is there, and whoever empties the place looks for
/// users after that: of the two the second sees the first, so that no kernel goes while somebody sends to it.
class KernelTable {
 public:
  static constexpr std::uint16_t kMostKernels = 255;
  /// A deadline that is over: what finds no room now is turned away, and counted as that.
  static constexpr std::int64_t kPast = 1;

  /// [setup]
  void set(std::uint16_t number, KernelCore& kernel) noexcept;
  /// Returns when nobody sends to that kernel any more; it has ended, so that nobody waits for room there.
  /// [setup]
  void clear(std::uint16_t number) noexcept;
  /// A number that no kernel has, of those the one that has been free for longest: who still sends to a
  /// kernel that has ended seldom meets a stranger. 0 where all are taken. One thread at a time. [setup]
  [[nodiscard]] std::uint16_t free_number() noexcept;

  /// Sends from a kernel on the CPU, by the target's policy. [any]
  Delivery send(std::uint16_t target, const MessageHead& head, const void* payload,
                std::int64_t deadline_ns) noexcept;

  /// The same without a wait for room; none where that is the target's policy. Until `deadline_ns` a GPU may
  /// take to drop its oldest message. [any]
  std::optional<Delivery> try_send(std::uint16_t target, const MessageHead& head, const void* payload,
                                   std::int64_t deadline_ns) noexcept;

 private:
  /// What `use` says of the kernel of that number, which stays meanwhile; `none` where there is none.
  template <class Answer, class Use>
  Answer with(std::uint16_t number, Answer none, const Use& use) noexcept;

  struct alignas(64) Place {
    std::atomic<KernelCore*> kernel{nullptr};
    std::atomic<std::uint32_t> users{0};
    std::uint64_t named = 0;  // when a kernel last got the number, or gave it back
  };

  std::array<Place, kMostKernels + 1> places_{};  // 0 is the host's number
  std::uint64_t names_ = 0;
};

}  // namespace ringwave::ring
