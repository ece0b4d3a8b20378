// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ringwave/music/form.hpp"
#include "ringwave/music/note.hpp"

namespace ringwave::music {

/// Kicks, hats and swells of noise. The fuller a bar, the more of them; a kick or a hat comes a few
/// milliseconds late, as hands do.
class Percussion {
 public:
  static constexpr std::uint8_t kKickPitch = 36;   ///< of General MIDI: bass drum 1
  static constexpr std::uint8_t kHatPitch = 42;    ///< closed hi-hat
  static constexpr std::uint8_t kSwellPitch = 55;  ///< splash cymbal

  explicit Percussion(std::uint64_t seed) noexcept : seed_(seed) {}

  /// The notes of a phrase. [setup]
  [[nodiscard]] std::vector<Note> kicks(std::int64_t phrase, const Form& form) const;
  [[nodiscard]] std::vector<Note> hats(std::int64_t phrase, const Form& form) const;
  [[nodiscard]] std::vector<Note> swells(std::int64_t phrase, const Form& form) const;

 private:
  std::uint64_t seed_;
};

}  // namespace ringwave::music
