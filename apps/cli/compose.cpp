// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "apps/cli/commands.hpp"
#include "apps/cli/interruption.hpp"
#include "apps/cli/music_options.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/core/trace.hpp"
#include "ringwave/io/byte_sink.hpp"
#include "ringwave/music/composer.hpp"
#include "ringwave/music/midi_file.hpp"

namespace ringwave::cli {
namespace {

using Json = nlohmann::ordered_json;
using music::Note;

constexpr std::int64_t kMostBars = 20'000;  // most of a day

struct Options {
  MusicOptions music;
  std::int64_t bars = 64;
  std::string output;
  bool json = false;
};

std::vector<Note> notes_of(const music::Composer& composer, std::int64_t bars) {
  std::vector<Note> notes;
  for (std::int64_t phrase = 0; phrase * music::Form::kBarsPerPhrase < bars; ++phrase) {
    Interruption::check();
    for (const Note& note : composer.phrase(phrase))
      if (note.begin_tick < bars * music::kTicksPerBar) notes.push_back(note);
  }
  return notes;
}

double seconds_of(std::int64_t bars, double bpm) {
  return static_cast<double>(bars) * music::kBeatsPerBar * 60 / bpm;
}

void print_json(const Options& options, const music::Preset& preset, std::span<const Note> notes) {
  const music::Settings& settings = preset.settings;
  Json layers = Json::object();
  for (const music::Layer layer : music::kAllLayers)
    if (settings.layers.has(layer)) layers[std::string(to_string(layer))] = 0;
  for (const Note& note : notes) {
    Json& count = layers[std::string(to_string(note.layer))];
    count = count.get<int>() + 1;
  }
  std::cout << Json{{"output", options.output},
                    {"preset", preset.name},
                    {"seed", options.music.seed()},
                    {"key", music::key_name(settings.key)},
                    {"mode", to_string(settings.mode)},
                    {"bpm", settings.bpm},
                    {"intensity", settings.intensity},
                    {"melody_complexity", settings.melody_complexity},
                    {"progression_variety", settings.progression_variety},
                    {"harmonic_density", settings.harmonic_density},
                    {"bars", options.bars},
                    {"seconds", seconds_of(options.bars, settings.bpm)},
                    {"notes", layers}}
                   .dump(2)
            << '\n';
}

ExitCode compose(const Options& options) {
  const trace::Span span("compose");
  if (options.json && options.output == "-")
    throw InvalidArgument(
        "--json and -o - would both be written to standard output; name a file for one of them");
  const Interruption interruption;
  const music::Preset preset = options.music.preset();
  io::ByteSink sink(options.output, Interruption::flag());
  const std::vector<Note> notes = notes_of({preset.settings, options.music.seed()}, options.bars);
  const auto bytes = music::MidiFile::of_notes(notes, preset.settings.bpm, options.bars).bytes();
  sink.write(std::as_bytes(std::span(bytes)));
  Interruption::check();
  sink.commit();
  if (options.json)
    print_json(options, preset, notes);
  else if (options.output != "-")
    std::printf("wrote %s: %lld bars of %s in %s %s, %zu notes, %.0f s at %g beats a minute\n",
                options.output.c_str(), static_cast<long long>(options.bars), preset.name.c_str(),
                std::string(music::key_name(preset.settings.key)).c_str(),
                std::string(to_string(preset.settings.mode)).c_str(), notes.size(),
                seconds_of(options.bars, preset.settings.bpm), preset.settings.bpm);
  return ExitCode::ok;
}

}  // namespace

void add_compose(CLI::App& app, Common& common, Run& run) {
  CLI::App& command = add_command(app, common, "compose", "Compose a piece and write it as a MIDI file");
  const auto options = std::make_shared<Options>();
  options->music.add_to(command);
  command.add_option("--bars", options->bars, "How long it is, in bars of four beats")
      ->check(CLI::Range(std::int64_t{1}, kMostBars))
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--output,-o", options->output, "The MIDI file to write; - is standard output")
      ->type_name("OUT")
      ->required();
  command.add_flag("--json", options->json, "Print what was composed, as JSON");
  command.callback([&run, options] { run = [options] { return compose(*options); }; });
}

}  // namespace ringwave::cli
