// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

struct OpusDecoder;  // libopus's

namespace ringwave::client {

/// Bare Opus packets to interleaved stereo at 48 kHz.
class PacketDecoder {
 public:
  /// Throws OutOfMemory. [setup]
  PacketDecoder();

  /// The samples of a packet, until the next call; none for one that is damaged. [any]
  [[nodiscard]] std::span<const float> decode(std::span<const std::byte> packet) noexcept;
  /// What may have been in a packet that is lost, so many frames, up to 5760. [any]
  [[nodiscard]] std::span<const float> conceal(int frames) noexcept;

 private:
  struct Destroy {
    void operator()(OpusDecoder* decoder) const noexcept;
  };
  [[nodiscard]] std::span<const float> made(int frames) const noexcept;

  std::unique_ptr<OpusDecoder, Destroy> decoder_;
  std::vector<float> samples_;
};

}  // namespace ringwave::client
