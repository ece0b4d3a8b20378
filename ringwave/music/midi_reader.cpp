// SPDX-License-Identifier: Apache-2.0
#include "ringwave/music/midi_file.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "ringwave/core/error.hpp"
#include "ringwave/core/read_file.hpp"

namespace ringwave::music {
namespace {

using Bytes = std::span<const std::uint8_t>;
using Kind = MidiFile::Kind;

constexpr std::uint8_t kMeta = 0xff;
constexpr std::uint8_t kTrackName = 0x03;
constexpr std::uint8_t kEndOfTrack = 0x2f;
constexpr std::uint8_t kTempo = 0x51;
constexpr std::uint8_t kSignature = 0x58;
constexpr std::size_t kLongestName = 256;

/// Bytes behind the status of a kind.
int data_bytes(Kind kind) noexcept {
  return kind == Kind::program || kind == Kind::channel_pressure ? 1 : 2;
}

/// Walks over bytes, and knows where in the file it is.
class Cursor {
 public:
  Cursor(Bytes bytes, std::size_t offset, const std::string& name)
      : bytes_(bytes), offset_(offset), name_(name) {}

  [[nodiscard]] bool at_end() const noexcept { return at_ == bytes_.size(); }
  [[nodiscard]] std::size_t left() const noexcept { return bytes_.size() - at_; }
  [[nodiscard]] std::size_t offset() const noexcept { return offset_ + at_; }

  [[noreturn]] void refuse(const std::string& found) const {
    throw BadFile(name_ + " is no whole MIDI file: at byte " + std::to_string(offset()) + " " + found);
  }

  Bytes take(std::size_t count, const char* of) {
    if (left() < count) refuse(std::string("it ends inside ") + of);
    const Bytes taken = bytes_.subspan(at_, count);
    at_ += count;
    return taken;
  }

  std::uint8_t byte(const char* of) { return take(1, of)[0]; }

  std::uint32_t number(std::size_t count, const char* of) {
    std::uint32_t value = 0;
    for (const std::uint8_t byte : take(count, of)) value = value << 8U | byte;
    return value;
  }

  /// Seven bits a byte, four bytes at most.
  std::uint32_t variable(const char* of) {
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i) {
      const std::uint8_t next = byte(of);
      value = value << 7U | (next & 0x7fU);
      if (next < 0x80) return value;
    }
    refuse(std::string("a number of more than four bytes is in ") + of);
  }

 private:
  Bytes bytes_;
  std::size_t offset_;
  std::size_t at_ = 0;
  const std::string& name_;
};

/// Reads one track into the file.
class TrackReader {
 public:
  TrackReader(Cursor cursor, std::uint16_t track, MidiFile& file)
      : cursor_(cursor), track_(track), file_(file) {}

  void read() {
    while (!ended_ && !cursor_.at_end()) {
      tick_ += cursor_.variable("a time");
      if (tick_ > MidiFile::kLatestTick) cursor_.refuse("a time is beyond all music");
      const std::uint8_t first = cursor_.byte("an event");
      if (first == kMeta)
        read_meta();
      else if (first == 0xf0 || first == 0xf7)
        skip_exclusive();
      else
        read_channel(first);
    }
    file_.end_tick = std::max(file_.end_tick, tick_);
  }

 private:
  void read_channel(std::uint8_t first) {
    std::optional<std::uint8_t> data;
    if (first < 0x80) {
      if (!status_) cursor_.refuse("data come before any status");
      data = first;
    } else {
      if (first >= 0xf0) cursor_.refuse("a status is none that a file may have");
      status_ = first;
    }
    MidiFile::Event event{.tick = tick_,
                          .kind = static_cast<Kind>((*status_ >> 4U) - 8),
                          .channel = static_cast<std::uint8_t>(*status_ & 15U),
                          .track = track_};
    event.a = data ? *data : data_byte();
    if (data_bytes(event.kind) == 2) event.b = data_byte();
    if (event.kind == Kind::note_on && event.b == 0) event.kind = Kind::note_off;
    file_.events.push_back(event);
  }

  std::uint8_t data_byte() {
    const std::uint8_t byte = cursor_.byte("an event");
    if (byte >= 0x80) cursor_.refuse("a status stands where data should");
    return byte;
  }

  void skip_exclusive() {
    status_.reset();
    (void)cursor_.take(cursor_.variable("a system message"), "a system message");
  }

