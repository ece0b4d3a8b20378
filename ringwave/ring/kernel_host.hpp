// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ringwave/ring/buffer_reference.hpp"
#include "ringwave/ring/delivery.hpp"
#include "ringwave/ring/handler.hpp"
#include "ringwave/ring/kernel_phase.hpp"
#include "ringwave/ring/kernel_spec.hpp"
#include "ringwave/ring/letter.hpp"
#include "ringwave/ring/reply_desk.hpp"
#include "ringwave/ring/telemetry.hpp"
#include "ringwave/ring/whereabouts.hpp"

namespace ringwave::ring {

class KernelTable;

/// What a host is made from.
struct HostRequest {
  KernelSpec spec{};
  HandlerEntry handler{};
  std::vector<std::byte> state{};        ///< that every start begins with
  std::vector<std::uint16_t> targets{};  ///< kernels it may send to, in the order of the graph
  std::uint16_t number = 0;              ///< of the kernel
  std::shared_ptr<ReplyDesk> desk{};
  std::shared_ptr<KernelTable> table{};
  std::shared_ptr<Whereabouts> whereabouts{};
  Whereabouts::Place place = Whereabouts::kCpu;  ///< where it lives
  bool sends_by_host = false;                    ///< to kernels on the same GPU, too
};

/// One kernel where it runs: a thread, or a GPU. Kernel has checked all that comes in and keeps the policies;
/// a host moves messages.
class KernelHost {
 public:
  virtual ~KernelHost() = default;

  /// The kernels that this one may send to; before the first start. [setup]
  virtual void connect(std::span<const std::uint16_t> targets) = 0;
  /// Makes the kernel resident with fresh state; it holds. What waits in the queues stays. Throws what the
  /// device answers. [setup]
  virtual void start() = 0;
  virtual void command(Command command) noexcept = 0;
  [[nodiscard]] virtual Phase phase() const noexcept = 0;
  /// Looks whether the device has failed, which no kernel can say of itself; then the phase is `failed`.
  /// [setup]
  virtual void examine() noexcept {}
  /// True where the device has failed for good: start() would only throw. [any]
  [[nodiscard]] virtual bool device_lost() const noexcept { return false; }
  /// Waits until nothing of an ended or failed kernel is left; false where that takes past the deadline, and
  /// then it is left to itself for good. [setup]
  virtual bool join(std::int64_t deadline_ns) noexcept = 0;

  /// True where a message may refer to that memory of the host; elsewhere it travels inside. [any]
  [[nodiscard]] virtual bool takes(const BufferReference& /*reference*/) const noexcept { return false; }
  /// `full` where there is no room. A message by reference holds its parcel from here on. [any]
  virtual Delivery try_send(const MessageHead& head, const void* payload) noexcept = 0;
  /// Drops the oldest message of a band; false where that cannot be done at once. [any]
  virtual bool drop_oldest(std::size_t band) noexcept = 0;
  /// `empty` where there is none. [any]
  virtual Delivery try_receive(Letter& letter) noexcept = 0;
  virtual Delivery try_receive_dead(Letter& letter) noexcept = 0;
  /// Takes the next message of a band for a kernel on another device, whose number is its argument; false
  /// where there is none. The letter has room; one thread at a time. [any]
  virtual bool try_take_far(std::size_t /*band*/, Letter& /*letter*/) noexcept { return false; }
  /// Answers every waiting request with `why`, forgets every message, and says how many there were. The
  /// kernel does not run. [setup]
  virtual std::uint64_t clear(Delivery why) noexcept = 0;

  /// Messages that came into the inbox so far. [any]
  [[nodiscard]] virtual std::uint64_t sent() const noexcept = 0;
  [[nodiscard]] virtual std::uint64_t depth(std::size_t band) const noexcept = 0;
  [[nodiscard]] virtual TelemetryBlock counts() const noexcept = 0;
  [[nodiscard]] virtual LatencySummary latency() const noexcept = 0;
  /// Since when the present handler runs, by ring_now_ns(); 0: none does. [any]
  [[nodiscard]] virtual std::int64_t busy_since_ns() const noexcept = 0;
  /// Why it failed. [any]
  [[nodiscard]] virtual std::string failure() const = 0;
  /// Answers the message in hand with `failed`, for a handler that does not return. [setup]
  virtual void give_up(const std::string& reason) noexcept = 0;

  /// The handler's state, while the kernel holds or is gone. [setup]
  virtual void save_state(std::span<std::byte> state) = 0;
  virtual void load_state(std::span<const std::byte> state) = 0;
};

/// A kernel as a thread. [setup]
[[nodiscard]] std::unique_ptr<KernelHost> make_thread_host(HostRequest request);

}  // namespace ringwave::ring
