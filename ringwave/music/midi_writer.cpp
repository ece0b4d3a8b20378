// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "ringwave/core/error.hpp"
#include "ringwave/music/midi_file.hpp"

namespace ringwave::music {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Kind = MidiFile::Kind;

/// What a track says at a time, without the time.
struct Message {
  std::int64_t tick;
  std::size_t track;
  Bytes bytes;
};

void append_number(Bytes& to, std::size_t number, int count) {
  for (int shift = 8 * (count - 1); shift >= 0; shift -= 8)
    to.push_back(static_cast<std::uint8_t>(number >> shift));
}

/// Seven bits a byte, four bytes at most.
void append_variable(Bytes& to, std::uint32_t value) {
  for (int shift = 21; shift > 0; shift -= 7)
    if (value >> shift != 0) to.push_back(static_cast<std::uint8_t>(0x80U | (value >> shift & 0x7fU)));
  to.push_back(static_cast<std::uint8_t>(value & 0x7fU));
}

Bytes meta(std::uint8_t type, const Bytes& data) {
  Bytes made{0xff, type};
  append_variable(made, static_cast<std::uint32_t>(data.size()));
  made.insert(made.end(), data.begin(), data.end());
  return made;
}

/// A track's bytes, message by message.
class Track {
 public:
  void add(std::int64_t tick, const Bytes& message) {
    // The longest time that four bytes can say; a longer one is made of texts that say nothing.
    constexpr std::int64_t kLongest = 0x0fffffff;
    for (; tick - tick_ > kLongest; tick_ += kLongest) {
      append_variable(bytes_, kLongest);
      const Bytes nothing = meta(0x01, {});
      bytes_.insert(bytes_.end(), nothing.begin(), nothing.end());
    }
    append_variable(bytes_, static_cast<std::uint32_t>(tick - tick_));
    bytes_.insert(bytes_.end(), message.begin(), message.end());
    tick_ = tick;
  }

  void end(std::int64_t tick) { add(std::max(tick, tick_), meta(0x2f, {})); }

  [[nodiscard]] const Bytes& bytes() const noexcept { return bytes_; }

 private:
  Bytes bytes_;
  std::int64_t tick_ = 0;
};

Bytes bytes_of(const MidiFile::Event& event) {
  Bytes made{static_cast<std::uint8_t>(0x80 + 16 * static_cast<int>(event.kind) + event.channel), event.a};
  if (event.kind != Kind::program && event.kind != Kind::channel_pressure) made.push_back(event.b);
  return made;
}

Bytes bytes_of(const MidiFile::Tempo& tempo) {
  Bytes data;
  append_number(data, static_cast<std::size_t>(tempo.microseconds_per_beat), 3);
  return meta(0x51, data);
}

Bytes bytes_of(const MidiFile::Signature& signature) {
  std::uint8_t unit = 0;
  while (1 << unit < signature.unit) ++unit;
  return meta(0x58, {static_cast<std::uint8_t>(signature.beats), unit, 24, 8});
}

/// How General MIDI plays a layer.
struct Part {
  Layer layer;
  std::uint8_t channel;
  std::uint8_t program;
};

constexpr std::uint8_t kPercussion = 9;
constexpr std::array<Part, kAllLayers.size()> kParts{{{Layer::pads, 0, 89},    // warm pad
                                                      {Layer::melody, 1, 80},  // square lead
                                                      {Layer::bass, 2, 38},    // synth bass
                                                      {Layer::bells, 3, 14},   // tubular bells
                                                      {Layer::kicks, kPercussion, 0},
                                                      {Layer::swells, kPercussion, 0},
                                                      {Layer::hats, kPercussion, 0}}};

}  // namespace

MidiFile MidiFile::of_notes(std::span<const Note> notes, double bpm, std::int64_t bars) {
  const double beat = std::round(60e6 / bpm);
  if (!(beat >= 1 && beat <= 0xffffff))
    throw InvalidArgument("a MIDI file of " + std::to_string(bpm) +
                          " beats a minute was asked for; use 4 to 60000000");
  MidiFile file;
  file.tempi = {{0, static_cast<int>(beat)}};
  file.signatures = {{0, kBeatsPerBar, 4}};
  file.end_tick = bars * kTicksPerBar;
  file.track_names = {"Ringwave"};
  for (const Part& part : kParts) {
    if (std::ranges::none_of(notes, [&](const Note& note) { return note.layer == part.layer; })) continue;
    const auto track = static_cast<std::uint16_t>(file.track_names.size());
    file.track_names.emplace_back(to_string(part.layer));
    if (part.channel != kPercussion)
      file.events.push_back(
          {.tick = 0, .kind = Kind::program, .channel = part.channel, .a = part.program, .track = track});
    for (const Note& note : notes) {
      if (note.layer != part.layer) continue;
      const std::int64_t end = note.begin_tick + note.length_ticks;
      file.events.push_back({note.begin_tick, Kind::note_on, part.channel, note.pitch, note.velocity, track});
      file.events.push_back({end, Kind::note_off, part.channel, note.pitch, 64, track});
      file.end_tick = std::max(file.end_tick, end);
    }
  }
  // In a track, what ends does so before what begins, or a repeated note would be cut.
  const auto order = [](const Event& event) {
    return std::tuple(event.tick, event.track, event.kind != Kind::program, event.kind == Kind::note_on);
  };
  std::ranges::stable_sort(file.events, {}, order);
  return file;
}

std::vector<std::uint8_t> MidiFile::bytes() const {
  std::vector<Message> messages;
  for (std::size_t track = 0; track < track_names.size(); ++track)
    if (const std::string& name = track_names[track]; !name.empty())
      messages.push_back({0, track, meta(0x03, {name.begin(), name.end()})});
  for (const Signature& signature : signatures) messages.push_back({signature.tick, 0, bytes_of(signature)});
  for (const Tempo& tempo : tempi) messages.push_back({tempo.tick, 0, bytes_of(tempo)});
  for (const Event& event : events) messages.push_back({event.tick, event.track, bytes_of(event)});
  std::ranges::stable_sort(messages, {}, &Message::tick);

  std::vector<Track> tracks(std::max<std::size_t>(1, track_names.size()));
  for (const Message& message : messages)
    tracks[std::min(message.track, tracks.size() - 1)].add(message.tick, message.bytes);
  const int division = ticks_per_beat > 0 ? ticks_per_beat : (256 - frames_per_second) << 8 | ticks_per_frame;
  Bytes made{'M', 'T', 'h', 'd'};
  append_number(made, 6, 4);
  append_number(made, 1, 2);
  append_number(made, tracks.size(), 2);
  append_number(made, static_cast<std::size_t>(division), 2);
  for (Track& track : tracks) {
    track.end(end_tick);
    for (const char letter : {'M', 'T', 'r', 'k'}) made.push_back(static_cast<std::uint8_t>(letter));
    append_number(made, track.bytes().size(), 4);
    made.insert(made.end(), track.bytes().begin(), track.bytes().end());
  }
  return made;
}

}  // namespace ringwave::music
