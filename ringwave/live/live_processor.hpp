// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "ringwave/core/block_view.hpp"
#include "ringwave/core/device.hpp"
#include "ringwave/core/realtime.hpp"
#include "ringwave/core/status.hpp"
#include "ringwave/live/block_port.hpp"
#include "ringwave/live/live_spec.hpp"
#include "ringwave/live/way.hpp"
#include "ringwave/ring/kernel.hpp"

namespace ringwave::live {

class RingPort;

/// What a live processor counts of itself.
struct LiveCounts {
  std::uint64_t blocks = 0;             ///< that were answered with `ok`
  std::uint64_t missed = 0;             ///< that were silence: late, refused by a full queue, or not running
  std::uint64_t nonfinite_samples = 0;  ///< that came in and were taken for silence
};

/// Audio in, audio out, a block at a time and before a deadline: by a message to a ring kernel, by a graph or
/// by launches. A NaN or an infinite sample counts as silence.
///
/// One thread calls process(), reset() and what changes settings.
class LiveProcessor {
 public:
  virtual ~LiveProcessor();
  LiveProcessor(const LiveProcessor&) = delete;  // a kernel runs for it
  LiveProcessor& operator=(const LiveProcessor&) = delete;

  /// `in` through the processor into `out`, both in host memory; they may be the same. On anything but `ok`
  /// the output is silence. A block that is `late` may still have been heard by the processor, or not; the
  /// next one is processed as if nothing had been. [audio]
  RW_REALTIME Status process(BlockView<const float> in, BlockView<float> out) noexcept;

  /// Forgets the past before the next block, keeps the settings. [audio]
  RW_REALTIME Status reset() noexcept;

  /// Begins anew with the present settings where the kernel has ended or failed. Not beside process(). Throws
  /// what making one does. [setup]
  virtual void recover() = 0;

  [[nodiscard]] LiveCounts counts() const noexcept;  ///< [any]
  /// Where it runs; never `auto`. [any]
  [[nodiscard]] Device device() const noexcept { return device_; }
  /// How; never `automatic`. [any]
  [[nodiscard]] Way way() const noexcept { return way_; }
  /// The ring kernel behind it, for its telemetry; null where there is none. [any]
  [[nodiscard]] const ring::Kernel* kernel() const noexcept;

 protected:
  /// Throws InvalidArgument for a shape, rate or deadline out of range. `name` outlives it. [setup]
  LiveProcessor(const char* name, const LiveSpec& spec, int most_channels, std::size_t most_samples);

  /// As it was asked for, with the deadline that it has. [any]
  [[nodiscard]] const LiveSpec& spec() const noexcept { return spec_; }
  /// The one for the way. [setup]
  void use(std::unique_ptr<BlockPort> port) { port_ = std::move(port); }
  void use(std::unique_ptr<RingPort> port);
  [[nodiscard]] RingPort* ring() const noexcept { return ring_; }

 private:
  [[nodiscard]] std::uint64_t take(BlockView<const float> in) noexcept;

  const char* name_;
  LiveSpec spec_;
  Device device_;
  Way way_;
  std::unique_ptr<BlockPort> port_;
  RingPort* ring_ = nullptr;
  std::atomic<std::uint64_t> blocks_{0};
  std::atomic<std::uint64_t> missed_{0};
  std::atomic<std::uint64_t> nonfinite_{0};
};

}  // namespace ringwave::live
