// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/ring/cuda/bus.cuh"
#include "ringwave/ring/cuda/resident_block.cuh"

namespace ringwave::ring::cuda {

/// The warp that carries the host's messages into the device's memory, where the host cannot store there
/// itself: it looks into the host's memory, over the bus, and copies the cells that it finds to the slot of
/// the same index. A long payload stays where it is.
///
/// A look loads, in one instruction, the next slot of every band, eight lanes each. That takes about a
/// microsecond, and looks of several warps get in each other's way: so there is one.
///
/// The host writes a slot of its ring only when the message that was in it before is settled; so the device's
/// slot is free, too.
class Courier {
 public:
  __device__ Courier(ResidentBlock& block, const ResidentArguments& arguments)
      : block_(block),
        mail_(arguments.mail),
        inbox_(arguments.inbox[0]),
        band_(threadIdx.x % 32 / 8),
        cell_(threadIdx.x % 8) {
    go_to(block.next[0][band_]);
  }

  /// Until the workers have left. [ring]
  __device__ void run() {
    std::uint32_t quiet = 0;
    while (__any_sync(kAll, block_.leaving != 0) == 0) {
      quiet = carry() ? 0 : quiet + 1;
      if (quiet > kAwake) __nanosleep(kNapNs);
    }
  }

 private:
  static constexpr std::uint32_t kAll = ~0U;
  static constexpr std::uint32_t kAwake = 1U << 20U;  // looks without a message until it naps: about a second
  static constexpr unsigned kNapNs = 500;

  /// The next message of every band that has one; true where any has.
  __device__ bool carry() {
    // What was carried before the last start the workers find without us, and then its slot is used again.
    const std::uint64_t next = __shfl_sync(kAll, const_cast<volatile std::uint64_t&>(block_.next[0][band_]),
                                           static_cast<int>(8 * band_));
    if (index_ < next) go_to(next);
    const uint4 value = bus_load(from_);
    const std::uint32_t seen = __ballot_sync(kAll, value.w == epoch_);
    if (seen == 0) return false;
    const std::uint32_t needed = needed_cells(value, band_);
    const bool is_whole = (seen >> 8 * band_ & needed) == needed;
    const std::uint32_t word = __shfl_sync(kAll, value.x, static_cast<int>(8 * band_));
    const bool has_more = WireHead::is_plain(word) || WireHead::bytes_of(word) > Slot::kMostCellBytes;
    if (__any_sync(kAll, is_whole && has_more) != 0)
      __threadfence_system();  // that is seen by who sees these
    if (is_whole && (needed >> cell_ & 1U) != 0)
      bus_store(inbox_.slot(index_, band_) + Slot::kCellBytes * cell_, value);
    if (is_whole) go_to(index_ + 1);
    return __any_sync(kAll, is_whole) != 0;
  }

  __device__ void go_to(std::uint64_t index) {
    index_ = index;
    epoch_ = mail_.epoch(index);
    from_ = mail_.slot(index, band_) + Slot::kCellBytes * cell_;
  }

  ResidentBlock& block_;
  const WireRing& mail_;
  const WireRing& inbox_;
  std::uint32_t band_;
  std::uint32_t cell_;
  std::uint64_t index_ = 0;
  std::uint32_t epoch_ = 0;
  const std::byte* from_ = nullptr;
};

}  // namespace ringwave::ring::cuda
