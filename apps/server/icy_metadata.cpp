// SPDX-License-Identifier: Apache-2.0
#include "apps/server/icy_metadata.hpp"

#include <algorithm>

namespace ringwave::server {
namespace {

constexpr std::size_t kUnit = 16;
constexpr std::size_t kLongestTitle = 200;
constexpr std::byte kNothingNew{0};

}  // namespace

std::vector<std::byte> icy_block(const std::string& title) {
  std::string text = "StreamTitle='" + title.substr(0, kLongestTitle);
  std::replace(text.begin() + 13, text.end(), '\'', ' ');  // players look for the next quote
  text += "';";
  const std::size_t units = (text.size() + kUnit - 1) / kUnit;
  text.resize(units * kUnit, '\0');
  std::vector<std::byte> block{static_cast<std::byte>(units)};
  for (const char letter : text) block.push_back(static_cast<std::byte>(letter));
  return block;
}

std::vector<std::span<const std::byte>> IcyMetadata::woven(
    std::span<const std::span<const std::byte>> sound) {
  std::vector<std::byte> block = icy_block(title_);
  is_told_ = is_told_ && block == block_;
  block_ = std::move(block);
  std::vector<std::span<const std::byte>> made;
  for (const auto piece : sound) weave(piece, made);
  return made;
}

void IcyMetadata::weave(std::span<const std::byte> piece, std::vector<std::span<const std::byte>>& made) {
  while (piece.size() >= left_) {
    made.push_back(piece.first(left_));
    made.push_back(is_told_ ? std::span(&kNothingNew, 1) : std::span<const std::byte>(block_));
    piece = piece.subspan(left_);
    left_ = kInterval;
    is_told_ = true;
  }
  if (!piece.empty()) made.push_back(piece);
  left_ -= piece.size();
}

}  // namespace ringwave::server
