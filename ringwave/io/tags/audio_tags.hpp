// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ringwave/io/audio_format.hpp"

namespace ringwave::io {

/// What an audio file says beside its samples.
struct AudioTags {
  struct Text {
    std::string name;   ///< as Vorbis comments have it, in capitals: TITLE, ARTIST, TRACKNUMBER
    std::string value;  ///< UTF-8
    bool operator==(const Text&) const = default;
  };
  struct Picture {
    int kind = 3;  ///< as ID3 and FLAC number them; 3 is the front cover
    std::string mime;
    std::string description;
    std::vector<std::byte> data;
    int width = 0;  ///< these four only where the file says them, as FLAC and Vorbis comments do
    int height = 0;
    int bits_per_pixel = 0;
    int colours = 0;
    bool operator==(const Picture&) const = default;
  };
  struct Cue {
    std::int64_t frame = 0;
    std::string label;
    bool operator==(const Cue&) const = default;
  };
  struct Loop {
    enum class Way : unsigned char { forward, there_and_back, backward };
    Way way = Way::forward;
    std::uint32_t begin = 0;
    std::uint32_t last = 0;   ///< the frame after which it goes back to `begin`
    std::uint32_t times = 0;  ///< 0: without end
    bool operator==(const Loop&) const = default;
  };

  std::vector<Text> texts;
  std::vector<Picture> pictures;
  std::vector<Cue> cues;
  std::vector<Loop> loops;
  int root_note = 60;                ///< of the loops: the MIDI note that the samples are
  std::vector<std::byte> broadcast;  ///< WAV's bext chunk
  std::vector<std::byte> cue_sheet;  ///< FLAC's CUESHEET block; `cues` has its tracks
  int unread = 0;                    ///< further fields of the file, of kinds that are not known here

  /// The first value of that name; nothing where there is none. [any]
  [[nodiscard]] std::optional<std::string> text(std::string_view name) const;

  /// Adds those texts and pictures of `other` whose name and kind are not there yet, and what else is absent
  /// here. [setup]
  void add_absent(const AudioTags& other);

  /// Takes out the texts that say how loud the samples are (ReplayGain, R128): they lie after a change of the
  /// level. [setup]
  void drop_levels();

  /// The same moments at another sample rate. [setup]
  void change_rate(int from_hz, int to_hz);

  /// In words, what a file of that format has no place for, as "2 loops"; empty where it holds everything.
  /// [setup]
  [[nodiscard]] std::vector<std::string> without_a_place_in(AudioFormat format) const;
};

/// The most bytes of one picture, and of one block of tags, that are read. FLAC's blocks have no more.
inline constexpr std::size_t kMostTagBytes = 1 << 24;

/// The most bytes of all the tags of one file.
inline constexpr std::size_t kMostTagBytesInAll = 1 << 26;

/// True for texts that say how the file was encoded: they are not true of another one. [any]
[[nodiscard]] bool is_about_the_encoding(std::string_view name) noexcept;

}  // namespace ringwave::io
