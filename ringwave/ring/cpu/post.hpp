// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <utility>

#include "ringwave/ring/cpu/band_queue.hpp"
#include "ringwave/ring/cpu/doorbell.hpp"
#include "ringwave/ring/kernel_host.hpp"
#include "ringwave/ring/message_id.hpp"
#include "ringwave/ring/slot_ring.hpp"
#include "ringwave/ring/verdict.hpp"

namespace ringwave::ring {

/// All that a kernel on the CPU shares with its senders and with its successors after a restart.
struct Post {
  explicit Post(HostRequest made)
      : request(std::move(made)),
        bands{make_band(0), make_band(1), make_band(2), make_band(3)},
        outbox(Device::cpu(), request.spec.outbox_capacity, request.spec.max_payload_bytes),
        dead(Device::cpu(), request.spec.outbox_capacity, request.spec.max_payload_bytes) {}

  /// Tells whoever waits for the answer to that message what became of it. [any]
  void answer(const MessageHead& head, Delivery delivery) const noexcept {
    tell_verdict(*request.desk, head, delivery);
  }

  HostRequest request;
  std::atomic<Command> command{Command::hold};
  Doorbell doorbell;
  std::array<BandQueue, kBands> bands;
  SlotRing outbox;
  SlotRing dead;
  TelemetryBlock counts{};
  LatencyBuckets latency{};
  std::uint64_t outbox_tail = 0;  // of the actor that has not been given up
  std::uint64_t dead_tail = 0;

 private:
  [[nodiscard]] BandQueue make_band(std::size_t band) const {
    const KernelSpec& spec = request.spec;
    // A sender that drops the oldest message takes it.
    return {spec.inbox_capacity, spec.max_payload_bytes, message_id(request.number, band, 0),
            spec.backpressure == Backpressure::drop_oldest ? Readers::many : Readers::one};
  }
};

}  // namespace ringwave::ring
