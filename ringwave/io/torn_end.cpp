// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/torn_end.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "ringwave/io/mp3_extent.hpp"
#include "ringwave/io/tags/ogg_head.hpp"

namespace ringwave::io {
namespace {

using Family = FileSignature::Family;
using Bytes = std::span<const std::byte>;

constexpr std::uint32_t kUnknown32 = std::numeric_limits<std::uint32_t>::max();
constexpr int kMostChunks = 10'000;

/// Bytes of the source from `position` on; fewer at its end.
std::vector<std::byte> bytes_at(ByteSource& source, std::int64_t position, std::size_t count) {
  std::vector<std::byte> bytes(count);
  bytes.resize(source.seek(position) ? source.read(bytes) : 0);
  return bytes;
}

std::uint64_t big_endian(Bytes bytes) {
  std::uint64_t value = 0;
  for (const std::byte b : bytes) value = value << 8U | std::to_integer<std::uint64_t>(b);
  return value;
}

std::uint64_t little_endian(Bytes bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8U | std::to_integer<std::uint64_t>(bytes[i]);
  return value;
}

bool is_text(Bytes bytes, std::string_view text) {
  return bytes.size() >= text.size() && std::memcmp(bytes.data(), text.data(), text.size()) == 0;
}

using Promise = std::optional<std::uint64_t>;

/// Of RIFF and FORM: their own size, and the end of every chunk that begins within the file.
Promise chunks_end(ByteSource& source, std::uint64_t whole, bool is_big_endian) {
  const auto number = is_big_endian ? big_endian : little_endian;
  const auto size = static_cast<std::uint64_t>(*source.size());
  std::uint64_t position = 12;
  for (int i = 0; i < kMostChunks && position < size; ++i) {
    const auto head = bytes_at(source, static_cast<std::int64_t>(position), 8);
    if (head.size() < 8 || is_text(head, std::string_view("\0", 1))) break;
    const std::uint64_t bytes = number(Bytes(head).subspan(4));
    const std::uint64_t end = position + 8 + bytes;
    const bool samples = is_text(head, "data") || is_text(head, "SSND");
    // The byte that makes an odd number of them even is often not there.
    if (samples && bytes != kUnknown32) whole = std::max(whole - 1, end);
    if (samples) break;
    position = end + bytes % 2;
  }
  return whole;
}

Promise wav_promise(ByteSource& source, const FileSignature& signature) {
  const auto head = bytes_at(source, 0, 28);
  if (head.size() < 28 || !signature.corrections.empty()) return std::nullopt;
  if (is_text(head, "RF64"))
    return is_text(Bytes(head).subspan(12), "ds64") ? Promise(little_endian(Bytes(head).subspan(20, 8)) + 8)
                                                    : std::nullopt;
  const std::uint64_t riff_bytes = little_endian(Bytes(head).subspan(4, 4));
  // What programs write into a pipe is no promise.
  const bool unknown = riff_bytes == 0 || riff_bytes >= 0x7ffff000U;
  const bool streamed = unknown && (riff_bytes == kUnknown32 || riff_bytes < 0x80000100U);
  return streamed ? std::nullopt : chunks_end(source, riff_bytes + 8, false);
}

Promise aiff_promise(ByteSource& source) {
  const auto head = bytes_at(source, 0, 12);
  if (head.size() < 12) return std::nullopt;
  return chunks_end(source, big_endian(Bytes(head).subspan(4, 4)) + 8, true);
}

Promise w64_promise(ByteSource& source) {
  const auto head = bytes_at(source, 0, 24);
  return head.size() < 24 ? std::nullopt : Promise(little_endian(Bytes(head).subspan(16)));
}

Promise au_promise(ByteSource& source) {
  const auto head = bytes_at(source, 0, 12);
  if (head.size() < 12) return std::nullopt;
  const std::uint64_t data_bytes = big_endian(Bytes(head).subspan(8));
  return data_bytes == kUnknown32 ? std::nullopt
                                  : Promise(big_endian(Bytes(head).subspan(4, 4)) + data_bytes);
}

/// The end that a CAF file's chunks say; `samples_size` is where the size of its samples stands.
Promise caf_promise(ByteSource& source, std::int64_t& samples_size) {
  constexpr std::uint64_t kUnknown64 = std::numeric_limits<std::uint64_t>::max();
  const auto size = static_cast<std::uint64_t>(*source.size());
  std::uint64_t position = 8;
  for (int i = 0; i < kMostChunks && position < size; ++i) {
    const auto head = bytes_at(source, static_cast<std::int64_t>(position), 12);
    if (head.size() < 12) break;
    const std::uint64_t bytes = big_endian(Bytes(head).subspan(4));
    if (is_text(head, "data")) samples_size = static_cast<std::int64_t>(position) + 4;
    if (bytes > kUnknown64 / 2) return std::nullopt;  // to the end, or a header of nonsense
    position += 12 + bytes;
  }
  return position;
}

/// The size of the samples that are there, in Apple's order of bytes.
std::vector<FileSignature::Correction> caf_size(std::int64_t at, std::int64_t file_bytes) {
  constexpr std::int64_t kSizeBytes = 8;
  const auto bytes = static_cast<std::uint64_t>(file_bytes - at - kSizeBytes);
  return {{at, __builtin_bswap32(static_cast<std::uint32_t>(bytes >> 32U))},
          {at + 4, __builtin_bswap32(static_cast<std::uint32_t>(bytes))}};
}

struct OggEnd {
  bool is_last = false;       // by its own word
  std::int64_t granules = 0;  // its moment
};

/// The last whole page; one that is not the file's last where a part of another follows.
OggEnd ogg_end(ByteSource& source) {
  constexpr std::int64_t kMostPageBytes = 27 + 255 + 255 * 255;
  constexpr std::size_t kHeadBytes = 27;
  constexpr std::size_t kFlagsAt = 5;
  constexpr std::size_t kGranulesAt = 6;
  constexpr unsigned kLast = 0x04;
  const std::int64_t begin = std::max<std::int64_t>(0, *source.size() - 2 * kMostPageBytes);
  const auto tail = bytes_at(source, begin, static_cast<std::size_t>(*source.size() - begin));
  OggEnd end;
  for (std::size_t at = 0; at + kHeadBytes <= tail.size(); ++at) {
    const Bytes rest = Bytes(tail).subspan(at);
    if (!is_text(rest, "OggS")) continue;
    const auto segments = std::to_integer<std::size_t>(rest[kHeadBytes - 1]);
    std::size_t bytes = kHeadBytes + segments;
    if (bytes <= rest.size())
      for (const std::byte length : rest.subspan(kHeadBytes, segments))
        bytes += std::to_integer<std::size_t>(length);
    end.is_last = bytes <= rest.size() && (std::to_integer<unsigned>(rest[kFlagsAt]) & kLast) != 0;
    if (bytes > rest.size()) break;
    const auto granules = static_cast<std::int64_t>(little_endian(rest.subspan(kGranulesAt, 8)));
    if (granules >= 0) end.granules = granules;  // -1: no packet ends on it
    at += bytes - 1;
  }
  return end;
}

std::optional<std::string> ogg_torn(ByteSource& source) {
  const OggEnd end = ogg_end(source);
  if (end.is_last) return std::nullopt;
  const OggHead head = OggHead::read(source);
  const double seconds = head.seconds(end.granules - head.first_granules);
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "its last page is missing, %.2f s are there", seconds);
  return text.data();
}

std::string of(std::uint64_t there, std::uint64_t promised, const char* unit) {
  return std::to_string(there) + " of " + std::to_string(promised) + " " + unit + " are there";
}

std::optional<std::string> mp3_torn(ByteSource& source) {
  const Mp3Extent extent = Mp3Extent::read(source);
  if (!extent.is_torn()) return std::nullopt;
  const auto there = static_cast<std::uint64_t>(extent.sample_frames);
  if (!extent.promised_sample_frames) return "its last frame is not whole";
  return of(there, static_cast<std::uint64_t>(*extent.promised_sample_frames), "frames");
}

/// Where a size promises more bytes than are there.
std::optional<TornEnd> torn_by_size(ByteSource& source, const FileSignature& signature) {
  std::int64_t samples_size = 0;
  const Promise promise = [&]() -> Promise {
    switch (signature.family) {
      case Family::wav:
        return wav_promise(source, signature);
      case Family::aiff:
        return aiff_promise(source);
      case Family::w64:
        return w64_promise(source);
      case Family::au:
        return au_promise(source);
      case Family::caf:
        return caf_promise(source, samples_size);
      default:
        return std::nullopt;
    }
  }();
  const auto there = static_cast<std::uint64_t>(*source.size());
  if (!promise || *promise <= there) return std::nullopt;
  TornEnd torn{of(there, *promise, "bytes")};
  if (samples_size > 0) torn.corrections = caf_size(samples_size, *source.size());
  return torn;
}

}  // namespace

std::optional<TornEnd> torn_end(ByteSource& source, const FileSignature& signature) {
  if (!source.size()) return std::nullopt;
  std::optional<TornEnd> torn;
  if (signature.family == Family::mp3 || signature.family == Family::ogg) {
    auto missing = signature.family == Family::mp3 ? mp3_torn(source) : ogg_torn(source);
    if (missing) torn = TornEnd{std::move(*missing)};
  } else {
    torn = torn_by_size(source, signature);
  }
  source.seek(0);
  return torn;
}

}  // namespace ringwave::io
