// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "bench/case.hpp"
#include "ringwave/core/device.hpp"

namespace ringwave::bench {

/// The least that a round trip between the host and a GPU takes by what CUDA offers: a word in pinned memory
/// each way, and a resident kernel of one thread that looks at the one and stores what it finds into the
/// other. CUDA's driver library is opened at run time, so that the benches need no CUDA to be built.
///
/// Other kernels may be resident while there is an Awake, which waits for none of them; but not when a
/// Mailbox is made or goes, because loading a kernel and freeing memory wait for all work of the device.
class Mailbox {
 public:
  /// Loads the kernel and runs it once, so that nothing is left to do at its first use. Throws
  /// DeviceUnavailable where the driver is absent or refuses. [setup]
  explicit Mailbox(Device device);
  ~Mailbox();
  Mailbox(const Mailbox&) = delete;  // a kernel knows its memory
  Mailbox& operator=(const Mailbox&) = delete;

  /// The kernel is on the device as long as this lives, one at a time. It has to go before what frees memory
  /// of the device does.
  class Awake {
   public:
    explicit Awake(Mailbox& owner);
    ~Awake();
    Awake(const Awake&) = delete;  // one of them ends the kernel
    Awake& operator=(const Awake&) = delete;

   private:
    Mailbox& owner_;
  };

  /// False where the kernel does not answer; then it never will. [any]
  [[nodiscard]] bool round_trip() noexcept;

  [[nodiscard]] Check check() const;

 private:
  struct Driver;
  struct Pieces;

  std::unique_ptr<Pieces> pieces_;
  std::uint64_t number_ = 0;
  bool is_silent_ = false;
};

}  // namespace ringwave::bench
