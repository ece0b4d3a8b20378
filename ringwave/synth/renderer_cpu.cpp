// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "ringwave/core/realtime.hpp"
#include "ringwave/core/worker_crew.hpp"
#include "ringwave/synth/renderer_twins.hpp"
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
  };
  using Voice = VoicesCpu::Voice;
  using Side = std::array<float, kChunkFrames>;

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
      for (std::size_t station = first; station < last; ++station)
        render_chunk(station, together, station - first, job.frames, frame, count, now, places);
      places.advance(request_.rates.space.layout, count);
    }
    together.leave();
  }

  /// Of the station whose voices came to `together` as number `seat`.
  void render_chunk(std::size_t index, const VoicesCpu& together, std::size_t seat, int frames, int first,
                    int count, std::int64_t now, const SpaceRule::Places& places) noexcept {
    Station& station = stations_[index];
    const bool is_on = station.playing && now >= station.constants.start_frame;
    Side left{};
    Side right{};
    if (is_on) {
      const auto size = static_cast<std::size_t>(count);
      together.add(seat, std::span(left).first(size), std::span(right).first(size));
      shape(station, memory_.data() + index * floats_, places, now, count, left, right);
    }
    write(static_cast<int>(index), frames, first, count, now, left, right, is_on);
  }

  /// From the sum of the voices to what is heard.
  void shape(Station& station, float* memory, const SpaceRule::Places& places, std::int64_t now, int count,
             Side& left, Side& right) noexcept {
    const StationRule::Rates& rates = request_.rates;
    const StationRule::Constants& c = station.constants;
    StationRule::State& state = station.state;
    const auto frame = static_cast<int>(now % kChunkFrames);
    if (frame == 0) StationRule::advance(rates, c, state);
    float* const past = memory + rates.space.layout.floats();
    for (int i = 0; i < count; ++i) {
      const auto n = static_cast<std::size_t>(i);
      const auto clock = static_cast<unsigned>(now + i);
      const StereoFrame dry{ToneRule::step(rates.tone, state.tone[0], frame + i, left[n]),
                            ToneRule::step(rates.tone, state.tone[1], frame + i, right[n])};
      SpaceRule::listen(rates.space.layout, places, memory, i, dry);
      SpaceRule::Fresh fresh;
      const StereoFrame wet =
          SpaceRule::read(rates.space, c.space, state.space, places, memory, frame + i, i, dry, fresh);
      SpaceRule::write(rates.space.layout, places, memory, i, fresh);
      const float gain =
          state.gain.at(frame + i) * LoudnessRule::gain(state.loudness, StationRule::own_clock(c, now + i));
      CeilingRule::write(past, clock, {wet.left * gain, wet.right * gain});
      state.ceiling.peak = std::max(state.ceiling.peak, CeilingRule::true_peak(rates.ceiling, past, clock));
      const StereoFrame heard = CeilingRule::read(state.ceiling, past, clock);
      left[n] = heard.left;
      right[n] = heard.right;
      LoudnessRule::step(rates.loudness, state.sides[0], wet.left);
      LoudnessRule::step(rates.loudness, state.sides[1], wet.right);
    }
    if (frame + count < kChunkFrames) return;
    CeilingRule::advance(rates.ceiling, c.ceiling, state.ceiling);
    StationRule::end_hop(rates, c, state, StationRule::own_clock(c, now + count));
  }

  void write(int station, int frames, int first, int count, std::int64_t now, const Side& left,
             const Side& right, bool is_on) noexcept {
    const std::size_t at = (static_cast<std::size_t>(station) * static_cast<std::size_t>(frames) +
                            static_cast<std::size_t>(first)) *
                           2;
    const auto number = static_cast<std::uint32_t>(station);
    for (std::size_t n = 0; n < static_cast<std::size_t>(count); ++n) {
      if (request_.format == Renderer::Format::float32) {
        floats_out_[writing_][at + 2 * n] = left[n];
        floats_out_[writing_][at + 2 * n + 1] = right[n];
        continue;
      }
      const auto clock = static_cast<std::uint32_t>(now) + static_cast<std::uint32_t>(n);
      const auto quantized = [&](float sample, std::uint32_t side) {
        return is_on ? StationRule::quantized(sample, StationRule::dither(number, clock, side))
                     : std::int16_t{0};
      };
      pcm_out_[writing_][at + 2 * n] = quantized(left[n], 0);
      pcm_out_[writing_][at + 2 * n + 1] = quantized(right[n], 1);
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
