// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/render_files.hpp"

#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "apps/cli/interruption.hpp"
#include "apps/cli/picture_path.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/io/png_writer.hpp"

namespace ringwave::cli {

namespace fs = std::filesystem;

RenderFiles::Folder::Folder(std::string path) : path_(std::move(path)) {
  std::error_code error;
  made_ = fs::create_directory(path_, error);
  if (!error && !fs::is_directory(path_)) error = std::make_error_code(std::errc::not_a_directory);
  if (error) throw BadFile(path_ + " cannot be a folder for stems: " + error.message());
}

RenderFiles::Folder::~Folder() {
  std::error_code in_use;  // by others, whose it is then
  if (made_) fs::remove(path_, in_use);
}

RenderFiles::RenderFiles(const Spec& spec, const std::vector<Programme>& programmes)
    : spec_(spec), programmes_(programmes) {
  if (!spec_.picture.empty()) require_png(spec_.picture);
  const io::AudioWriter::Spec written{
      .channels = 2, .sample_rate_hz = spec_.sample_rate_hz, .frames = spec_.frames};
  for (const AudioOutput& output : spec_.outputs)
    tracks_.push_back(std::make_unique<AudioTrack>(output, written, spec_.loudness_lufs));
  if (!spec_.stems.empty()) open_stems(written);
  if (spec_.picture.empty()) return;
  chart_.emplace(spec_.sample_rate_hz);
  picture_.emplace(spec_.picture, Interruption::flag());
}

void RenderFiles::open_stems(const io::AudioWriter::Spec& written) {
  const synth::Piece& piece = *programmes_.front().piece;
  folder_.emplace(spec_.stems);
  parts_ = playing_parts(piece, spec_.frames ? *spec_.frames : *piece.end_frame() + 1);
  const std::string& mix = spec_.outputs.front().path;
  for (const std::size_t part : parts_) {
    const AudioOutput output{.path = (fs::path(spec_.stems) / (piece.parts()[part] + ".wav")).string(),
                             .format = "wav32f"};
    if (fs::weakly_canonical(output.path) == fs::weakly_canonical(mix))
      throw InvalidArgument(mix + " was given for the mix and is the name of a stem; use another one");
    tracks_.push_back(std::make_unique<AudioTrack>(output, written, std::nullopt));
  }
}

std::vector<synth::Rendering::Station> RenderFiles::stations() {
  std::vector<synth::Rendering::Station> stations;
  for (const Programme& programme : programmes_) add(stations, programme, {}, programme.effects);
  synth::StationEffects plain = programmes_.front().effects;
  plain.gain_db = 0;
  plain.loudness_lufs = {};
  plain.ceiling_dbtp = 0;
  for (const std::size_t part : parts_) add(stations, programmes_.front(), part, plain);
  return stations;
}

void RenderFiles::add(std::vector<synth::Rendering::Station>& stations, const Programme& programme,
                      std::optional<std::size_t> part, const synth::StationEffects& effects) {
  AudioTrack& track = *tracks_[stations.size()];
  ScoreChart* const chart = chart_ && stations.empty() ? &*chart_ : nullptr;
  stations.push_back({.piece = programme.piece->again(),
                      .part = part,
                      .ends_with = part ? std::optional<std::size_t>(0) : std::nullopt,  // a stem as the mix
                      .effects = effects,
                      .hear = [&track, chart](BlockView<const float> block) {
                        track.write(block);
                        if (chart != nullptr) chart->add(block);
                      }});
}

void RenderFiles::commit() {
  const Programme& first = programmes_.front();
  if (picture_) io::write_png(*picture_, chart_->draw(*first.piece, first.title));
  Interruption::check();
  for (const auto& track : tracks_) track->commit();
  if (folder_) folder_->keep();
  if (picture_) picture_->commit();
  for (const auto& track : tracks_) track->report();
  if (picture_ && spec_.picture != "-" && spec_.outputs.front().path != "-")
    std::printf("wrote %s: %d x %d pixels\n", spec_.picture.c_str(), ScoreChart::kWidth, ScoreChart::kHeight);
}

}  // namespace ringwave::cli
