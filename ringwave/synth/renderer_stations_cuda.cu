// SPDX-License-Identifier: Apache-2.0
#include <type_traits>

#include "ringwave/synth/renderer_kernels_cuda.cuh"
#include "ringwave/synth/station_pass.hpp"

namespace ringwave::synth {
namespace {

constexpr int kWarp = 32;
static_assert(kChunkFrames == kWarp, "a warp does a chunk at once");

constexpr int kOrderBlocks = 128;
constexpr int kOrderThreads = 256;

/// A block a command, a thread an event. Starting a station clears its memory: 180 KB.
__global__ void __launch_bounds__(kOrderThreads) orders_kernel(RenderArrays arrays, RenderOrders orders) {
  const RenderHeader header = *orders.header;
  const int thread = static_cast<int>(threadIdx.x);
  const int block = static_cast<int>(blockIdx.x);
  if (block == 0 && thread == 0) *arrays.header = header;
  for (int i = block; i < header.commands; i += kOrderBlocks) {
    const StationCommand& command = orders.commands[i];
    const auto kind = command.kind;
    const std::ptrdiff_t station = command.station;
    if (thread == 0) {
      arrays.playing[station] = kind == StationCommand::Kind::end ? 0 : 1;
      if (kind != StationCommand::Kind::end) arrays.constants[station] = command.constants;
      if (kind == StationCommand::Kind::start)
        StationRule::start(arrays.rates, command.constants, arrays.states[station]);
    }
    if (kind != StationCommand::Kind::start) continue;
    for (std::ptrdiff_t n = thread; n < arrays.floats; n += kOrderThreads)
      arrays.memory[station * arrays.floats + n] = 0;
    for (int slot = thread; slot < arrays.slots; slot += kOrderThreads)
      arrays.voices[station * arrays.slots + slot] = VoiceRule::State{};
  }
  for (int i = block * kOrderThreads + thread; i < header.events; i += kOrderBlocks * kOrderThreads) {
    const VoiceEvent event = orders.events[i];
    arrays.events[i] = event;
    const bool is_first =
        i == 0 || orders.events[i - 1].station != event.station || orders.events[i - 1].voice != event.voice;
    if (is_first)
      arrays.first_events[static_cast<std::ptrdiff_t>(event.station) * arrays.slots + event.voice] = i;
  }
}

constexpr int kShapeThreads = 128;  // a station a warp

template <class Sample>
struct Pair;
template <>
struct Pair<float> {
  using Type = float2;
};
template <>
struct Pair<std::int16_t> {
  using Type = short2;
};

/// Where a station's frames go.
template <class Sample>
struct Row {
  typename Pair<Sample>::Type* places;
  std::uint32_t station;

