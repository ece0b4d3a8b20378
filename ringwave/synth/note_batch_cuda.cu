// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#include "ringwave/core/cuda/cuda_runtime.cuh"
#include "ringwave/core/cuda/device_scope.cuh"
#include "ringwave/core/cuda/memory.cuh"
#include "ringwave/synth/note_batch_twins.hpp"

// Compiled without fused multiply-add, but where fused() asks for it: envelopes and pitches are the CPU's to
// the bit, so that no stage ends a frame earlier here than there.
namespace ringwave::synth {
namespace {

constexpr int kWarp = 32;
constexpr int kWindowFrames = VoiceRule::kControlFrames;
constexpr int kWindows = 128;  // that are played side by side, a thread each
constexpr int kWarps = kWindows / kWarp;
constexpr int kTileFrames = kWindows * kWindowFrames;
constexpr int kThreads = kWindows + 2 * kWarp;  // and two warps that are a tile ahead, with the envelopes
constexpr unsigned kAll = 0xffff'ffffU;

/// Waits for the threads that have windows; the others go on.
__device__ void sync_windows() {
  asm volatile("bar.sync 1, %0;" ::"n"(kWindows) : "memory");
}

/// Where the envelopes are when each window of a tile begins; the slow ones after its control step.
struct Envelopes {
  EnvelopeRule::State amp[kWindows];
  EnvelopeRule::State slow[VoiceRule::kSlowEnvelopes][kWindows];
};

/// What some frames make of a filter's memory.
struct FilterMap {
  SvfRule::State of_first{1, 0};   ///< what a 1 in the first becomes
  SvfRule::State of_second{0, 1};  ///< and one in the second
  SvfRule::State rest{};           ///< what comes out of nothing

  /// One more frame.
  __device__ void advance(const SvfRule::Constants& c, float x) {
    (void)SvfRule::step(c, of_first, 0);
    (void)SvfRule::step(c, of_second, 0);
    (void)SvfRule::step(c, rest, x);
  }

  [[nodiscard]] __device__ SvfRule::State moved(const SvfRule::State& state) const {
    return {fused(of_first.first, state.first, of_second.first * state.second),
            fused(of_first.second, state.first, of_second.second * state.second)};
  }
  [[nodiscard]] __device__ SvfRule::State after(const SvfRule::State& state) const {
    const SvfRule::State there = moved(state);
    return {there.first + rest.first, there.second + rest.second};
  }
  /// This, and `earlier` before it.
  [[nodiscard]] __device__ FilterMap behind(const FilterMap& earlier) const {
    return {moved(earlier.of_first), moved(earlier.of_second), after(earlier.rest)};
  }
  [[nodiscard]] __device__ FilterMap from_lane_below(int lanes) const {
    const auto below = [&](const SvfRule::State& state) {
      return SvfRule::State{__shfl_up_sync(kAll, state.first, lanes),
                            __shfl_up_sync(kAll, state.second, lanes)};
    };
    return {below(of_first), below(of_second), below(rest)};
  }
};

/// All that a block shares.
struct Shared {
  VoiceRule::Constants patch;
  Envelopes envelopes[2];  // of this tile and the next, in turns
  VoiceRule::Lines targets[kWindows];
  float tile[2][kWindows][kWindowFrames + 1];
  Phase turned[4][kWarps];  // by the slow oscillators and the oscillators in each warp's windows
  FilterMap maps[kWarps];
};

/// The sum of `value` over the windows before this thread's; adds the sum over all to `carry`.
__device__ Phase turned_before(Phase value, Phase (&sums)[kWarps], Phase& carry) {
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  Phase sum = value;
  for (int lanes = 1; lanes < kWarp; lanes *= 2) {
    const Phase below = __shfl_up_sync(kAll, sum, lanes);
    if (lane >= lanes) sum += below;
  }
  if (lane == kWarp - 1) sums[warp] = sum;
  sync_windows();
  Phase before = carry + sum - value;
  for (int other = 0; other < kWarps; ++other) {
    if (other < warp) before += sums[other];
    carry += sums[other];
  }
  return before;
}

/// A thread that makes one of the envelopes; the first one in a warp of its own, because it goes by frames.
class EnvelopeMaker {
 public:
  __device__ EnvelopeMaker(const VoiceRule::Constants& patch, const NoteBatch::Note& note, int thread)
      : is_amp_(thread == 0),
        slow_(min(max(thread - kWarp, 0), VoiceRule::kSlowEnvelopes - 1)),
        is_idle_(thread != 0 && thread != kWarp + slow_),
        is_heard_(patch.heard[1 + slow_]),
        constants_(is_amp_ ? patch.amp : patch.slow_envelopes[slow_]),
        run_(constants_, begun(constants_)),
        release_frame_(note.held_frames) {}

