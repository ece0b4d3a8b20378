// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ringwave::server {

/// Titles within an MP3, as Icecast's players want them: after every kInterval bytes of sound a byte that
/// says how long the title is, in units of 16 bytes, and the title; 0 where it is still the same.
class IcyMetadata {
 public:
  static constexpr std::size_t kInterval = 16000;

  /// What the next block says, from the next woven() on. [any]
  void set_title(std::string title) { title_ = std::move(title); }

  /// The pieces of sound with the titles between them. They stay where they are; titles live in here until
  /// the next call. [any]
  [[nodiscard]] std::vector<std::span<const std::byte>> woven(
      std::span<const std::span<const std::byte>> sound);

 private:
  void weave(std::span<const std::byte> piece, std::vector<std::span<const std::byte>>& made);

  std::string title_;
  std::vector<std::byte> block_;
  bool is_told_ = true;
  std::size_t left_ = kInterval;
};

/// The bytes of a title: their length in units of 16 bytes, and StreamTitle='…'; with zeros to the end. [any]
[[nodiscard]] std::vector<std::byte> icy_block(const std::string& title);

}  // namespace ringwave::server