  void read_meta() {
    status_.reset();
    const std::uint8_t type = cursor_.byte("a meta event");
    const Bytes data = cursor_.take(cursor_.variable("a meta event"), "a meta event");
    if (type == kEndOfTrack) ended_ = true;
    if (type == kTrackName && file_.track_names[track_].empty())
      file_.track_names[track_].assign(
          data.begin(), data.begin() + static_cast<std::ptrdiff_t>(std::min(data.size(), kLongestName)));
    if (type == kTempo && data.size() == 3) {
      const int beat = data[0] << 16 | data[1] << 8 | data[2];
      if (beat == 0) cursor_.refuse("a tempo is without end");
      file_.tempi.push_back({tick_, beat});
    }
    if (type == kSignature && data.size() >= 2 && data[0] > 0 && data[1] < 8)
      file_.signatures.push_back({tick_, data[0], 1 << data[1]});
  }

  Cursor cursor_;
  std::uint16_t track_;
  MidiFile& file_;
  std::int64_t tick_ = 0;
  std::optional<std::uint8_t> status_;  // that goes on for data without one
  bool ended_ = false;
};

void read_division(Cursor& cursor, MidiFile& file) {
  const std::uint32_t division = cursor.number(2, "its header");
  if (division < 0x8000) {
    if (division == 0) cursor.refuse("a beat has no ticks");
    file.ticks_per_beat = static_cast<int>(division);
    return;
  }
  const int frames_per_second = 256 - static_cast<int>(division >> 8U);
  const int ticks_per_frame = static_cast<int>(division & 0xffU);
  const bool is_known = frames_per_second == 24 || frames_per_second == 25 || frames_per_second == 29 ||
                        frames_per_second == 30;
  if (!is_known || ticks_per_frame == 0) cursor.refuse("time is counted in frames of no known rate");
  file.ticks_per_beat = 0;
  file.frames_per_second = frames_per_second;
  file.ticks_per_frame = ticks_per_frame;
}

}  // namespace

MidiFile MidiFile::parse(Bytes bytes, const std::string& name) {
  if (bytes.size() > kLargestBytes)
    throw BadFile(name + " is larger than " + std::to_string(kLargestBytes >> 20) +
                  " MiB, which no MIDI file needs to be");
  Cursor cursor(bytes, 0, name);
  constexpr std::array<std::uint8_t, 4> kHeader{'M', 'T', 'h', 'd'};
  constexpr std::array<std::uint8_t, 4> kTrack{'M', 'T', 'r', 'k'};
  if (bytes.size() < kHeader.size() || !std::ranges::equal(cursor.take(4, "its header"), kHeader))
    throw BadFile(name + " is no MIDI file: it does not begin with MThd");
  const std::uint32_t header_bytes = cursor.number(4, "its header");
  const Bytes header_data = cursor.take(header_bytes, "its header");
  Cursor header(header_data, 8, name);
  const std::uint32_t format = header.number(2, "its header");
  const std::uint32_t tracks = header.number(2, "its header");
  if (format > 1)
    throw BadFile(name + " is a MIDI file of format " + std::to_string(format) + "; Ringwave reads 0 and 1");
  MidiFile file;
  read_division(header, file);
  while (!cursor.at_end() && file.track_names.size() < tracks) {
    const bool is_track = std::ranges::equal(cursor.take(4, "a chunk's name"), kTrack);
    const std::uint32_t chunk_bytes = cursor.number(4, "a chunk's length");
    const std::size_t offset = cursor.offset();
    const Bytes chunk = cursor.take(chunk_bytes, "a chunk");
    if (!is_track) continue;  // others' chunks are passed over, as the standard wants it
    file.track_names.emplace_back();
    TrackReader(Cursor(chunk, offset, name), static_cast<std::uint16_t>(file.track_names.size() - 1), file)
        .read();
  }
  if (file.track_names.size() < tracks)
    cursor.refuse("it ends after " + std::to_string(file.track_names.size()) + " of " +
                  std::to_string(tracks) + " tracks");
  std::ranges::stable_sort(file.events, {}, &Event::tick);
  std::ranges::stable_sort(file.tempi, {}, &Tempo::tick);
  std::ranges::stable_sort(file.signatures, {}, &Signature::tick);
  return file;
}

MidiFile MidiFile::load(const std::filesystem::path& path) {
  const std::string bytes =
      read_file(path, kLargestBytes + 1, ReadFrom::anything);  // parse() says where that is too many
  return parse({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, path.string());
}

}  // namespace ringwave::music
