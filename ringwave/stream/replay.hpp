// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ringwave/stream/phrase.hpp"
#include "ringwave/synth/piece.hpp"

namespace ringwave::stream {

/// What a station played, once more: the phrases that it had, from a sample time on, and after the last of
/// them whatever their settings lead to.
class Replay final : public synth::Piece {
 public:
  /// At least one phrase, in order. Throws InvalidArgument for none. [setup]
  Replay(std::vector<Phrase> phrases, std::uint64_t seed, int sample_rate_hz, std::int64_t from);

  [[nodiscard]] std::vector<Note> notes_until(std::int64_t frame) override;
  [[nodiscard]] std::vector<synth::Performer::Bend> bends() const override { return {}; }
  [[nodiscard]] std::span<const std::string> parts() const noexcept override { return names_.parts(); }
  [[nodiscard]] std::optional<std::int64_t> end_frame() const noexcept override { return {}; }
  [[nodiscard]] std::unique_ptr<synth::Piece> again() const override;

 private:
  std::vector<Phrase> phrases_;
  std::uint64_t seed_;
  int sample_rate_hz_;
  std::int64_t from_;
  std::size_t next_ = 0;
  music::Conductor conductor_;
  synth::ComposedPiece names_;  // has the parts of all composed pieces
};

}  // namespace ringwave::stream