  __device__ void make(int first_frame, Envelopes& made) {
    if (is_idle_) return;
    if (is_amp_)
      make_amp(first_frame, made.amp);
    else
      make_slow(first_frame, made.slow[slow_]);
  }

 private:
  /// The first one, in frames.
  __device__ void make_amp(int first_frame, EnvelopeRule::State (&made)[kWindows]) {
    for (int window = 0; window < kWindows; ++window) {
      const int held = release_frame_ - (first_frame + window * kWindowFrames);
      const int rest = kWindows - window;
      window +=
          run_.cruise<kWindowFrames>(held < 0 ? rest : min(rest, held / kWindowFrames),
                                     [&](int i, EnvelopeRule::State state) { made[window + i] = state; });
      if (window == kWindows) return;
      make_turn(release_frame_ - (first_frame + window * kWindowFrames), made[window]);
    }
  }

  /// One of the slow ones, in control steps.
  __device__ void make_slow(int first_frame, EnvelopeRule::State (&made)[kWindows]) {
    for (int window = 0; window < kWindows; ++window, first_frame += kWindowFrames) {
      if (first_frame >= release_frame_ && first_frame < release_frame_ + kWindowFrames)
        run_.release(constants_);
      if (is_heard_) (void)run_.step(constants_);
      made[window] = run_.state();
    }
  }

  /// A window in which a stage ends, or before whose frame `released` the note is let go.
  __device__ void make_turn(int released, EnvelopeRule::State& made) {
    if (released == 0) run_.release(constants_);
    made = run_.state();
#pragma unroll 1
    for (int n = 0; n < kWindowFrames; ++n) {
      if (n == released && n > 0) run_.release(constants_);
      (void)run_.step(constants_);
    }
  }

  [[nodiscard]] __device__ static EnvelopeRule::State begun(const EnvelopeRule::Constants& constants) {
    EnvelopeRule::State state;
    EnvelopeRule::begin(constants, state);
    return state;
  }

  bool is_amp_;
  int slow_;
  bool is_idle_;
  bool is_heard_;
  EnvelopeRule::Constants constants_;
  EnvelopeRule::Run run_;
  int release_frame_;
};

/// A thread that plays one window of each tile.
class Player {
 public:
  __device__ Player(Shared& shared, const NoteBatch::Note& note)
      : shared_(shared),
        patch_(shared.patch),
        release_frame_(note.held_frames),
        thread_(static_cast<int>(threadIdx.x)) {
    VoiceRule::begin(patch_, begun_, {note.key, note.velocity, note.pan, note.seed});
    before_ = begun_.now;
    for (int i = 0; i < 2; ++i) phases_[i] = begun_.phases[i];
    noise_ =
        VoiceRule::NoiseJump::of_frames(static_cast<unsigned>(thread_ * kWindowFrames)).after(begun_.noise);
  }

  /// Plays the tile that begins at a frame into `samples`, of which there are `frames`.
  __device__ void play(int first_frame, const Envelopes& envelopes, int frames, float2* samples) {
    VoiceRule::State state = begun_;
    state.amp = envelopes.amp[thread_];
    for (int i = 0; i < VoiceRule::kSlowEnvelopes; ++i) state.slow_envelopes[i] = envelopes.slow[i][thread_];
    turn_slow_oscillators(state);
    const VoiceRule::Lines from = aim(state);
    for (int i = 0; i < 2; ++i)
      state.phases[i] = turned_before(state.steps[i] * kWindowFrames, shared_.turned[2 + i], phases_[i]);
    state.noise = noise_;
    noise_ = tile_jump().after(noise_);
    mix(state);
    state.now = from;
    state.filter = memory_before(state);
    filter(state, release_frame_ - (first_frame + thread_ * kWindowFrames));
    sync_windows();
    for (int n = thread_; n < frames; n += kWindows)
      samples[n] = {shared_.tile[0][n / kWindowFrames][n % kWindowFrames],
                    shared_.tile[1][n / kWindowFrames][n % kWindowFrames]};
  }

 private:
  [[nodiscard]] __device__ static VoiceRule::NoiseJump tile_jump() {
    return VoiceRule::NoiseJump::of_frames(kTileFrames);
  }

  /// To where they are when the window begins. One may move the other: that one turns first.
  __device__ void turn_slow_oscillators(VoiceRule::State& state) {
    constexpr int kSecond = static_cast<int>(Patch::Source::lfo2);
    const bool second_leads = patch_.amounts[static_cast<int>(Patch::Target::lfo1)][kSecond] != 0;
    if (second_leads) turn_slow_oscillator<1>(state);
    turn_slow_oscillator<0>(state);
    if (!second_leads) turn_slow_oscillator<1>(state);
  }

