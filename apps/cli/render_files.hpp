// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/cli/audio_track.hpp"
#include "apps/cli/programme.hpp"
#include "apps/cli/score_chart.hpp"
#include "ringwave/io/byte_sink.hpp"
#include "ringwave/synth/rendering.hpp"

namespace ringwave::cli {

/// The files that programmes are rendered into: one for each, stems and a picture of the first. All have
/// their names only after commit(); without it nothing is left, not even the folder of the stems.
class RenderFiles {
 public:
  struct Spec {
    std::vector<AudioOutput> outputs;  ///< one for each programme
    int sample_rate_hz = 48000;
    std::optional<std::int64_t> frames;   ///< nothing: until the piece has died away
    std::optional<double> loudness_lufs;  ///< that was asked for
    std::string stems;                    ///< a folder; empty: no stems
    std::string picture;                  ///< a .png; empty: no picture
  };

  /// Opens all, so that hours of work are not for nothing. The programmes outlive this. Throws BadFile, and
  /// InvalidArgument for names that do not tell the format, or two files of one name. [setup]
  RenderFiles(const Spec& spec, const std::vector<Programme>& programmes);

  /// What is to be rendered into them; this outlives it. [setup]
  [[nodiscard]] std::vector<synth::Rendering::Station> stations();

  /// Gives all files their names, and says what was written. Throws BadFile, Interrupted. [setup]
  void commit();

 private:
  /// A folder that is gone again unless it is kept; one that was there stays.
  class Folder {
   public:
    explicit Folder(std::string path);
    ~Folder();
    Folder(const Folder&) = delete;  // one folder
    Folder& operator=(const Folder&) = delete;
    void keep() noexcept { made_ = false; }

   private:
    std::string path_;
    bool made_;
  };

  void open_stems(const io::AudioWriter::Spec& written);
  void add(std::vector<synth::Rendering::Station>& stations, const Programme& programme,
           std::optional<std::size_t> part, const synth::StationEffects& effects);

  Spec spec_;
  const std::vector<Programme>& programmes_;
  std::optional<Folder> folder_;  // outlives what is in it
  std::vector<std::size_t> parts_;
  std::vector<std::unique_ptr<AudioTrack>> tracks_;  // of the programmes, then of the parts
  std::optional<ScoreChart> chart_;
  std::optional<io::ByteSink> picture_;
};

}  // namespace ringwave::cli
