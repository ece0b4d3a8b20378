// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "ringwave/core/realtime.hpp"
#include "ringwave/core/worker_crew.hpp"
#include "ringwave/synth/renderer_twins.hpp"
#include "ringwave/synth/station_lanes_cpu.hpp"
#include "ringwave/synth/voices_cpu.hpp"

namespace ringwave::synth {
namespace {

constexpr std::size_t kBuffers = Renderer::kBlocksInFlight + 1;  // one more is being read
/// Stations whose voices play side by side: enough to fill the lanes of every patch, few enough that all they
/// play in a chunk stays in the second-level cache.
constexpr std::size_t kMostTogether = 32;
/// Fewer are not worth a worker of their own.
constexpr std::size_t kLeastTogether = 8;

[[nodiscard]] std::size_t workers_for(const RendererRequest& request) {
  const auto stations = static_cast<std::size_t>(request.stations);
  return std::min(static_cast<std::size_t>(request.threads),
                  (stations + kLeastTogether - 1) / kLeastTogether);
}

/// So that each worker has two parts or more, the second for whoever is done first.
[[nodiscard]] std::size_t together_for(const RendererRequest& request) {
  const std::size_t parts = 2 * workers_for(request);
  const auto share = (static_cast<std::size_t>(request.stations) + parts - 1) / parts;
  return std::clamp((share + kLeastTogether - 1) / kLeastTogether * kLeastTogether, kLeastTogether,
                    kMostTogether);
}

class RendererCpu final : public RendererTwin {
 public:
  explicit RendererCpu(const RendererRequest& request)
      : request_(request),
        slots_(static_cast<std::size_t>(request.voices)),
        floats_(static_cast<std::size_t>(StationRule::floats(request.rates))),
        stations_(static_cast<std::size_t>(request.stations)),
        voices_(stations_.size() * slots_),
        memory_(stations_.size() * floats_),
        together_(together_for(request)),
        crew_(static_cast<int>(workers_for(request))) {
    for (int worker = 0; worker < crew_.workers(); ++worker)
      at_work_.emplace_back(request_.patches, together_, std::min(stations_.size(), together_) * slots_);
    const std::size_t samples = stations_.size() * static_cast<std::size_t>(request.max_block_frames) * 2;
    for (auto& output : floats_out_)
      if (request.format == Renderer::Format::float32) output.resize(samples);
    for (auto& output : pcm_out_)
      if (request.format == Renderer::Format::int16) output.resize(samples);
  }

  Status submit(const RenderJob& job) noexcept override {
    for (const StationCommand& command : job.commands) obey(command);
    const auto stations = static_cast<std::size_t>(job.stations);
    crew_.run((stations + together_ - 1) / together_, [&](std::size_t part, int worker) noexcept {
      const FlushSubnormals flush;
      const std::size_t first = part * together_;
      render(first, std::min(first + together_, stations), job, at_work_[static_cast<std::size_t>(worker)]);
    });
    writing_ = (writing_ + 1) % kBuffers;
    return Status::ok;
  }

  Status fetch() noexcept override {
    reading_ = (reading_ + 1) % kBuffers;
    return Status::ok;
  }

  [[nodiscard]] const void* output() const noexcept override {
    const std::size_t last = (reading_ + kBuffers - 1) % kBuffers;
    return request_.format == Renderer::Format::float32 ? static_cast<const void*>(floats_out_[last].data())
                                                        : static_cast<const void*>(pcm_out_[last].data());
  }

 private:
  struct Station {
    StationRule::Constants constants{};
    StationRule::State state{};
    bool playing = false;

    [[nodiscard]] bool is_on(std::int64_t now) const noexcept {
      return playing && now >= constants.start_frame;
    }
  };
  using Voice = VoicesCpu::Voice;

  void obey(const StationCommand& command) noexcept {
    const auto index = static_cast<std::size_t>(command.station);
    Station& station = stations_[index];
    station.playing = command.kind != StationCommand::Kind::end;
    if (command.kind == StationCommand::Kind::end) return;
    station.constants = command.constants;
    if (command.kind == StationCommand::Kind::set) return;
    StationRule::start(request_.rates, station.constants, station.state);
    std::fill_n(memory_.begin() + static_cast<std::ptrdiff_t>(index * floats_), floats_, 0.0F);
    std::fill_n(voices_.begin() + static_cast<std::ptrdiff_t>(index * slots_), slots_, Voice{});
  }

