// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/ring/context.hpp"
#include "ringwave/ring/cuda/device_port.cuh"

namespace ringwave::ring::cuda {

/// The warps that handle messages: the first one picks the highest that waits, all run the handler.
template <class Handler>
class Worker {
 public:
  __device__ Worker(ResidentBlock& block, const ResidentArguments& arguments, int workers)
      : block_(block),
        arguments_(arguments),
        port_(block, arguments, workers),
        counts_(arguments.memory->counts) {}

  /// Until the kernel is to end, or has failed. [ring]
  __device__ void run() {
    for (;;) {
      const std::uint32_t picked = next();
      if (picked == kLeave) break;
      if (handle(picked)) break;
    }
  }

 private:
  static constexpr std::uint32_t kLeave = ~0U;

  /// What is next; all workers learn it.
  __device__ std::uint32_t next() {
    if (port_.lanes() == 32) return pick();
    if (port_.lane() < 32) {
      const std::uint32_t picked = pick();
      if (port_.lane() == 0) block_.pick = picked;
    }
    port_.sync();
    return block_.pick;
  }

  /// What is next, by the first warp. Lane 2 b + s looks at band b of source s; of two sources in one band
  /// the one that was not served last goes first.
  __device__ std::uint32_t pick() {
    const auto lane = static_cast<std::uint32_t>(port_.lane());
    const std::uint32_t band = lane / 2 % kBands;
    const std::uint32_t source = (lane % 2) ^ turn_;
    const volatile std::uint32_t& staged = block_.stage.staged[source][band];
    const std::uint32_t handled = block_.stage.handled[source][band];
    for (;;) {
      const std::uint32_t waiting = __ballot_sync(~0U, lane < kSources * kBands && staged != handled);
      const std::uint32_t command = __shfl_sync(~0U, block_.command, 0);
      if (command == static_cast<std::uint32_t>(Command::run) && waiting != 0 && is_running_) {
        const std::uint32_t chosen = 31 - static_cast<std::uint32_t>(__clz(static_cast<int>(waiting)));
        const std::uint32_t picked = (chosen % 2 ^ turn_) * kBands + chosen / 2;
        turn_ ^= 1U;
        __syncwarp();
        return picked;
      }
      if (command >= static_cast<std::uint32_t>(Command::end)) return kLeave;
      note_phase(command == static_cast<std::uint32_t>(Command::run));
    }
  }

  __device__ void note_phase(bool runs) {
    if (runs && !is_running_) __threadfence_system();  // the host may have changed the handler's state
    if (runs != is_running_ || block_.phase == Phase::absent)
      if (port_.lane() == 0) block_.phase = runs ? Phase::running : Phase::holding;
    is_running_ = runs;
  }

  /// True where the kernel has failed.
  __device__ bool handle(std::uint32_t picked) {
    const std::uint32_t source = picked / kBands;
    const std::uint32_t band = picked % kBands;
    const std::uint32_t handled = block_.stage.handled[source][band];
    const Staged& staged = block_.stage.places[source][band][handled % kStage];
    const MessageHead head = *reinterpret_cast<const MessageHead*>(staged.words);
    const bool is_long = head.bytes > Slot::kMostCellBytes;
    const auto* const inside = reinterpret_cast<const std::byte*>(staged.words + Slot::kHeadCells);
    const std::int64_t begin_ns = port_.begin(head);
    const Message message(head, is_long ? staged.raw : inside, port_.overrun());
    std::uint32_t failure = ControlBlock::none;
    Delivery verdict = Delivery::unanswered;
    if (arguments_.window != 0 && is_duplicate(head.id)) {
      ++counts_.duplicates;
      verdict = Delivery::duplicate;
    } else if (head.deadline_ns != 0 && begin_ns > head.deadline_ns) {
      ++counts_.expired;
      port_.bury(message.data());
      verdict = Delivery::expired;
    } else {
      failure = call(message, begin_ns, verdict);
    }
    port_.verdict_if_asked(verdict);
    if (is_long) __threadfence_system();  // it was read before its slot is free
    port_.sync();
    if (port_.lane() == 0) {
      tell();
      const_cast<volatile std::uint32_t&>(block_.stage.handled[source][band]) = handled + 1;
    }
    return failure != ControlBlock::none;
  }

  /// Runs the handler; returns a ControlBlock::Failure, and what to tell whoever has no answer yet.
  __device__ std::uint32_t call(const Message& message, std::int64_t begin_ns, Delivery& verdict) {
    Context context(nullptr, &port_);
    static_cast<Handler*>(arguments_.state)->on_message(context, message);
    const std::uint32_t flags = port_.flags_of_all();
    std::uint32_t failure = (flags & DevicePort::kFailed) != 0    ? ControlBlock::by_handler
                            : (flags & DevicePort::kOverran) != 0 ? ControlBlock::overrun
                                                                  : ControlBlock::none;
    if (failure == ControlBlock::none && block_.command == ControlBlock::kGiveUp)
      failure = ControlBlock::too_long;
    const bool refused = (flags & DevicePort::kRefused) != 0;
    if (refused) verdict = Delivery::unknown_type;
    if (failure != ControlBlock::none) verdict = Delivery::failed;
    const std::int64_t waited = begin_ns > message.head().sent_ns ? begin_ns - message.head().sent_ns : 0;
    const std::int64_t now = port_.now_ns();
    counts_.busy_ns += static_cast<std::uint64_t>(now - begin_ns);
    counts_.last_ns = now;
    counts_.errors += failure != ControlBlock::none || refused ? 1 : 0;
    ++counts_.processed;
    if (port_.lane() == 0) {
      if (failure != ControlBlock::none) block_.failure = failure;
      count_latency(waited);
    }
    return failure;
  }

  __device__ void count_latency(std::int64_t waited) {
    std::uint32_t& bucket = block_.buckets[LatencyBuckets::bucket_of(waited)];
    bucket = bucket + 1;
    if (block_.min_ns == 0 || waited < block_.min_ns) block_.min_ns = waited;
    if (waited > block_.max_ns) block_.max_ns = waited;
  }

  /// Where the clerk reads them. Every worker counts; the first one tells.
  __device__ void tell() {
    volatile TelemetryBlock& out = block_.counts;
    out.processed = counts_.processed;
    out.expired = counts_.expired;
    out.duplicates = counts_.duplicates;
    out.dropped = counts_.dropped + port_.dropped();
    out.errors = counts_.errors;
    out.busy_ns = counts_.busy_ns;
    out.last_ns = counts_.last_ns;
    block_.busy_since_ns = 0;
  }

  /// By all lanes: looks for the id among the last ones, and remembers it.
  __device__ bool is_duplicate(std::uint64_t id) {
    const std::uint32_t size = arguments_.window;
    ResidentMemory& memory = *arguments_.memory;
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

  ResidentBlock& block_;
  const ResidentArguments& arguments_;
  DevicePort port_;
  TelemetryBlock counts_;
  std::uint32_t turn_ = 0;
  bool is_running_ = false;
};

}  // namespace ringwave::ring::cuda
