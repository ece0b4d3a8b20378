// SPDX-License-Identifier: Apache-2.0
// Any bytes are a MIDI file or BadFile. A file is in order, its clock never goes back, its notes end after
// they begin, and it comes back from its own bytes.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>

#include "ringwave/core/error.hpp"
#include "ringwave/music/midi_clock.hpp"
#include "ringwave/music/midi_file.hpp"
#include "ringwave/synth/midi_performance.hpp"

namespace {

using ringwave::music::MidiFile;

void require(bool holds) {
  if (!holds) std::abort();
}

std::optional<MidiFile> read(std::span<const std::uint8_t> bytes) {
  try {
    return MidiFile::parse(bytes, "fuzz.mid");
  } catch (const ringwave::BadFile&) {
    return std::nullopt;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto file = read({data, size});
  if (!file) return 0;
  require(file->events.size() <= size && file->end_tick <= MidiFile::kLatestTick);
  const ringwave::music::MidiClock clock(*file);
  std::int64_t tick = 0;
  double seconds = 0;
  for (const MidiFile::Event& event : file->events) {
    require(event.tick >= tick && event.a < 128 && event.b < 128 && event.channel < 16);
    tick = event.tick;
    const double now = clock.seconds_at(tick);
    require(now >= seconds);
    seconds = now;
  }
  const ringwave::synth::MidiPerformance performance(*file, 48000);
  for (const auto& note : performance.notes)
    require(note.end_frame >= note.begin_frame && note.velocity >= 0 && note.velocity <= 1);
  const auto back = read(file->bytes());
  require(back.has_value());
  require(back->events == file->events && back->tempi == file->tempi && back->signatures == file->signatures);
  require(back->end_tick == file->end_tick);
  return 0;
}
