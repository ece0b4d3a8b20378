// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ringwave/core/block_view.hpp"
#include "ringwave/io/channel_layout.hpp"
#include "ringwave/io/tags/audio_tags.hpp"

namespace ringwave::io {

class AudioDecoder;
class ByteSource;
struct FileSignature;

/// Reads an audio file, or a pipe, block by block: WAV with RF64 and W64, AIFF, AU, CAF, FLAC, Ogg Vorbis,
/// Opus and MP3 by what the first bytes say, and raw float32 by what the caller says.
///
/// Memory is bounded however long the input is. WAV, FLAC and raw samples are read from a pipe as they come;
/// the others are first copied into a temporary file, because their decoders begin at the end. Integers come
/// as -1 to 1. What the input holds may be NaN or infinite. The channels are in the order of Speakers.
class AudioReader {
 public:
  /// How samples without a header lie: float32, little-endian, the channels of a frame side by side.
  struct Raw {
    int channels = 1;
    int sample_rate_hz = 48000;
  };
  struct Options {
    std::optional<Raw> raw = {};              ///< set: there is no header, whatever the name is
    const std::atomic<bool>* stop = nullptr;  ///< once it is set, a wait for a pipe ends with Interrupted
    bool salvage = false;                     ///< what is cut short or damaged is read up to the break
  };

  /// Opens `path`; "-" is standard input. Throws BadFile for what is missing, empty, foreign, cut short or
  /// has a rate or a number of channels that cannot be; InvalidArgument for a raw file of unknown or
  /// impossible shape; Interrupted. [setup]
  explicit AudioReader(const std::string& path) : AudioReader(path, Options{}) {}
  AudioReader(const std::string& path, const Options& options);
  ~AudioReader();
  AudioReader(AudioReader&&) noexcept;
  AudioReader& operator=(AudioReader&&) = delete;  // its parts must go in their order

  [[nodiscard]] int channels() const noexcept;
  [[nodiscard]] int sample_rate_hz() const noexcept;

  /// Frames in all; nothing where the input does not say, as a pipe may. MP3 may give a few more or less.
  /// [any]
  [[nodiscard]] std::optional<std::int64_t> frames() const noexcept;

  /// Whether frames() is exact: then an input that ends earlier is damaged. Lossy codecs only come close.
  /// [any]
  [[nodiscard]] bool exact_length() const noexcept;

  /// Bits of the integers that the input holds; 0 for float and lossy codecs. [any]
  [[nodiscard]] int bits() const noexcept;

  /// Whether the input holds floating-point numbers. [any]
  [[nodiscard]] bool holds_float() const noexcept;

  /// Which loudspeakers the channels are for; 0 where the input does not say. [any]
  [[nodiscard]] Speakers speakers() const noexcept;

  /// What the input says beside its samples; of a pipe, what comes before them. [any]
  [[nodiscard]] const AudioTags& tags() const noexcept;

  /// With Options::salvage, in a sentence without its end, what is missing, as far as it is known by now:
  /// "a.wav is cut short: 100 of 200 frames are there". [any]
  [[nodiscard]] const std::optional<std::string>& damage() const noexcept { return damage_; }

  /// What messages call it. [any]
  [[nodiscard]] const std::string& name() const noexcept;

  /// Fills a block of channels() channels, from its first frame on; how many frames, fewer only at the end
  /// and then 0. Throws InvalidArgument for another number of channels, BadFile where the input is damaged or
  /// ends before it should and is not to be salvaged, Interrupted. [setup]
  int read(BlockView<float> block);

 private:
  void open(FileSignature signature);
  int decode(std::span<float> interleaved);
  void require_shape() const;
  void require_whole();
  void break_off(const std::string& damage);

  bool salvage_;
  std::optional<std::string> damage_;
  std::unique_ptr<ByteSource> source_;
  std::unique_ptr<AudioDecoder> decoder_;
  std::vector<float> interleaved_;
  std::int64_t done_ = 0;
};

}  // namespace ringwave::io