  /// The stations from `first` to `last`.
  void render(std::size_t first, std::size_t last, const RenderJob& job, VoicesCpu& together) noexcept {
    const auto begin = std::partition_point(
        job.events.begin(), job.events.end(),
        [&](const VoiceEvent& event) { return static_cast<std::size_t>(event.station) < first; });
    std::span<const VoiceEvent> events(begin, job.events.end());
    for (std::size_t station = first; station < last; ++station) {
      std::size_t own = 0;
      while (own < events.size() && static_cast<std::size_t>(events[own].station) == station) ++own;
      const std::size_t voices = stations_[station].playing ? slots_ : 0;
      together.sit(std::span(voices_).subspan(station * slots_, voices), events.first(own));
      events = events.subspan(own);
    }
    SpaceRule::Places places = SpaceRule::places_at(request_.rates.space.layout, job.clock);
    int count = 0;
    for (int frame = 0; frame < job.frames; frame += count) {
      const std::int64_t now = job.clock + frame;
      count = std::min(kChunkFrames - static_cast<int>(now % kChunkFrames), job.frames - frame);
      together.play(now, frame, count);
      for (std::size_t station = first; station < last; station += StationRows::kMost)
        render_chunk(station, std::min(station + StationRows::kMost, last), together, station - first,
                     {job.frames, frame, count, now, places});
      places.advance(request_.rates.space.layout, count);
    }
    together.leave();
  }

  /// Some frames of a block.
  struct Chunk {
    int block_frames;
    int first;
    int count;
    std::int64_t now;
    const SpaceRule::Places& places;
  };

  /// Of the stations from `first` to `last`, whose voices came to `together` as number `seat` and on.
  void render_chunk(std::size_t first, std::size_t last, const VoicesCpu& together, std::size_t seat,
                    const Chunk& chunk) noexcept {
    const auto size = static_cast<std::size_t>(chunk.count);
    const std::int64_t now = chunk.now;
    StationRows rows;
    for (std::size_t index = first; index < last; ++index) {
      Station& station = stations_[index];
      if (!station.is_on(now)) continue;
      const std::size_t row = rows.count++;
      rows.stations[row] = {&station.constants, &station.state, memory_.data() + index * floats_};
      together.add(seat + index - first, std::span(rows.left[row]).first(size),
                   std::span(rows.right[row]).first(size));
    }
    shape_stations(request_.rates, rows, chunk.places, now, chunk.count);
    std::size_t row = 0;
    for (std::size_t index = first; index < last; ++index) {
      const std::size_t to =
          (index * static_cast<std::size_t>(chunk.block_frames) + static_cast<std::size_t>(chunk.first)) * 2;
      if (!stations_[index].is_on(now)) {
        write_silence(to, size);
        continue;
      }
      write(index, to, size, now, rows.left[row], rows.right[row]);
      ++row;
    }
  }

  void write_silence(std::size_t to, std::size_t count) noexcept {
    if (request_.format == Renderer::Format::float32)
      std::fill_n(floats_out_[writing_].data() + to, 2 * count, 0.0F);
    else
      std::fill_n(pcm_out_[writing_].data() + to, 2 * count, std::int16_t{0});
  }

  void write(std::size_t station, std::size_t to, std::size_t count, std::int64_t now, const float* left,
             const float* right) noexcept {
    const auto number = static_cast<std::uint32_t>(station);
    for (std::size_t n = 0; n < count; ++n) {
      if (request_.format == Renderer::Format::float32) {
        floats_out_[writing_][to + 2 * n] = left[n];
        floats_out_[writing_][to + 2 * n + 1] = right[n];
        continue;
      }
      const auto clock = static_cast<std::uint32_t>(now) + static_cast<std::uint32_t>(n);
      pcm_out_[writing_][to + 2 * n] = StationRule::quantized(left[n], StationRule::dither(number, clock, 0));
      pcm_out_[writing_][to + 2 * n + 1] =
          StationRule::quantized(right[n], StationRule::dither(number, clock, 1));
    }
  }

  RendererRequest request_;
  std::size_t slots_;   // of a station
  std::size_t floats_;  // of a station
  std::vector<Station> stations_;
  std::vector<Voice> voices_;
  std::vector<float> memory_;
  std::size_t together_;            // stations of a part
  std::vector<VoicesCpu> at_work_;  // of each worker, the voices of its part
  WorkerCrew crew_;
  std::array<std::vector<float>, kBuffers> floats_out_;
  std::array<std::vector<std::int16_t>, kBuffers> pcm_out_;
  std::size_t writing_ = 0;
  std::size_t reading_ = 0;
};

}  // namespace

std::unique_ptr<RendererTwin> make_renderer_cpu(Device /*device*/, const RendererRequest& request) {
  return std::make_unique<RendererCpu>(request);
}

}  // namespace ringwave::synth
