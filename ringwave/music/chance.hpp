// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ringwave::music {

/// Dice that are thrown once for each place of a piece: what falls depends on the seed, on what it is for and
/// on where it is, never on what was asked before. So bar 1,000 can be composed without the first 999, and
/// the same on every machine: only whole numbers are used.
class Chance {
 public:
  /// What the dice decide; each has numbers of its own.
  enum class For : std::uint64_t {
    form = 1,
    phrase_start,
    progression,
    chord_shape,
    voicing,
    motif,
    melody,
    bass,
    bells,
    kicks,
    swells,
    hats,
  };

  /// `place` is a bar, a phrase or a section: whatever the decision belongs to. [any]
  constexpr Chance(std::uint64_t seed, For purpose, std::int64_t place) noexcept
      : state_(mixed(mixed(seed + kStep) + static_cast<std::uint64_t>(purpose) * kStep) ^
               mixed(static_cast<std::uint64_t>(place) + kStep)) {}

  /// All 64 bits are random. [any]
  constexpr std::uint64_t next() noexcept { return mixed(state_ += kStep); }

  /// From 0 to `count` - 1, all alike. Expects a positive count. [any]
  constexpr int below(int count) noexcept {
    return static_cast<int>(((next() >> 32) * static_cast<std::uint64_t>(count)) >> 32);
  }

  /// From `least` to `most`, both among them. [any]
  constexpr int between(int least, int most) noexcept { return least + below(most - least + 1); }

  /// True so many times in a thousand. [any]
  constexpr bool happens(int permille) noexcept { return below(1000) < permille; }

  /// A place of `weights`, as often as its weight says. Expects weights of 0 or more with a positive sum.
  /// [any]
  constexpr std::size_t pick(std::span<const int> weights) noexcept {
    int sum = 0;
    for (const int weight : weights) sum += weight;
    int left = below(sum);
    std::size_t place = 0;
    while (left >= weights[place]) left -= weights[place++];
    return place;
  }

 private:
  static constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15U;  // 2^64 over the golden ratio

  /// A bijection whose every output bit hangs on every input bit: that of Steele, Lea and Flood's SplitMix.
  static constexpr std::uint64_t mixed(std::uint64_t bits) noexcept {
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
    return bits ^ (bits >> 31);
  }

  std::uint64_t state_;
};

}  // namespace ringwave::music
