// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ringwave/music/conductor.hpp"
#include "ringwave/synth/midi_performance.hpp"
#include "ringwave/synth/performer.hpp"

namespace ringwave::synth {

/// Something to be played, in the order of time. Its parts are what sounds alike: the layers of a composed
/// piece, the voices of a MIDI file.
class Piece {
 public:
  struct Note {
    Performer::Note played;
    std::size_t part = 0;
  };

  virtual ~Piece() = default;

  /// The notes that were not given yet, at least those that begin before a frame. [setup]
  [[nodiscard]] virtual std::vector<Note> notes_until(std::int64_t frame) = 0;
  /// All of them. [setup]
  [[nodiscard]] virtual std::vector<Performer::Bend> bends() const = 0;
  /// The names of its parts. [any]
  [[nodiscard]] virtual std::span<const std::string> parts() const noexcept = 0;
  /// Where the last note is let go; nothing where there is always another. [any]
  [[nodiscard]] virtual std::optional<std::int64_t> end_frame() const noexcept = 0;
  /// The same from the beginning. [setup]
  [[nodiscard]] virtual std::unique_ptr<Piece> again() const = 0;
};

/// What a seed makes of settings: without end.
class ComposedPiece final : public Piece {
 public:
  /// The melody is played with the patch of that number, where there is one. Throws as Conductor. [setup]
  ComposedPiece(const music::Settings& settings, std::uint64_t seed, int sample_rate_hz,
                std::optional<std::uint8_t> melody_patch = {});

  [[nodiscard]] std::vector<Note> notes_until(std::int64_t frame) override;
  [[nodiscard]] std::vector<Performer::Bend> bends() const override { return {}; }
  [[nodiscard]] std::span<const std::string> parts() const noexcept override;
  [[nodiscard]] std::optional<std::int64_t> end_frame() const noexcept override { return {}; }
  [[nodiscard]] std::unique_ptr<Piece> again() const override;

 private:
  music::Settings settings_;
  std::uint64_t seed_;
  int sample_rate_hz_;
  std::optional<std::uint8_t> melody_patch_;
  music::Conductor conductor_;
};

/// A MIDI file.
class MidiPiece final : public Piece {
 public:
  /// All but percussion is played with the patch of that number, where there is one. [setup]
  explicit MidiPiece(std::shared_ptr<const MidiPerformance> performance,
                     std::optional<std::uint8_t> patch = {});

  [[nodiscard]] std::vector<Note> notes_until(std::int64_t frame) override;
  [[nodiscard]] std::vector<Performer::Bend> bends() const override;
  [[nodiscard]] std::span<const std::string> parts() const noexcept override;
  [[nodiscard]] std::optional<std::int64_t> end_frame() const noexcept override;
  [[nodiscard]] std::unique_ptr<Piece> again() const override;

 private:
  std::shared_ptr<const MidiPerformance> performance_;
  std::optional<std::uint8_t> patch_;
  std::vector<Performer::Note> notes_;
  std::size_t next_ = 0;
};

/// Shows every note that begins before a frame, from the piece's first on. [setup]
void for_each_note(const Piece& piece, std::int64_t end_frame,
                   const std::function<void(const Piece::Note&)>& see);

/// The parts that have a note before a frame, by their numbers. [setup]
[[nodiscard]] std::vector<std::size_t> playing_parts(const Piece& piece, std::int64_t end_frame);

}  // namespace ringwave::synth
