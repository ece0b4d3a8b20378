// SPDX-License-Identifier: Apache-2.0
#include "ringwave/live/live_stations.hpp"

#include <memory>
#include <string>
#include <vector>

#include "bench/parity.hpp"
#include "bench/table.hpp"
#include "bench/ways.hpp"

namespace ringwave::bench {
namespace {

using live::LiveStations;
using live::Way;
using synth::VoiceEvent;

constexpr int kStations = 10;
constexpr int kVoices = 8;
constexpr double kLeastParityDb = 100;  // the twins', which round a product and a sum in one step or in two

/// How often one of all voices begins a new note: four times a second for each station.
constexpr int kNoteFrames = 1200;

/// Stations that all play eight pads, with every effect, as floats.
class Stations {
 public:
  Stations(Device device, int frames, Way way)
      : frames_(frames),
        stations_(device, {.stations = kStations,
                           .voices = kVoices,
                           .max_block_frames = frames,
                           .way = way,
                           .deadline = kLiveDeadline}) {
    std::vector<VoiceEvent> events;
    for (int station = 0; station < kStations; ++station) {
      note(stations_.start(station, {}));
      for (int voice = 0; voice < kVoices; ++voice)
        events.push_back(begin(station, station % frames_, voice, 0));
    }
    note(stations_.process(events, frames_));
  }

  /// A block in which no note begins is the usual one; of a thousand some hundred have one, where it begins
  /// in a frame that nobody foresees.
  void block() {
    const std::int64_t number = (clock() + kNoteFrames - 1) / kNoteFrames;
    const std::int64_t frame = number * kNoteFrames - clock();
    if (frame >= frames_) return note(stations_.process({}, frames_));
    const auto turn = static_cast<int>(number / kStations);
    const VoiceEvent event =
        begin(static_cast<int>(number % kStations), static_cast<int>(frame), turn % kVoices, turn);
    note(stations_.process({&event, 1}, frames_));
  }

  [[nodiscard]] std::span<const float> samples(int station) const { return stations_.samples(station); }
  [[nodiscard]] std::int64_t clock() const { return stations_.clock(); }
  [[nodiscard]] Status status() const { return status_; }

 private:
  static VoiceEvent begin(int station, int frame, int voice, int turn) {
    return {.station = station,
            .frame = frame,
            .voice = static_cast<std::int16_t>(voice),
            .key = static_cast<float>(36 + (5 * voice + station + turn) % 48),
            .velocity = 0.5F,
            .pan = voice % 2 == 0 ? -0.5F : 0.5F,
            .seed = static_cast<std::uint32_t>(station * kVoices + voice)};
  }

  void note(Status status) {
    if (status != Status::ok) status_ = status;
  }

  int frames_;
  LiveStations stations_;
  Status status_ = Status::ok;
};

/// What the CPU has played at the same clock.
Check check(const Stations& stations, int frames) {
  if (stations.status() != Status::ok) return {false, 0, std::string(to_string(stations.status()))};
  Stations truth(Device::cpu(), frames, Way::launch);
  while (truth.clock() < stations.clock()) truth.block();
  Parity parity;
  for (int station = 0; station < kStations; ++station) {
    const std::span<const float> expected = truth.samples(station);
    const std::span<const float> found = stations.samples(station);
    if (found.size() != expected.size()) return {false, 0, "a station is silent"};
    for (std::size_t n = 0; n < found.size(); ++n) parity.add(expected[n], found[n]);
  }
  return parity.check(kLeastParityDb);
}

Contender contender(Device device, int frames, Way way) {
  const auto stations = std::make_shared<Stations>(device, frames, way);
  return {std::string(to_string(way)), 1, timed([stations](std::size_t) { stations->block(); }),
          [stations, frames] { return check(*stations, frames); }};
}

}  // namespace

std::vector<Case> live_stations_cases(Devices devices) {
  std::vector<Case> cases;
  for (const Device device : devices)
    for (const bool idle_gaps : {false, true})
      for (const int frames : kLiveFrames) {
        std::string name = "live/stations/" + std::to_string(kStations) + "x" + std::to_string(frames) + "f";
        name.append(idle_gaps ? "-idle-gaps/" : "/").append(device.name());
        cases.push_back(
            {std::move(name), "a block of stations of eight pads with effects, by message", device, [=] {
               Duel made =
                   duel_of_ways(device, idle_gaps, [=](Way way) { return contender(device, frames, way); });
               if (device.kind() != DeviceKind::cpu && frames == 128) {
                 made.goal.tail = {.peer = std::string(to_string(Way::launch)), .at_most_times = 0.5};
                 made.least_samples = 20'000;
               }
               return made;
             }});
      }
  return cases;
}

}  // namespace ringwave::bench
