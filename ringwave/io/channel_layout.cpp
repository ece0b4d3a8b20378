// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/channel_layout.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

namespace ringwave::io {
namespace {

constexpr std::array<Speakers, 9> kUsual{0, 0x4, 0x3, 0x7, 0x33, 0x37, 0x3f, 0x70f, 0x63f};

template <class Place>
void reorder(const ChannelOrder& order, std::span<float> interleaved, Place place) {
  if (order.empty()) return;
  std::vector<float> frame(order.size());
  for (std::size_t begin = 0; begin + order.size() <= interleaved.size(); begin += order.size()) {
    std::copy_n(interleaved.begin() + static_cast<std::ptrdiff_t>(begin), order.size(), frame.begin());
    for (std::size_t c = 0; c < order.size(); ++c)
      place(interleaved.subspan(begin, order.size()), frame, c, static_cast<std::size_t>(order[c]));
  }
}

}  // namespace

Speakers usual_speakers(int channels) noexcept {
  return channels >= 0 && channels < static_cast<int>(kUsual.size())
             ? kUsual[static_cast<std::size_t>(channels)]
             : 0;
}

bool are_usual(Speakers speakers, int channels) noexcept {
  const Speakers usual = usual_speakers(channels);
  const bool only_side = (speakers & kSideLeftAndRight) == kSideLeftAndRight &&
                         (speakers & kBackLeftAndRight) == 0 && (usual & kSideLeftAndRight) == 0;
  return speakers == usual || (only_side && (speakers ^ kSideLeftAndRight ^ kBackLeftAndRight) == usual);
}

ChannelOrder vorbis_order(int channels) {
  switch (channels) {
    case 3:
      return {0, 2, 1};
    case 5:
      return {0, 2, 1, 3, 4};
    case 6:
      return {0, 2, 1, 4, 5, 3};
    case 7:
      return {0, 2, 1, 5, 6, 4, 3};
    case 8:
      return {0, 2, 1, 6, 7, 4, 5, 3};
    default:
      return {};
  }
}

std::optional<ChannelOrder> order_of(std::span<const Speakers> stream) {
  Speakers all = 0;
  for (const Speakers speaker : stream) {
    if (!std::has_single_bit(speaker) || (all & speaker) != 0) return std::nullopt;
    all |= speaker;
  }
  ChannelOrder order;
  for (const Speakers speaker : stream) order.push_back(std::popcount(all & (speaker - 1)));
  return std::ranges::is_sorted(order) ? ChannelOrder{} : order;
}

void from_stream(const ChannelOrder& order, std::span<float> interleaved) {
  reorder(order, interleaved,
          [](std::span<float> to, const std::vector<float>& from, std::size_t stream, std::size_t ours) {
            to[ours] = from[stream];
          });
}

void to_stream(const ChannelOrder& order, std::span<float> interleaved) {
  reorder(order, interleaved,
          [](std::span<float> to, const std::vector<float>& from, std::size_t stream, std::size_t ours) {
            to[stream] = from[ours];
          });
}

}  // namespace ringwave::io
