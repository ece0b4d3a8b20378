// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "ringwave/core/clock.hpp"

namespace ringwave::stream {

/// A piece of a station's sound in one format: made once, shared by all who hear it. Of the bare formats, PCM
/// and Opus, the bytes begin with a FrameHeader.
struct Packet {
  std::uint64_t sequence = 0;  ///< of the broadcast, one more than that of the packet before
  std::int64_t sample_time = 0;
  Clock::Time due{};  ///< when its last frame should have been rendered
  std::vector<std::byte> bytes;
};
using PacketPtr = std::shared_ptr<const Packet>;

}  // namespace ringwave::stream
