// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "apps/client/opus_decoder.hpp"
#include "ringwave/core/block_view.hpp"
#include "ringwave/stream/frame_header.hpp"

namespace ringwave::client {

/// The sound of a station from its frames, with everything at its time: what is missing is concealed for a
/// tenth of a second and is silence from there on. Where the station had stopped, or more than ten seconds
/// are missing, nothing is put in between.
class StreamSound {
 public:
  using Take = std::function<void(BlockView<const float>)>;

  /// `take` is given left and right, in order. [setup]
  explicit StreamSound(Take take) : take_(std::move(take)) {}

  /// The next frame, which is not one that was there before. What is damaged counts as missing. [setup]
  void add(const stream::FrameHeader& header, std::span<const std::byte> payload);

  /// Frames that could not be decoded. [any]
  [[nodiscard]] std::uint64_t damaged() const noexcept { return damaged_; }

 private:
  void fill(std::int64_t frames);
  void give(std::span<const float> interleaved);
  [[nodiscard]] std::span<const float> samples_of(const stream::FrameHeader& header,
                                                  std::span<const std::byte> payload);

  Take take_;
  PacketDecoder decoder_;
  std::optional<std::uint64_t> next_time_;
  bool is_opus_ = false;
  std::vector<float> interleaved_;
  std::vector<float> planes_;
  std::uint64_t damaged_ = 0;
};

}  // namespace ringwave::client