  RW_HOST_DEVICE void operator()(int frame, StereoFrame heard, std::uint32_t clock, bool is_on) const {
    if constexpr (std::is_same_v<Sample, float>) {
      places[frame] = is_on ? make_float2(heard.left, heard.right) : make_float2(0, 0);
    } else {
      const short left = StationRule::quantized(heard.left, StationRule::dither(station, clock, 0));
      const short right = StationRule::quantized(heard.right, StationRule::dither(station, clock, 1));
      places[frame] = is_on ? make_short2(left, right) : make_short2(0, 0);
    }
  }
};

/// A warp a station, a lane a frame of a chunk: chorus, echo, room, gain, ceiling.
///
/// What must move for a frame of a station: two samples of the chorus written and four read, three of the
/// echo, sixteen of the room, the bus there and back, and the output: 120 bytes, and for 16,384 stations of
/// 480 frames 0.22 ms at an H200's bandwidth. Seen by ncu: 0.66 ms, 55 % of the slots to issue an
/// instruction; it waits for what it loads.
template <class Sample>
__global__ void __launch_bounds__(kShapeThreads, 5)
    shape_kernel(RenderArrays arrays, StationRange range, typename Pair<Sample>::Type* output) {
  const RenderHeader header = *arrays.header;
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const int number =
      range.first + (static_cast<int>(blockIdx.x) * kShapeThreads + static_cast<int>(threadIdx.x)) / kWarp;
  if (number >= min(range.first + range.count, header.stations)) return;
  const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(number) * header.frames;
  shape_station(LaneGroup{lane}, arrays.rates, header, arrays.playing[number] != 0, arrays.constants[number],
                arrays.states[number], arrays.memory + number * arrays.floats, arrays.bus + row,
                Row<Sample>{output + row, static_cast<std::uint32_t>(number)});
}

constexpr int kLoudnessThreads = 64;

/// A thread a side: the weighting goes on from frame to frame. It runs beside the copy of the output.
__global__ void __launch_bounds__(kLoudnessThreads) loudness_kernel(RenderArrays arrays, StationRange range) {
  const RenderHeader header = *arrays.header;
  const int index = static_cast<int>(blockIdx.x) * kLoudnessThreads + static_cast<int>(threadIdx.x);
  const int number = range.first + index / 2;
  const int side_number = index % 2;
  if (number >= min(range.first + range.count, header.stations) || arrays.playing[number] == 0) return;
  const StationRule::Constants& constants = arrays.constants[number];
  if (constants.loudness.target <= 0) return;
  const LoudnessRule::Constants loudness = constants.loudness;
  const std::int64_t start_frame = constants.start_frame;
  StationRule::State& kept = arrays.states[number];
  LoudnessRule::Side side = kept.sides[side_number];
  const auto* const bus =
      reinterpret_cast<const float*>(arrays.bus + static_cast<std::ptrdiff_t>(number) * header.frames) +
      side_number;
  const int skipped =
      static_cast<int>(start_frame > header.clock ? start_frame - header.clock : std::int64_t{0});
  // Both sides of a station are neighbours, and come to a hop's end together.
  const unsigned pair = 3U << (threadIdx.x % kWarp & ~1U);
  for (int n = skipped; n < header.frames; ++n) {
    LoudnessRule::step(arrays.rates.loudness, side, bus[2 * n]);
    const unsigned own = StationRule::own_clock(constants, header.clock + n + 1);
    if (own % LoudnessRule::kHopFrames != 0) continue;
    const float other = __shfl_xor_sync(pair, side.energy, 1);
    if (side_number == 0)
      LoudnessRule::advance(arrays.rates.loudness, loudness, kept.loudness,
                            own / LoudnessRule::kHopFrames - 1, side.energy + other);
    side.energy = 0;
  }
  kept.sides[side_number] = side;
}

unsigned blocks_for(int items, int each) {
  return static_cast<unsigned>((items + each - 1) / each);
}

}  // namespace

cudaError_t obey_orders(cudaStream_t stream, const RenderArrays& arrays,
                        const RenderOrders& orders) noexcept {
  orders_kernel<<<kOrderBlocks, kOrderThreads, 0, stream>>>(arrays, orders);
  return cudaGetLastError();
}

cudaError_t shape_stations(cudaStream_t stream, const RenderArrays& arrays, StationRange range,
                           Renderer::Format format, void* output) noexcept {
  const unsigned blocks = blocks_for(range.count, kShapeThreads / kWarp);
  if (format == Renderer::Format::float32)
    shape_kernel<float><<<blocks, kShapeThreads, 0, stream>>>(arrays, range, static_cast<float2*>(output));
  else
    shape_kernel<std::int16_t>
        <<<blocks, kShapeThreads, 0, stream>>>(arrays, range, static_cast<short2*>(output));
  return cudaGetLastError();
}

cudaError_t measure_loudness(cudaStream_t stream, const RenderArrays& arrays, StationRange range) noexcept {
  loudness_kernel<<<blocks_for(2 * range.count, kLoudnessThreads), kLoudnessThreads, 0, stream>>>(arrays,
                                                                                                  range);
  return cudaGetLastError();
}

}  // namespace ringwave::synth
