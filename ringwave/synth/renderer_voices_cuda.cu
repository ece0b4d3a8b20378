// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ringwave/synth/renderer_kernels_cuda.cuh"
#include "ringwave/synth/voice_pass.hpp"

// Compiled without fused multiply-add, but where fused() asks for it: envelopes and pitches are the CPU's to
// the bit, so that no stage ends a frame earlier here than there.
namespace ringwave::synth {
namespace {

constexpr int kTileFrames = VoiceRule::kControlFrames;  // that a voice does before all are added up
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
  return VoicePass::rank_of(arrays.patches[patch]);
}

/// Where a voice's frames go.
struct TileRow {
  float* left;
  float* right;

  RW_HOST_DEVICE void operator()(int n, VoiceRule::Frame frame) const {
    left[n] = frame.left;
    right[n] = frame.right;
  }
};

/// One thread a voice, with its state in registers for the whole block; a few stations a block. After every
/// tile the voices are added up in their order, and a lane for each side of each station does the tone.
///
/// What must move is a voice's state there and back and the bus once: for 16,384 stations of eight voices and
/// 480 frames 0.11 GB, 0.03 ms at an H200's bandwidth. What takes the time is the arithmetic: 84 instructions
/// a frame of a pad, 46 for its control, 28 for the sum and the tone. Seen by ncu: 0.70 ms, 59 % of the slots
/// to issue an instruction.
__global__ void __launch_bounds__(kVoiceThreads, 4)
    voices_kernel(RenderArrays arrays, StationRange range, int group) {
  __shared__ float tile[2][kVoiceThreads][kTileFrames + 1];
  __shared__ float sums[2 * kMostGroup][kTileFrames + 1];
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
  const VoicePass pass{arrays.patches, arrays.events, header.events, header.frames};
  PlayingVoice playing;
  playing.event_frame = header.frames;
  if (row < voices) {
    playing.event = arrays.first_events[voice];
    arrays.first_events[voice] = -1;
  }
  if (works) {
    playing.state = arrays.voices[voice];
    playing.patch = arrays.patch_numbers[voice];
    if (playing.event >= 0) playing.event_frame = arrays.events[playing.event].frame;
  }
  playing.constants = arrays.patches[playing.patch];
  const bool was_idle = VoiceRule::is_silent(playing.state) && playing.event_frame >= header.frames;

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
    const int in_tile = in_chunk % kTileFrames;
    count = min(kTileFrames - in_tile, header.frames - first);
    sounds[row] = pass.play(playing, first, count, in_tile, TileRow{tile[0][row], tile[1][row]});
    __syncthreads();
    for (int i = thread; i < 2 * stations * kTileFrames; i += kVoiceThreads) {
      const int n = i % kTileFrames;
      const int side = i / kTileFrames % 2;
      const int station = i / kTileFrames / 2;
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
    for (int i = thread; i < stations * kTileFrames; i += kVoiceThreads) {
      const int n = i % kTileFrames;
      const int station = i / kTileFrames;
      if (n < count)
        arrays.bus[static_cast<std::ptrdiff_t>(first_station + station) * header.frames + first + n] = {
            sums[2 * station][n], sums[2 * station + 1][n]};
    }
    // What is written next is read behind the next barrier: `tile` before, `sums` after it.
  }
  if (works && !was_idle) {
    arrays.voices[voice] = playing.state;
    arrays.patch_numbers[voice] = static_cast<std::uint8_t>(playing.patch);
  }
  if (has_side) arrays.states[first_station + side_station].tone[thread % 2] = tone;
}

}  // namespace

cudaError_t play_voices(cudaStream_t stream, const RenderArrays& arrays, StationRange range) noexcept {
  const int group = std::min(kMostGroup, kVoiceThreads / arrays.slots);
  voices_kernel<<<static_cast<unsigned>((range.count - 1) / group + 1), kVoiceThreads, 0, stream>>>(
      arrays, range, group);
  return cudaGetLastError();
}

}  // namespace ringwave::synth
