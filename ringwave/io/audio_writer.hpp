// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ringwave/core/block_view.hpp"
#include "ringwave/io/audio_format.hpp"
#include "ringwave/io/channel_layout.hpp"
#include "ringwave/io/tags/audio_tags.hpp"

namespace ringwave::io {

class AudioEncoder;
class ByteSink;

/// Writes an audio file, or a pipe, block by block.
///
/// A file has its name only after commit(); destroyed without it, nothing is left and what had the name
/// before stays. WAV grows past 4 GiB as RF64. Into a pipe the bytes go as they come; an MP3 then has no
/// place that says its length, and begins and ends with silence. Samples beyond full scale are clipped where
/// the format has no room for them, and NaN and infinite ones become silence; both are counted. Channels come
/// in the order of Speakers, and the file has them in its own.
class AudioWriter {
 public:
  struct Spec {
    int channels = 2;
    int sample_rate_hz = 48000;
    std::optional<AudioFormat> format = {};  ///< nothing: what the path's ending means
    std::optional<std::int64_t> frames =
        {};              ///< how many will come, where that is known: a pipe's header says it
    bool dither = true;  ///< triangular dither, the same in every run, for 16 bits
    const std::atomic<bool>* stop = nullptr;  ///< once it is set, a wait for a pipe ends with Interrupted
    Speakers speakers = 0;  ///< which loudspeakers the channels are for; 0: the usual ones for so many
    AudioTags tags = {};    ///< as far as the format has a place for them
  };

  /// Opens `path`; "-" is standard output. Throws InvalidArgument for a shape that the format cannot hold or
  /// a path that does not tell the format, BadFile where nothing can be written, Interrupted. [setup]
  AudioWriter(const std::string& path, const Spec& spec);
  ~AudioWriter();
  AudioWriter(AudioWriter&&) noexcept;
  AudioWriter& operator=(AudioWriter&&) = delete;  // its parts must go in their order

  /// Appends a block. Throws InvalidArgument for another number of channels, BadFile where it cannot be
  /// written: a full disk; Interrupted. [setup]
  void write(BlockView<const float> block);

  /// Completes the file and gives it its name. Nothing may be written afterwards. Throws BadFile,
  /// Interrupted. [setup]
  void commit();

  [[nodiscard]] AudioFormat format() const noexcept { return format_; }

  /// In words, what the file has no place for, as "2 loops"; empty where everything is in it. [any]
  [[nodiscard]] const std::vector<std::string>& left_out() const noexcept { return left_out_; }

  /// Frames so far. [any]
  [[nodiscard]] std::int64_t frames() const noexcept { return frames_; }

  /// Samples that were clipped so far; none in formats that hold float. [any]
  [[nodiscard]] std::int64_t clipped_samples() const noexcept { return clipped_; }

  /// NaN and infinite samples so far. [any]
  [[nodiscard]] std::int64_t nonfinite_samples() const noexcept { return nonfinite_; }

 private:
  [[nodiscard]] float checked(float sample) noexcept;

  int channels_;
  AudioFormat format_;
  std::vector<std::string> left_out_;
  std::unique_ptr<ByteSink> sink_;
  std::unique_ptr<AudioEncoder> encoder_;
  std::vector<float> interleaved_;
  std::int64_t frames_ = 0;
  std::int64_t clipped_ = 0;
  std::int64_t nonfinite_ = 0;
};

}  // namespace ringwave::io
