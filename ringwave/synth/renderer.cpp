// SPDX-License-Identifier: Apache-2.0
#include "ringwave/synth/renderer.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "ringwave/backend/prepare.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/core/trace.hpp"
#include "ringwave/core/worker_crew.hpp"
#include "ringwave/synth/built_in_patches.hpp"
#include "ringwave/synth/renderer_twins.hpp"

namespace ringwave::synth {
namespace {

constexpr int kMostStations = 1 << 20;
constexpr int kMostVoices = 128;
constexpr std::size_t kMostPatches = 256;

void require_valid(const Renderer::Spec& spec) {
  const auto require = [](const char* name, int value, int least, int most) {
    if (value < least || value > most)
      throw InvalidArgument("a renderer was asked for with " + std::to_string(value) + " " + name + "; use " +
                            std::to_string(least) + " to " + std::to_string(most));
  };
  require("stations", spec.stations, 1, kMostStations);
  require("voices a station", spec.voices, 1, kMostVoices);
  require("frames a block", spec.max_block_frames, 1, LoudnessRule::kHopFrames);
  require("frames a second", spec.sample_rate_hz, 8000, 192000);
  require("threads", spec.threads, 0, WorkerCrew::kMostWorkers);
  require("patches", static_cast<int>(std::min(spec.patches.size(), kMostPatches + 1)), 0,
          static_cast<int>(kMostPatches));
}

/// By station, then by voice, then in time; at one frame a voice is let go before it begins anew.
bool comes_before(const VoiceEvent& a, const VoiceEvent& b) noexcept {
  using Kind = VoiceEvent::Kind;
  const auto rank = [](Kind kind) { return kind == Kind::begin ? 2 : kind == Kind::bend ? 3 : 1; };
  return std::tuple(a.station, a.voice, a.frame, rank(a.kind), a.seed) <
         std::tuple(b.station, b.voice, b.frame, rank(b.kind), b.seed);
}

/// Pads that never end, as many as a station has voices.
class RendererTrial final : public backend::Trial {
 public:
  RendererTrial(Device device, int frames, int stations)
      : renderer_(device, {.stations = stations, .voices = 8, .max_block_frames = frames}), frames_(frames) {
    std::vector<VoiceEvent> events;
    for (int station = 0; station < stations; ++station) {
      (void)renderer_.start(station, {});
      for (int voice = 0; voice < 8; ++voice)
        events.push_back({.station = station,
                          .voice = static_cast<std::int16_t>(voice),
                          .key = 40.0F + 3 * static_cast<float>(voice)});
      // Few enough commands and events for one block.
      if ((station + 1) % 256 == 0 || station + 1 == stations) {
        (void)renderer_.submit(events, frames_);
        (void)renderer_.fetch();
        events.clear();
      }
    }
  }
  Status run() noexcept override {
    const Status submitted = renderer_.submit({}, frames_);
    return submitted == Status::ok ? renderer_.fetch() : submitted;
  }

 private:
  Renderer renderer_;
  int frames_;
};

}  // namespace

struct Renderer::Tables {
  struct Station {
    std::int64_t start_frame = 0;
    std::int64_t end_frame = 0;  ///< once it is stopped
    StationEffects effects{};
    bool playing = false;
    bool stopping = false;
  };