  template <int kLfo>
  __device__ void turn_slow_oscillator(VoiceRule::State& state) {
    if (!patch_.heard[static_cast<int>(Patch::Source::lfo1) + kLfo]) return;
    const VoiceRule::Sources sources = VoiceRule::sources_of(patch_, state);
    const Phase step = VoiceRule::lfo_step(patch_, VoiceRule::Wires{patch_, sources}, kLfo);
    state.lfo_phases[kLfo] = turned_before(step, shared_.turned[kLfo], lfo_phases_[kLfo]);
  }

  /// Sets the pitches, widths and slopes of the window; where its lines come from, which is where those of
  /// the window before it led to.
  [[nodiscard]] __device__ VoiceRule::Lines aim(VoiceRule::State& state) {
    const VoiceRule::Sources sources = VoiceRule::sources_of(patch_, state);
    const VoiceRule::Lines to = VoiceRule::aim(patch_, state, VoiceRule::Wires{patch_, sources});
    shared_.targets[thread_] = to;
    sync_windows();
    const VoiceRule::Lines from = thread_ == 0 ? before_ : shared_.targets[thread_ - 1];
    if (thread_ == 0) before_ = shared_.targets[kWindows - 1];
    state.slope = from.slope_to(to);
    state.now = from;
    return from;
  }

  /// What goes into the filter, into the tile.
  __device__ void mix(VoiceRule::State& state) {
    float* const mixed = shared_.tile[0][thread_];
    const bool hisses = patch_.hisses;
    for (int n = 0; n < kWindowFrames; ++n) {
      mixed[n] = hisses ? VoiceRule::hiss(state) : 0;
      state.now.noise += state.slope.noise;
    }
    mix_oscillator<0>(state, mixed);
    mix_oscillator<1>(state, mixed);
  }

  /// Its shape is looked at once.
  template <int kVco>
  __device__ void mix_oscillator(VoiceRule::State& state, float* mixed) {
    switch (patch_.waves[kVco]) {
      case Patch::Wave::sine:
        return mix_wave<kVco, Patch::Wave::sine>(state, mixed);
      case Patch::Wave::triangle:
        return mix_wave<kVco, Patch::Wave::triangle>(state, mixed);
      case Patch::Wave::saw:
        return mix_wave<kVco, Patch::Wave::saw>(state, mixed);
      case Patch::Wave::pulse:
        return mix_wave<kVco, Patch::Wave::pulse>(state, mixed);
    }
  }

  template <int kVco, Patch::Wave kWave>
  __device__ void mix_wave(VoiceRule::State& state, float* mixed) {
#pragma unroll 4
    for (int n = 0; n < kWindowFrames; ++n) {
      mixed[n] = VoiceRule::with_oscillator(kWave, state, kVco, mixed[n]);
      state.now.levels[kVco] += state.slope.levels[kVco];
    }
  }

  /// The filter's memory when the window begins. All windows find out what they would make of any memory, and
  /// then they know what they get from those before them.
  [[nodiscard]] __device__ SvfRule::State memory_before(const VoiceRule::State& state) {
    const float* const mixed = shared_.tile[0][thread_];
    SvfRule::Constants constants{state.now.g, state.now.k};
    FilterMap own;
#pragma unroll 4
    for (int n = 0; n < kWindowFrames; ++n) {
      own.advance(constants, mixed[n]);
      constants.g += state.slope.g;
      constants.k += state.slope.k;
    }
    const int lane = thread_ % kWarp;
    const int warp = thread_ / kWarp;
    for (int lanes = 1; lanes < kWarp; lanes *= 2) {
      const FilterMap below = own.from_lane_below(lanes);
      if (lane >= lanes) own = own.behind(below);
    }
    if (lane == kWarp - 1) shared_.maps[warp] = own;
    const FilterMap below = own.from_lane_below(1);
    sync_windows();
    SvfRule::State memory{};
    for (int other = 0; other < kWarps; ++other) {
      if (other == warp) memory = lane == 0 ? filter_ : below.after(filter_);
      filter_ = shared_.maps[other].after(filter_);
    }
    return memory;
  }

  /// From what was mixed to what is heard, in the tile; let go before frame `released` of the window.
  __device__ void filter(VoiceRule::State& state, int released) {
    float* const left = shared_.tile[0][thread_];
    float* const right = shared_.tile[1][thread_];
    const Patch::Response response = patch_.response;
    EnvelopeRule::Run amp(patch_.amp, state.amp);
#pragma unroll 4
    for (int n = 0; n < kWindowFrames; ++n) {
      if (n == released && n > 0) amp.release(patch_.amp);
      const VoiceRule::Frame frame = VoiceRule::filtered(response, state, left[n], amp.step(patch_.amp));
      left[n] = frame.left;
      right[n] = frame.right;
      state.now.advance(state.slope);
    }
  }

