// SPDX-License-Identifier: Apache-2.0
#include "ringwave/synth/renderer.hpp"

#include <cmath>
#include <memory>

#include "bench/parity.hpp"
#include "bench/table.hpp"
#include "ringwave/synth/voice_math.hpp"

namespace ringwave::bench {
namespace {

using synth::Renderer;
using synth::VoiceEvent;

constexpr int kVoices = 8;

struct Shape {
  int stations = 1;
  int frames = 480;
  std::chrono::microseconds gap{0};
  std::size_t least_samples = 100;
  double median_goal_ns = 0;
  double worst_goal_ns = 0;  // of 999 blocks in a thousand
  int threads = 0;           // on the CPU; 0: one for each core
};

/// Stations that all play eight pads without an end, in 16 bits, with every effect: events and host memory
/// included.
class Stations {
 public:
  Stations(Device device, const Shape& shape)
      : shape_(shape),
        renderer_(device, {.stations = shape.stations,
                           .voices = kVoices,
                           .max_block_frames = shape.frames,
                           .format = Renderer::Format::int16,
                           .threads = shape.threads}) {
    std::vector<VoiceEvent> events;
    for (int station = 0; station < shape.stations; ++station) {
      note(renderer_.start(station, {}));
      for (int voice = 0; voice < kVoices; ++voice)
        events.push_back({.station = station,
                          .frame = station % shape.frames,
                          .voice = static_cast<std::int16_t>(voice),
                          .key = static_cast<float>(36 + (5 * voice + station) % 48),
                          .velocity = 0.5F,
                          .pan = voice % 2 == 0 ? -0.5F : 0.5F,
                          .seed = static_cast<std::uint32_t>(station * kVoices + voice)});
      const bool is_full = (station + 1) % Renderer::kMostCommands == 0 ||
                           events.size() + kVoices > static_cast<std::size_t>(renderer_.max_events());
      if (is_full || station + 1 == shape.stations) {
        // A station that has just begun may begin a chunk late.
        for (VoiceEvent& event : events) event.frame = std::max(event.frame, shape.frames / 2);
        note(renderer_.submit(events, shape.frames));
        note(renderer_.fetch());
        events.clear();
      }
    }
  }

  void block() {
    note(renderer_.submit({}, shape_.frames));
    note(renderer_.fetch());
  }

  /// Every station sounds, and none as another does.
  [[nodiscard]] Check check() const {
    if (status_ != Status::ok) return {false, 0, std::string(to_string(status_))};
    if (renderer_.dropped_events() != 0) return {false, 0, "events were dropped"};
    double least = 1;
    for (int station = 0; station < shape_.stations; ++station) {
      double squares = 0;
      for (const std::int16_t sample : renderer_.pcm(station))
        squares += static_cast<double>(sample) * sample;
      least = std::min(least, std::sqrt(squares / (2 * shape_.frames)) / 32768);
    }
    const bool ok = least > 1e-3;
    return {ok, 0, ok ? "all sound" : "a station is silent"};
  }

 private:
  void note(Status status) {
    if (status != Status::ok) status_ = status;
  }

  Shape shape_;
  Renderer renderer_;
  Status status_ = Status::ok;
};

Contender contender(const char* name, Device device, const Shape& shape) {
  auto stations = std::make_shared<Stations>(device, shape);
  return {name, 1, timed([stations](std::size_t) { stations->block(); }),
          [stations] { return stations->check(); }};
}

Duel duel(Device device, const Shape& shape) {
  Duel made;
  made.ours = contender("renderer", device, shape);
  if (device.kind() == DeviceKind::cpu) {
    Shape alone = shape;
    alone.threads = 1;
    made.peers.push_back(contender("one thread", device, alone));
  }
  const double frames = static_cast<double>(shape.stations) * shape.frames;
  // Rings of the effects, the bus there and back, the output; and every voice's state there and back.
  made.bytes = frames * (4 * 25 + 32 + 4) + shape.stations * kVoices * 2.0 * sizeof(synth::VoiceRule::State);
  made.idle_gap = shape.gap;
  made.least_samples = shape.least_samples;
  if (shape.median_goal_ns > 0) made.goal.at_most_ns = shape.median_goal_ns;
  if (shape.worst_goal_ns > 0) made.goal.at_most_p999_ns = shape.worst_goal_ns;
  return made;
}

}  // namespace

std::vector<Case> renderer_cases(Devices devices) {
  using std::chrono::microseconds;
  std::vector<Case> cases;
  const auto add = [&cases](Device device, const Shape& shape, const char* summary) {
    cases.push_back({"renderer/" + std::to_string(shape.stations) + "x" + std::to_string(shape.frames) +
                         "f-idle-gaps/" + device.name(),
                     summary, device, [device, shape] { return duel(device, shape); }});
  };
  for (const Device device : devices) {
    add(device,
        {.stations = 10,
         .frames = 128,
         .gap = kIdleGap,
         .least_samples = 2000,
         .median_goal_ns = device.kind() == DeviceKind::cpu ? 0 : 100e3,
         .worst_goal_ns = device.kind() == DeviceKind::cpu ? 2667e3 : 300e3},
        "stations of eight pads with effects, 16 bits in host memory");
    if (device.kind() == DeviceKind::cpu) {
      add(device,
          {.stations = 64,
           .frames = 480,
           .gap = microseconds(5000),
           .least_samples = 1000,
           .worst_goal_ns = 10e6},
          "stations of eight pads with effects, 16 bits");
      continue;
    }
    add(device,
        {.stations = 100'000,
         .frames = 480,
         .gap = microseconds(4000),
         .least_samples = 6000,  // a minute
         .worst_goal_ns = 8e6},
        "stations of eight pads with effects, 16 bits in host memory, for a minute");
    add(device,
        {.stations = 125'000,
         .frames = 480,
         .gap = microseconds(1000),
         .least_samples = 1000,
         .worst_goal_ns = 10e6},
        "as many stations as fit into real time");
  }
  return cases;
}

}  // namespace ringwave::bench