  StationRule::Rates rates{};
  std::vector<Station> stations{};
  std::vector<int> stopping{};
  std::vector<StationCommand> commands{};
  std::vector<VoiceEvent> events{};
  int high = 0;  ///< stations from here on do not play
  struct Block {
    int frames = 0;
    int stations = 0;
  };
  Block blocks[kBlocksInFlight] = {};  ///< in flight, the oldest first
  int in_flight = 0;
  Block fetched{};
};

Renderer::Renderer(Spec spec) : spec_(std::move(spec)), tables_(std::make_unique<Tables>()) {
  require_valid(spec_);
  if (spec_.patches.empty()) spec_.patches.assign(built_in_patches().begin(), built_in_patches().end());
  tables_->rates = StationRule::Rates(spec_.sample_rate_hz);
  tables_->stations.resize(static_cast<std::size_t>(spec_.stations));
  tables_->stopping.reserve(tables_->stations.size());
  tables_->commands.reserve(kMostCommands);
  tables_->events.reserve(static_cast<std::size_t>(max_events()));
}

Renderer::Renderer(Device device, Spec spec) : Renderer(std::move(spec)) {
  auto prepared = backend::prepare<Renderer>(
      device, {std::string(kName), spec_.max_block_frames, spec_.stations}, request());
  device_ = prepared.device;
  twin_ = std::move(prepared.twin);
}

Renderer::Renderer(Device device, Spec spec, const MakeTwin& make) : Renderer(std::move(spec)) {
  device_ = device;
  twin_ = make(request());
}

RendererRequest Renderer::request() const {
  RendererRequest made{.stations = spec_.stations,
                       .voices = spec_.voices,
                       .max_block_frames = spec_.max_block_frames,
                       .max_events = max_events(),
                       .format = spec_.format,
                       .threads = spec_.threads == 0 ? WorkerCrew::one_a_core() : spec_.threads,
                       .as_graph = spec_.as_graph,
                       .rates = tables_->rates};
  for (const Patch& patch : spec_.patches) made.patches.emplace_back(patch, spec_.sample_rate_hz);
  return made;
}

Renderer::~Renderer() = default;
Renderer::Renderer(Renderer&&) noexcept = default;
Renderer& Renderer::operator=(Renderer&&) noexcept = default;

Status Renderer::command(const StationCommand& command) noexcept {
  if (tables_->commands.size() >= kMostCommands) return Status::busy;
  tables_->commands.push_back(command);
  return Status::ok;
}

Status Renderer::start(int station, const StationEffects& effects) noexcept {
  if (!exists(station) || is_playing(station)) return Status::wrong_shape;
  StationCommand begin{station,
                       StationCommand::Kind::start,
                       {effects, tables_->rates, static_cast<double>(spec_.sample_rate_hz)}};
  const std::int64_t first = (clock_ + kChunkFrames - 1) / kChunkFrames * kChunkFrames;
  begin.constants.start_frame = first;
  const Status status = command(begin);
  if (status != Status::ok) return status;
  tables_->stations[static_cast<std::size_t>(station)] = {
      .start_frame = first, .effects = effects, .playing = true};
  tables_->high = std::max(tables_->high, station + 1);
  return Status::ok;
}

Status Renderer::set(int station, const StationEffects& effects) noexcept {
  if (!is_playing(station)) return Status::wrong_shape;
  Tables::Station& entry = tables_->stations[static_cast<std::size_t>(station)];
  StationCommand change{station,
                        StationCommand::Kind::set,
                        {effects, tables_->rates, static_cast<double>(spec_.sample_rate_hz)}};
  change.constants.start_frame = entry.start_frame;
  if (entry.stopping) change.constants.gain = 0;
  const Status status = command(change);
  if (status == Status::ok) entry.effects = effects;
  return status;
}

Status Renderer::stop(int station) noexcept {
  if (!is_playing(station)) return Status::wrong_shape;
  Tables::Station& entry = tables_->stations[static_cast<std::size_t>(station)];
  if (entry.stopping) return Status::ok;
  entry.stopping = true;
  if (const Status status = set(station, entry.effects); status != Status::ok) {
    entry.stopping = false;
    return status;
  }
  entry.end_frame = clock_ + static_cast<std::int64_t>(kStopSeconds * spec_.sample_rate_hz);
  tables_->stopping.push_back(station);
  return Status::ok;
}

void Renderer::end_stopped() noexcept {
  std::erase_if(tables_->stopping, [this](int station) {
    Tables::Station& entry = tables_->stations[static_cast<std::size_t>(station)];
    if (entry.end_frame > clock_ || command({station, StationCommand::Kind::end, {}}) != Status::ok)
      return false;
    entry.playing = false;
    return true;
  });
  while (tables_->high > 0 && !tables_->stations[static_cast<std::size_t>(tables_->high) - 1].playing)
    --tables_->high;
}

bool Renderer::takes(const VoiceEvent& event, int frames) const noexcept {
  return is_playing(event.station) && event.voice >= 0 && event.voice < spec_.voices && event.frame >= 0 &&
         event.frame < frames && event.patch < spec_.patches.size() &&
         clock_ + event.frame >= start_frame(event.station) && event.key > -256 && event.key < 256 &&
         event.velocity >= 0 && event.velocity <= 1 && event.pan >= -1 && event.pan <= 1;
}

Status Renderer::submit(std::span<const VoiceEvent> events, int frames) noexcept {
  Tables& tables = *tables_;
  if (frames < 1 || frames > spec_.max_block_frames || events.size() > static_cast<std::size_t>(max_events()))
    return Status::wrong_shape;
  if (tables.in_flight == kBlocksInFlight) return Status::busy;
  tables.events.clear();
  for (const VoiceEvent& event : events)
    if (takes(event, frames)) tables.events.push_back(event);
  dropped_ += events.size() - tables.events.size();
  std::ranges::sort(tables.events, comes_before);
  const int stations = tables.high;
  end_stopped();
  const Status status = trace::traced("render", [&] {
    return twin_->submit({.events = tables.events,
                          .commands = tables.commands,
                          .frames = frames,
                          .clock = clock_,
                          .stations = stations});
  });
  if (status != Status::ok) return status;
  tables.commands.clear();
  tables.blocks[tables.in_flight++] = {frames, stations};
  clock_ += frames;
  return Status::ok;
}

Status Renderer::fetch() noexcept {
  Tables& tables = *tables_;
  if (tables.in_flight == 0) return Status::wrong_shape;
  const Status status = twin_->fetch();
  tables.fetched = status == Status::ok ? tables.blocks[0] : Tables::Block{};
  std::shift_left(std::begin(tables.blocks), std::end(tables.blocks), 1);
  --tables.in_flight;
  return status;
}

std::span<const float> Renderer::samples(int station) const noexcept {
  const Tables::Block& block = tables_->fetched;
  if (spec_.format != Format::float32 || station < 0 || station >= block.stations) return {};
  const auto count = 2 * static_cast<std::size_t>(block.frames);
  return {static_cast<const float*>(twin_->output()) + static_cast<std::size_t>(station) * count, count};
}

std::span<const std::int16_t> Renderer::pcm(int station) const noexcept {
  const Tables::Block& block = tables_->fetched;
  if (spec_.format != Format::int16 || station < 0 || station >= block.stations) return {};
  const auto count = 2 * static_cast<std::size_t>(block.frames);
  return {static_cast<const std::int16_t*>(twin_->output()) + static_cast<std::size_t>(station) * count,
          count};
}

std::int64_t Renderer::start_frame(int station) const noexcept {
  return exists(station) ? tables_->stations[static_cast<std::size_t>(station)].start_frame : 0;
}

bool Renderer::is_playing(int station) const noexcept {
  return exists(station) && tables_->stations[static_cast<std::size_t>(station)].playing;
}

int Renderer::latency_frames() noexcept {
  return CeilingRule::kLatency;
}

int Renderer::max_events() const noexcept {
  return 4 * spec_.stations + 4096;
}

std::size_t Renderer::bytes_per_station() const noexcept {
  return static_cast<std::size_t>(StationRule::floats(tables_->rates)) * sizeof(float) +
         sizeof(StationRule::State) + sizeof(StationRule::Constants) +
         static_cast<std::size_t>(spec_.voices) * sizeof(VoiceRule::State);
}

backend::OpInfo Renderer::info() {
  return {.name = std::string(kName),
          .summary = "stations of eight pads each, with their effects",
          .sizes = {128, 480},
          .batches = {1, 10, 100},
          .make_trial = [](Device device, int frames, int stations) -> std::unique_ptr<backend::Trial> {
            return std::make_unique<RendererTrial>(device, frames, stations);
          }};
}

}  // namespace ringwave::synth
