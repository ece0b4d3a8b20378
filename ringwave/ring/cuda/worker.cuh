// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/ring/context.hpp"
#include "ringwave/ring/cuda/device_port.cuh"

namespace ringwave::ring::cuda {

/// The warps that handle messages: the first one picks the highest that waits, all run the handler.
template <class Handler>
class Worker {
 public:
  __device__ Worker(ResidentBlock& block, int workers) : block_(block), port_(block, workers) {}

  /// Until the kernel is to end, or has failed. [ring]
  __device__ void run() {
    for (;;) {
      if (port_.lane() < 32) pick();
      port_.sync();
      if (block_.pick == kLeave) break;
      handle(block_.pick);
      port_.sync();
      if (block_.failure != ControlBlock::none) break;
    }
  }

 private:
  static constexpr std::uint32_t kLeave = ~0U;
  static constexpr std::uint32_t kTurns = 2 * kBands;

  /// What is next, by the first warp. Lane 2 b + s looks at band b of source s; of two sources in one band
  /// the one that was not served last goes first.
  __device__ void pick() {
    const auto lane = static_cast<std::uint32_t>(port_.lane());
    const std::uint32_t band = lane / 2 % kBands;
    const std::uint32_t source = (lane % 2) ^ turn_;
    Stage& stage = block_.stage;
    for (;;) {
      const std::uint32_t command = __shfl_sync(~0U, block_.command, 0);
      const bool waits = lane < kTurns && const_cast<volatile std::uint32_t&>(stage.staged[source][band]) !=
                                              stage.handled[source][band];
      const std::uint32_t waiting = __ballot_sync(~0U, waits);
      if (command >= static_cast<std::uint32_t>(Command::end)) {
        if (lane == 0) block_.pick = kLeave;
        break;
      }
      const Phase phase =
          command == static_cast<std::uint32_t>(Command::run) ? Phase::running : Phase::holding;
      if (lane == 0 && block_.phase != phase) block_.phase = phase;
      if (phase == Phase::running && waiting != 0) {
        const std::uint32_t chosen = 31 - static_cast<std::uint32_t>(__clz(static_cast<int>(waiting)));
        if (lane == 0) block_.pick = (chosen % 2 ^ turn_) * kBands + chosen / 2;
        turn_ ^= 1U;
        break;
      }
      __nanosleep(20);
    }
    __threadfence_block();
    __syncwarp();
  }

  __device__ void handle(std::uint32_t picked) {
    const std::uint32_t source = picked / kBands;
    const std::uint32_t band = picked % kBands;
    const std::uint32_t handled = block_.stage.handled[source][band];
    const Staged& staged = block_.stage.places[source][band][handled % kStage];
    const auto& head = *reinterpret_cast<const MessageHead*>(staged.words);
    const auto* const inside = reinterpret_cast<const std::byte*>(staged.words + Slot::kHeadCells);
    const Message message(head, head.bytes <= Slot::kMostCellBytes ? inside : staged.raw, &block_.overrun);
    port_.take(message);
    const std::int64_t now = port_.now_ns();
    if (port_.lane() == 0) begin(head, now);
    const bool duplicate = is_duplicate(head.id);
    port_.sync();
    const bool expired = head.deadline_ns != 0 && block_.begin_ns > head.deadline_ns;
    if (duplicate)
      port_.verdict_if_asked(Delivery::duplicate);
    else if (expired)
      expire();
    else
      call(message);
    port_.sync();
    if (port_.lane() == 0) {
      count(head, duplicate, expired);
      __threadfence_block();
      const_cast<volatile std::uint32_t&>(block_.stage.handled[source][band]) = handled + 1;
    }
  }

  __device__ void begin(const MessageHead& head, std::int64_t now) {
    block_.begin_ns = now;
    block_.busy_since_ns = now;
    block_.answered = (head.flags & MessageHead::kRequest) != 0 ? 0 : 1;
    block_.refused = 0;
    block_.overrun = false;
  }

  __device__ void expire() {
    port_.bury();
    port_.verdict_if_asked(Delivery::expired);
  }

  __device__ void call(const Message& message) {
    Context context(nullptr, &port_);
    static_cast<Handler*>(block_.arguments.state)->on_message(context, message);
    port_.sync();
    if (port_.lane() == 0) {
      if (block_.overrun) block_.failure = ControlBlock::overrun;
      if (block_.command == ControlBlock::kGiveUp && block_.failure == ControlBlock::none)
        block_.failure = ControlBlock::too_long;
    }
    port_.sync();
    port_.verdict_if_asked(block_.failure != ControlBlock::none ? Delivery::failed
                           : block_.refused != 0                ? Delivery::unknown_type
                                                                : Delivery::unanswered);
  }

  /// By all lanes: looks for the id among the last ones, and remembers it.
  __device__ bool is_duplicate(std::uint64_t id) {
    const std::uint32_t size = block_.arguments.window;
    if (size == 0) return false;
    ResidentMemory& memory = *block_.arguments.memory;
    if (port_.lane() == 0) block_.delivery = 0;
    port_.sync();
    for (auto i = static_cast<std::uint32_t>(port_.lane()); i < size;
         i += static_cast<std::uint32_t>(port_.lanes()))
      if (memory.window[i] == id) block_.delivery = 1;
    port_.sync();
    const bool found = block_.delivery != 0;
    if (!found && port_.lane() == 0) {
      memory.window[memory.window_next] = id;
      memory.window_next = memory.window_next + 1 == size ? 0 : memory.window_next + 1;
    }
    port_.sync();
    return found;
  }

  __device__ void count(const MessageHead& head, bool duplicate, bool expired) {
    TelemetryBlock& counts = block_.counts;
    const std::int64_t now = port_.now_ns();
    block_.busy_since_ns = 0;
    if (duplicate) {
      ++counts.duplicates;
    } else if (expired) {
      ++counts.expired;
    } else {
      const std::int64_t waited = block_.begin_ns > head.sent_ns ? block_.begin_ns - head.sent_ns : 0;
      ++block_.buckets[LatencyBuckets::bucket_of(waited)];
      if (block_.min_ns == 0 || waited < block_.min_ns) block_.min_ns = waited;
      if (waited > block_.max_ns) block_.max_ns = waited;
      counts.busy_ns += static_cast<std::uint64_t>(now - block_.begin_ns);
      counts.last_ns = now;
      if (block_.failure != ControlBlock::none || block_.refused != 0) ++counts.errors;
      ++counts.processed;
    }
  }

  ResidentBlock& block_;
  DevicePort port_;
  std::uint32_t turn_ = 0;
};

}  // namespace ringwave::ring::cuda
