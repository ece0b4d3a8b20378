// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ringwave/synth/renderer_kernels_cuda.cuh"

// Compiled without fused multiply-add: envelopes and pitches are the CPU's to the bit, so that no stage ends
// a frame earlier here than there.
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

constexpr int kVoiceThreads = 128;
constexpr int kMostGroup = 16;  // stations of a block: a warp has a lane for each of their sides

/// Whether a voice has anything to do, and which waves it has: threads with the same waves lie side by side.
__device__ int rank_of(const RenderArrays& arrays, std::ptrdiff_t voice, bool is_there) {
  constexpr int kIdle = 255;
  if (!is_there) return kIdle + 1;
  int patch = arrays.patch_numbers[voice];
  if (const int first = arrays.first_events[voice]; first >= 0) {
    patch = arrays.events[first].patch;
  } else if (VoiceRule::is_silent(arrays.voices[voice])) {
    return kIdle;
  }
  const VoiceRule::Constants& constants = arrays.patches[patch];
  return static_cast<int>(constants.waves[0]) * 4 + static_cast<int>(constants.waves[1]);
}

/// One thread a voice, with its state in registers for the whole block; a few stations a block. After every
/// chunk the voices are added up in their order, and a lane for each side of each station does the tone.
///
/// What must move is a voice's state there and back and the bus once: for 100,000 stations of eight voices
/// 0.26 GB and, at 480 frames, 0.38 GB. What takes the time is the arithmetic.
__global__ void __launch_bounds__(kVoiceThreads)
    voices_kernel(RenderArrays arrays, StationRange range, int group) {
  __shared__ float tile[2][kVoiceThreads][kChunkFrames + 1];
  __shared__ float sums[2 * kMostGroup][kChunkFrames + 1];
  __shared__ int ranks[kVoiceThreads];
  __shared__ int order[kVoiceThreads];
  __shared__ bool sounds[kVoiceThreads];
  const RenderHeader header = *arrays.header;
  const int thread = static_cast<int>(threadIdx.x);
  const int first_station = range.first + static_cast<int>(blockIdx.x) * group;
  const int stations = min(group, min(range.first + range.count, header.stations) - first_station);
  if (stations <= 0) return;
  const int voices = stations * arrays.slots;
  const std::ptrdiff_t first_voice = static_cast<std::ptrdiff_t>(first_station) * arrays.slots;

  ranks[thread] = rank_of(arrays, first_voice + thread, thread < voices);
  __syncthreads();
  int place = 0;
  for (int other = 0; other < kVoiceThreads; ++other)
    place += ranks[other] < ranks[thread] || (ranks[other] == ranks[thread] && other < thread) ? 1 : 0;
  order[place] = thread;
  __syncthreads();

  const int row = order[thread];  // the voice of this thread
  const std::ptrdiff_t voice = first_voice + row;
  const bool works = row < voices && arrays.playing[first_station + row / arrays.slots] != 0;
  VoiceRule::State state{};
  int patch = 0;
  int event = -1;
  int event_frame = header.frames;
  if (row < voices) {
    event = arrays.first_events[voice];
    arrays.first_events[voice] = -1;
  }
  if (works) {
    state = arrays.voices[voice];
    patch = arrays.patch_numbers[voice];
    if (event >= 0) event_frame = arrays.events[event].frame;
  }
  const bool was_idle = VoiceRule::is_silent(state) && event_frame >= header.frames;

  const int side_station = thread / 2;  // of a thread that does a side's tone
  const bool has_side = thread < 2 * stations && arrays.playing[first_station + side_station] != 0;
  ToneRule::State tone{};
  ToneRule::Constants tone_constants{};
  std::int64_t start_frame = 0;
  if (has_side) {
    tone = arrays.states[first_station + side_station].tone[thread % 2];
    tone_constants = arrays.constants[first_station + side_station].tone;
    start_frame = arrays.constants[first_station + side_station].start_frame;
  }

  int count = 0;
  for (int first = 0; first < header.frames; first += count) {
    const std::int64_t now = header.clock + first;
    const int in_chunk = static_cast<int>(now % kChunkFrames);
    count = min(kChunkFrames - in_chunk, header.frames - first);
    const bool is_heard = !VoiceRule::is_silent(state) || event_frame < first + count;
    sounds[row] = is_heard;
    if (is_heard) {
      for (int n = 0; n < count; ++n) {
        while (event_frame == first + n) {
          const VoiceEvent happening = arrays.events[event];
          if (happening.kind == VoiceEvent::Kind::begin) patch = happening.patch;
          VoiceRule::happen(arrays.patches[patch], state, happening);
          ++event;
          const bool has_more = event < header.events && arrays.events[event].station == happening.station &&
                                arrays.events[event].voice == happening.voice;
          event_frame = has_more ? arrays.events[event].frame : header.frames;
        }
        VoiceRule::Frame frame{};
        if (!VoiceRule::is_silent(state)) {
          if ((in_chunk + n) % VoiceRule::kControlFrames == 0)
            VoiceRule::control(arrays.patches[patch], state);
          frame = VoiceRule::step(arrays.patches[patch], state);
        }
        tile[0][row][n] = frame.left;
        tile[1][row][n] = frame.right;
      }
    }
    __syncthreads();
    for (int i = thread; i < 2 * stations * kWarp; i += kVoiceThreads) {
      const int n = i % kWarp;
      const int side = i / kWarp % 2;
      const int station = i / kWarp / 2;
      float sum = 0;
      for (int slot = station * arrays.slots; slot < (station + 1) * arrays.slots; ++slot)
        if (sounds[slot] && n < count) sum += tile[side][slot][n];
      sums[2 * station + side][n] = sum;
    }
    __syncthreads();
    if (has_side && now >= start_frame) {
      if (in_chunk == 0) ToneRule::advance(arrays.rates.tone, tone_constants, tone);
      for (int n = 0; n < count; ++n)
        sums[thread][n] = ToneRule::step(arrays.rates.tone, tone, in_chunk + n, sums[thread][n]);
    }
    __syncthreads();
    for (int i = thread; i < stations * kWarp; i += kVoiceThreads) {
      const int n = i % kWarp;
      const int station = i / kWarp;
      if (n < count)
        arrays.bus[static_cast<std::ptrdiff_t>(first_station + station) * header.frames + first + n] = {
            sums[2 * station][n], sums[2 * station + 1][n]};
    }
    // What is written next is read behind the next barrier: `tile` before, `sums` after it.
  }
  if (works && !was_idle) {
    arrays.voices[voice] = state;
    arrays.patch_numbers[voice] = static_cast<std::uint8_t>(patch);
  }
  if (has_side) arrays.states[first_station + side_station].tone[thread % 2] = tone;
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

__device__ void store(float2* place, StereoFrame heard, std::uint32_t /*station*/, std::uint32_t /*clock*/,
                      bool is_on) {
  *place = is_on ? make_float2(heard.left, heard.right) : make_float2(0, 0);
}
__device__ void store(short2* place, StereoFrame heard, std::uint32_t station, std::uint32_t clock,
                      bool is_on) {
  const auto quantized = [&](float sample, std::uint32_t side) {
    return StationRule::quantized(sample, StationRule::dither(station, clock, side));
  };
  *place = is_on ? make_short2(quantized(heard.left, 0), quantized(heard.right, 1)) : make_short2(0, 0);
}

/// A warp a station, a lane a frame of a chunk: chorus, echo, room, gain, ceiling.
///
/// What must move for a frame of a station: two samples of the chorus written and four read, three of the
/// echo, sixteen of the room, the bus there and back, and the output: 120 bytes.
template <class Sample>
__global__ void __launch_bounds__(kShapeThreads)
    shape_kernel(RenderArrays arrays, StationRange range, typename Pair<Sample>::Type* output) {
  const RenderHeader header = *arrays.header;
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const int number =
      range.first + (static_cast<int>(blockIdx.x) * kShapeThreads + static_cast<int>(threadIdx.x)) / kWarp;
  if (number >= min(range.first + range.count, header.stations)) return;
  const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(number) * header.frames;
  const bool plays = arrays.playing[number] != 0;
  const StationRule::Constants& constants = arrays.constants[number];
  const SpaceRule::Constants space_constants = constants.space;
  const std::int64_t start_frame = constants.start_frame;
  StationRule::State& kept = arrays.states[number];
  SpaceRule::State space = kept.space;
  CeilingRule::State ceiling = kept.ceiling;
  Knob gain = kept.gain;
  float* const memory = arrays.memory + number * arrays.floats;
  float* const past = memory + arrays.rates.space.layout.floats();
  const SpaceRule::Layout& layout = arrays.rates.space.layout;
  SpaceRule::Places places = header.places;
  int count = 0;
  for (int first = 0; first < header.frames; first += count) {
    const std::int64_t now = header.clock + first;
    const int in_chunk = static_cast<int>(now % kChunkFrames);
    count = min(kChunkFrames - in_chunk, header.frames - first);
    const int frame = in_chunk + lane;
    const auto clock = static_cast<unsigned>(now) + static_cast<unsigned>(lane);
    const bool is_on = plays && now >= start_frame;
    const bool works = is_on && lane < count;
    StereoFrame heard{};
    if (is_on) {
      if (in_chunk == 0) {
        SpaceRule::advance(arrays.rates.space, space_constants, space);
        gain.advance(constants.gain, arrays.rates.glide);
      }
      StereoFrame dry{};
      if (works) {
        const float2 x = arrays.bus[row + first + lane];
        dry = {x.x, x.y};
        SpaceRule::listen(layout, places, memory, lane, dry);
      }
      __syncwarp();
      SpaceRule::Fresh fresh;
      StereoFrame wet{};
      if (works)
        wet = SpaceRule::read(arrays.rates.space, space_constants, space, places, memory, frame, lane, dry,
                              fresh);
      __syncwarp();
      float peak = 0;
      if (works) {
        SpaceRule::write(layout, places, memory, lane, fresh);
        arrays.bus[row + first + lane] = {wet.left, wet.right};
        const std::int64_t own = now + lane - start_frame;
        const float level =
            gain.at(frame) * LoudnessRule::gain(kept.loudness,
                                                static_cast<unsigned>(own / LoudnessRule::kHopFrames),
                                                static_cast<int>(own % LoudnessRule::kHopFrames));
        CeilingRule::write(past, clock, {wet.left * level, wet.right * level});
      }
      __syncwarp();
      if (works) {
        peak = CeilingRule::true_peak(arrays.rates.ceiling, past, clock);
        heard = CeilingRule::read(ceiling, past, clock);
      }
      for (int step = kWarp / 2; step > 0; step /= 2) {
        const float other = __shfl_xor_sync(0xffffffffU, peak, step);
        peak = other > peak ? other : peak;
      }
      ceiling.peak = peak > ceiling.peak ? peak : ceiling.peak;
      if (in_chunk + count == kChunkFrames)
        CeilingRule::advance(arrays.rates.ceiling, constants.ceiling, ceiling);
    }
    if (lane < count)
      store(output + row + first + lane, heard, static_cast<std::uint32_t>(number), clock, is_on);
    places.advance(layout, count);
  }
  if (lane == 0) {
    kept.space = space;
    kept.ceiling = ceiling;
    kept.gain = gain;
  }
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
    const std::int64_t own = header.clock + n + 1 - start_frame;
    if (own % LoudnessRule::kHopFrames != 0) continue;
    const float other = __shfl_xor_sync(pair, side.energy, 1);
    if (side_number == 0)
      LoudnessRule::advance(arrays.rates.loudness, loudness, kept.loudness,
                            static_cast<unsigned>(own / LoudnessRule::kHopFrames) - 1, side.energy + other);
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

cudaError_t play_voices(cudaStream_t stream, const RenderArrays& arrays, StationRange range) noexcept {
  const int group = std::min(kMostGroup, kVoiceThreads / arrays.slots);
  voices_kernel<<<blocks_for(range.count, group), kVoiceThreads, 0, stream>>>(arrays, range, group);
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
