// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

namespace ringwave {

/// A block of audio that somebody else owns: `channels` planes of `frames` samples, each plane contiguous,
/// the planes `stride` samples apart. The memory may be the host's or a device's; a view does not know.
template <class Sample>
class BlockView {
 public:
  constexpr BlockView() noexcept = default;

  /// Planes that are `stride` samples apart. [any]
  constexpr BlockView(Sample* data, int channels, int frames, std::ptrdiff_t stride) noexcept
      : data_(data), stride_(stride), channels_(channels), frames_(frames) {}

  /// Planes that follow each other without a gap. [any]
  constexpr BlockView(Sample* data, int channels, int frames) noexcept
      : BlockView(data, channels, frames, frames) {}

  /// One channel: a span, a vector, an array. [any]
  template <class Range>
  requires std::is_constructible_v<std::span<Sample>, Range>
  // NOLINTNEXTLINE(bugprone-forwarding-reference-overload): the requirement keeps copies out
  constexpr BlockView(Range&& mono) noexcept
      : BlockView(std::span<Sample>(mono).data(), 1, static_cast<int>(std::span<Sample>(mono).size())) {}

  /// What may be written may be read. [any]
  template <class Writable>
  requires(std::is_same_v<const Writable, Sample> &&
           !std::is_const_v<Writable>) constexpr BlockView(BlockView<Writable> block) noexcept
      : BlockView(block.data(), block.channels(), block.frames(), block.stride()) {}

  [[nodiscard]] constexpr Sample* data() const noexcept { return data_; }
  [[nodiscard]] constexpr int channels() const noexcept { return channels_; }
  [[nodiscard]] constexpr int frames() const noexcept { return frames_; }
  [[nodiscard]] constexpr std::ptrdiff_t stride() const noexcept { return stride_; }
  [[nodiscard]] constexpr bool empty() const noexcept { return channels_ <= 0 || frames_ <= 0; }

  /// The samples of one channel. [any]
  [[nodiscard]] constexpr std::span<Sample> channel(int index) const noexcept {
    return {data_ + index * stride_, static_cast<std::size_t>(frames_)};
  }

  /// `count` frames of every channel, from frame `first` on. [any]
  [[nodiscard]] constexpr BlockView slice(int first, int count) const noexcept {
    return {data_ + first, channels_, count, stride_};
  }

 private:
  Sample* data_ = nullptr;
  std::ptrdiff_t stride_ = 0;
  int channels_ = 0;
  int frames_ = 0;
};

static_assert(std::is_trivially_copyable_v<BlockView<float>>, "a view crosses queues and kernels by value");

}  // namespace ringwave