  Shared& shared_;
  const VoiceRule::Constants& patch_;
  VoiceRule::State begun_{};
  VoiceRule::Lines before_{};  // of the first window, where its lines come from
  Phase phases_[2];            // when the tile begins
  Phase lfo_phases_[2] = {};
  SvfRule::State filter_{};
  std::uint32_t noise_;  // when the window begins
  int release_frame_;
  int thread_;
};

/// A block plays a note, a tile of 2,048 frames at a time, of which a thread plays 16.
///
/// What must move is the output, 8 bytes a frame: 128 notes of 4 s at 44.1 kHz are 0.18 GB, 0.04 ms at an
/// H200's bandwidth. What takes the time is the arithmetic, and, where there are fewer notes than the GPU has
/// room for, the first envelope: it goes on frame by frame, 8 cycles each, as the CPU's does; 0.71 ms at
/// 1.98 GHz.
__global__ void __launch_bounds__(kThreads, 4)
    notes_kernel(const VoiceRule::Constants* patches, const NoteBatch::Note* notes, int frames,
                 float2* samples) {
  __shared__ Shared shared;
  const NoteBatch::Note note = notes[blockIdx.x];
  const int thread = static_cast<int>(threadIdx.x);
  if (thread == 0) shared.patch = patches[note.patch];
  __syncthreads();
  const bool has_window = thread < kWindows;
  Player player(shared, note);
  EnvelopeMaker maker(shared.patch, note, thread - kWindows);
  float2* const own = samples + static_cast<std::ptrdiff_t>(blockIdx.x) * frames;
  const int tiles = (frames - 1) / kTileFrames + 1;
  for (int tile = 0; tile <= tiles; ++tile) {
    const int first = (tile - 1) * kTileFrames;  // of what is played; the envelopes are a tile ahead
    const Envelopes& made = shared.envelopes[(tile - 1) & 1];
    if (tile > 0 && made.amp[0].stage == EnvelopeRule::Stage::off) {  // for good
      for (int n = first + thread; n < frames; n += kThreads) own[n] = {0, 0};
      return;
    }
    if (!has_window && tile < tiles) maker.make(first + kTileFrames, shared.envelopes[tile & 1]);
    if (has_window && tile > 0) player.play(first, made, min(kTileFrames, frames - first), own + first);
    __syncthreads();
  }
}

class NoteBatchCuda final : public NoteBatchTwin {
 public:
  NoteBatchCuda(Device device, const NoteBatchRequest& request)
      : device_(ringwave::cuda::CudaRuntime::of(device)), frames_(request.frames) {
    const ringwave::cuda::DeviceScope scope(device_.index());
    notes_ = ringwave::cuda::DeviceArray<NoteBatch::Note>(static_cast<std::size_t>(request.notes));
  }

  ~NoteBatchCuda() override {
    const ringwave::cuda::DeviceScope scope(device_.index());
    notes_ = {};
    patches_ = {};
  }
  NoteBatchCuda(const NoteBatchCuda&) = delete;  // it owns memory of the device
  NoteBatchCuda& operator=(const NoteBatchCuda&) = delete;

  void render(Queue& queue, std::span<const VoiceRule::Constants> patches,
              std::span<const NoteBatch::Note> notes, float* samples) override {
    const ringwave::cuda::DeviceScope scope(device_.index());
    if (patches_.size() < patches.size())
      patches_ = ringwave::cuda::DeviceArray<VoiceRule::Constants>(patches.size());
    queue.copy(patches_.data(), patches.data(), patches.size_bytes());
    queue.copy(notes_.data(), notes.data(), notes.size_bytes());
    cudaError_t error = cudaSuccess;
    queue.submit(
        [this, &error, samples, count = static_cast<unsigned>(notes.size())](NativeQueue stream) noexcept {
          notes_kernel<<<count, kThreads, 0, static_cast<cudaStream_t>(stream)>>>(
              patches_.data(), notes_.data(), frames_, reinterpret_cast<float2*>(samples));
          error = cudaGetLastError();
        });
    device_.require(error, "playing a batch of notes");
    queue.synchronize();
  }

 private:
  ringwave::cuda::CudaRuntime& device_;
  int frames_;
  ringwave::cuda::DeviceArray<VoiceRule::Constants> patches_;
  ringwave::cuda::DeviceArray<NoteBatch::Note> notes_;
};

}  // namespace

std::unique_ptr<NoteBatchTwin> make_note_batch_cuda(Device device, const NoteBatchRequest& request) {
  return std::make_unique<NoteBatchCuda>(device, request);
}

}  // namespace ringwave::synth
