// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/ogg_page_parser.hpp"

#include <algorithm>

namespace ringwave::stream {
namespace {

constexpr std::array kMagic{std::byte{'O'}, std::byte{'g'}, std::byte{'g'}, std::byte{'S'}};
constexpr std::size_t kFlagsAt = 5;
constexpr std::size_t kPositionAt = 6;
constexpr std::size_t kStreamAt = 14;
constexpr std::size_t kSequenceAt = 18;
constexpr std::size_t kSegmentsAt = 26;
constexpr std::byte kBegins{2};
constexpr std::byte kEnds{4};

template <class Number>
Number little_endian(std::span<const std::byte> bytes) noexcept {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < sizeof(Number); ++i)
    number |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * i);
  return static_cast<Number>(number);
}

}  // namespace

bool OggPageParser::take_head(std::span<const std::byte>& bytes) noexcept {
  for (;;) {
    const std::size_t wanted =
        taken_ < kHeadBytes ? kHeadBytes : kHeadBytes + std::to_integer<std::size_t>(head_[kSegmentsAt]);
    if (taken_ == wanted) return true;
    if (bytes.empty()) return false;
    head_[taken_] = bytes.front();
    bytes = bytes.subspan(1);
    if (taken_ >= kMagic.size() || head_[taken_] == kMagic[taken_]) {
      ++taken_;
      continue;
    }
    // The letters differ but for the two in the middle: only an O can begin a page anew.
    const bool begins_anew = head_[taken_] == kMagic.front();
    skipped_ += taken_ + (begins_anew ? 0 : 1);
    head_.front() = kMagic.front();
    taken_ = begins_anew ? 1 : 0;
  }
}

void OggPageParser::read_head() noexcept {
  const std::span head(head_);
  payload_left_ = 0;
  for (const std::byte length : head.first(taken_).subspan(kHeadBytes))
    payload_left_ += std::to_integer<std::size_t>(length);
  page_ = Page{.begins_stream = (head[kFlagsAt] & kBegins) != std::byte{0},
               .ends_stream = (head[kFlagsAt] & kEnds) != std::byte{0},
               .position = little_endian<std::uint64_t>(head.subspan(kPositionAt)),
               .stream = little_endian<std::uint32_t>(head.subspan(kStreamAt)),
               .sequence = little_endian<std::uint32_t>(head.subspan(kSequenceAt)),
               .bytes = taken_ + payload_left_};
  taken_ = 0;
}

std::optional<OggPageParser::Page> OggPageParser::next(std::span<const std::byte>& bytes) noexcept {
  if (!page_) {
    if (!take_head(bytes)) return {};
    read_head();
  }
  const std::size_t part = std::min(payload_left_, bytes.size());
  payload_left_ -= part;
  bytes = bytes.subspan(part);
  if (payload_left_ > 0) return {};
  const auto whole = page_;
  page_.reset();
  return whole;
}

}  // namespace ringwave::stream
