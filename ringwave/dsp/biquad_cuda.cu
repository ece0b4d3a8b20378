// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "ringwave/backend/cuda/cuda_block_op.cuh"
#include "ringwave/core/cuda/submit.cuh"
#include "ringwave/dsp/biquad_glide_cuda.cuh"
#include "ringwave/dsp/biquad_math.hpp"
#include "ringwave/dsp/biquad_powers.hpp"
#include "ringwave/dsp/biquad_scan_cuda.cuh"
#include "ringwave/dsp/biquad_twins.hpp"

namespace ringwave::dsp {
namespace {

using scan::LanePowers;
using scan::Matrix;
using scan::Powers;
using scan::States;

constexpr int kThreads = 128;
constexpr int kWarps = kThreads / scan::kWarp;
constexpr int kMostSections = glide::kGroup;  // at a time: their states and the scan stay in registers
constexpr int kShortChunk = 8;                // samples a thread: short blocks want many threads,
constexpr int kLongChunk = 32;                // long ones little scanning
constexpr int kCarryThreads = 512;            // tiles of a channel that carry_kernel scans at a time, at most

template <int S>
struct Cascade {
  Recurrence sections[S];
};

/// What the kernels of one group of sections need, for chunks of one length.
template <int S>
struct Plan {
  Cascade<S> cascade;
  Powers<S> powers;
  const LanePowers<S>* lane_powers;
};

/// Runs the cascade over `count` samples; writes the output over them where `kWrite`.
template <int S, bool kWrite>
__device__ __forceinline__ void run(const Cascade<S>& cascade, States<S>& states, float* samples, int count) {
  for (int n = 0; n < count; ++n) {
    double x = samples[n];
#pragma unroll
    for (int i = 0; i < S; ++i) x = step(cascade.sections[i], x, states.at[2 * i], states.at[2 * i + 1]);
    if (kWrite) samples[n] = static_cast<float>(x);
  }
}

/// A stretch of one channel in shared memory, one chunk a thread. Each chunk is followed by a gap of one, so
/// that 32 threads that walk along their chunks in step meet 32 different banks.
template <int kChunk>
struct Tile {
  static constexpr int kFrames = kThreads * kChunk;
  float samples[kThreads * (kChunk + 1)];

  __device__ float* chunk() { return samples + threadIdx.x * (kChunk + 1); }
  __device__ static int padded(int n) { return n + n / kChunk; }

  __device__ void load(const float* from, int count) {
    for (int n = threadIdx.x; n < count; n += kThreads) samples[padded(n)] = from[n];
  }
  __device__ void store(float* to, int count) const {
    for (int n = threadIdx.x; n < count; n += kThreads) to[n] = samples[padded(n)];
  }
  /// Samples of this thread's chunk where the tile holds `count`.
  __device__ static int chunk_count(int count) {
    return min(max(count - static_cast<int>(threadIdx.x) * kChunk, 0), kChunk);
  }
};

/// The states after each warp's chunks from rest, in `totals`, known to the whole block on return; `v` as
/// after inclusive_scan().
template <int S>
__device__ __forceinline__ void scan_block(const Powers<S>& powers, States<S>& v, States<S>* totals) {
  const int lane = threadIdx.x % scan::kWarp;
  inclusive_scan(powers, lane, v);
  if (lane == scan::kWarp - 1) totals[threadIdx.x / scan::kWarp] = v;
  __syncthreads();
}

/// First pass over long blocks: where each tile but the last of each channel leads from rest, in the place of
/// the tile after it.
template <int S, int kChunk>
__global__ void __launch_bounds__(kThreads)
    tile_ends_kernel(Plan<S> plan, BlockView<const float> in, int tiles, States<S>* starts) {
  __shared__ Tile<kChunk> tile;
  __shared__ States<S> totals[kWarps];
  const int channel = static_cast<int>(blockIdx.x) / (tiles - 1);
  const int index = static_cast<int>(blockIdx.x) % (tiles - 1);
  tile.load(in.data() + channel * in.stride() + static_cast<std::ptrdiff_t>(index) * tile.kFrames,
            tile.kFrames);
  __syncthreads();
  States<S> v;
  run<S, false>(plan.cascade, v, tile.chunk(), kChunk);
  scan_block(plan.powers, v, totals);
  if (threadIdx.x != 0) return;
  States<S> end = totals[0];
  for (int warp = 1; warp < kWarps; ++warp) {
    States<S> next = totals[warp];
    multiply_add(plan.powers.doubled[5], end, next);
    end = next;
  }
  starts[static_cast<std::ptrdiff_t>(channel) * tiles + index + 1] = end;
}

/// Second pass: the states at the start of every tile, from those of the channel and, in place, what the
/// first pass found. One block a channel, one thread a tile: a scan in each warp by tiles, then one over the
/// warps by rows of 32 tiles. The first tile's states go into `starts` too, because the last pass overwrites
/// `states` while it runs.
template <int S>
__global__ void __launch_bounds__(kCarryThreads)
    carry_kernel(Plan<S> by_tile, Plan<S> by_row, int tiles, const States<S>* states, States<S>* starts) {
  __shared__ States<S> totals[kCarryThreads / scan::kWarp];
  __shared__ States<S> rows[kCarryThreads / scan::kWarp];
  __shared__ States<S> after;
  const int lane = threadIdx.x % scan::kWarp;
  const int warp = threadIdx.x / scan::kWarp;
  const int warps = blockDim.x / scan::kWarp;
  starts += static_cast<std::ptrdiff_t>(blockIdx.x) * tiles;
  States<S> carry = states[blockIdx.x];
  if (threadIdx.x == 0) starts[0] = carry;
  for (int first = 1; first < tiles; first += blockDim.x) {
    const int tile = first + static_cast<int>(threadIdx.x);
    const States<S> end = tile < tiles ? starts[tile] : States<S>{};
    States<S> v = end;
    scan_block(by_tile.powers, v, totals);
    if (warp == 0) {
      States<S> row = lane < warps ? totals[lane] : States<S>{};
      inclusive_scan(by_row.powers, lane, row);
      row = states_at_start(by_row.lane_powers, lane, row, carry);
      if (lane < warps) rows[lane] = row;
    }
    __syncthreads();
    States<S> start = end;
    multiply_add(by_tile.powers.doubled[0], states_at_start(by_tile.lane_powers, lane, v, rows[warp]), start);
    if (tile < tiles) starts[tile] = start;
    if (threadIdx.x == blockDim.x - 1) after = start;
    __syncthreads();
    carry = after;
  }
}

/// Last pass, and the only one for short blocks, where `starts` is `states`: the output. The last tile of a
/// channel leaves its end in `states`.
template <int S, int kChunk>
__global__ void __launch_bounds__(kThreads)
    filter_kernel(Plan<S> plan, BlockView<const float> in, BlockView<float> out, int tiles,
                  const States<S>* starts, States<S>* states, unsigned long long* nonfinite) {
  __shared__ Tile<kChunk> tile;
  __shared__ States<S> totals[kWarps];
  __shared__ States<S> carries[kWarps];
  const int channel = static_cast<int>(blockIdx.x) / tiles;
  const int index = static_cast<int>(blockIdx.x) % tiles;
  const std::ptrdiff_t first = static_cast<std::ptrdiff_t>(index) * tile.kFrames;
  const int count = min(tile.kFrames, in.frames() - static_cast<int>(first));
  tile.load(in.data() + channel * in.stride() + first, count);
  __syncthreads();

  const int mine = Tile<kChunk>::chunk_count(count);
  if (nonfinite != nullptr) {
    int found = 0;
    for (int n = 0; n < mine; ++n) found += isfinite(tile.chunk()[n]) ? 0 : 1;
    if (found != 0) atomicAdd(nonfinite, static_cast<unsigned long long>(found));
  }
  States<S> v;
  run<S, false>(plan.cascade, v, tile.chunk(), mine);
  scan_block(plan.powers, v, totals);
  if (threadIdx.x == 0) {
    States<S> carry = starts[blockIdx.x];
    for (int warp = 0; warp < kWarps; ++warp) {
      carries[warp] = carry;
      States<S> next = totals[warp];
      multiply_add(plan.powers.doubled[5], carry, next);
      carry = next;
    }
  }
  __syncthreads();
  States<S> now =
      states_at_start(plan.lane_powers, threadIdx.x % scan::kWarp, v, carries[threadIdx.x / scan::kWarp]);
  run<S, true>(plan.cascade, now, tile.chunk(), mine);
  const int last_thread = (count - 1) / kChunk;
  if (index == tiles - 1 && static_cast<int>(threadIdx.x) == last_thread) states[channel] = now;
  __syncthreads();
  tile.store(out.data() + channel * out.stride() + first, count);
}

/// Up to four sections of the cascade, prepared. The group does not know the others.
class Group {
 public:
  virtual ~Group() = default;
  virtual cudaError_t launch(cudaStream_t stream, BlockView<const float> in, BlockView<float> out,
                             unsigned long long* nonfinite) noexcept = 0;
};

/// Powers of `step` for the scan, and their lane table on the device.
template <int S>
class ScanTable {
 public:
  ScanTable(std::span<const Recurrence> sections, const StateTransition& step) : lane_powers_(1) {
    for (int i = 0; i < S; ++i) plan_.cascade.sections[i] = sections[static_cast<std::size_t>(i)];
    StateTransition doubled = step;
    for (Matrix<S>& matrix : plan_.powers.doubled) {
      fill(doubled, [&](int row, int column) -> double& { return matrix.at[row][column]; });
      doubled = doubled.squared();
    }
    auto lanes = std::make_unique<LanePowers<S>>();
    StateTransition power = step.identity();
    for (int lane = 0; lane < scan::kWarp; ++lane) {
      fill(power, [&](int row, int column) -> double& { return lanes->at[row][column][lane]; });
      power = power.times(step);
    }
    ringwave::cuda::check(cudaMemcpy(lane_powers_.data(), lanes.get(), sizeof *lanes, cudaMemcpyHostToDevice),
                          "copying the powers of a filter");
    plan_.lane_powers = lane_powers_.data();
  }

  [[nodiscard]] const Plan<S>& plan() const noexcept { return plan_; }

 private:
  template <class Place>
  static void fill(const StateTransition& matrix, Place place) {
    for (int row = 0; row < 2 * S; ++row)
      for (int column = 0; column < 2 * S; ++column)
        place(row, column) = matrix.at(static_cast<std::size_t>(row), static_cast<std::size_t>(column));
  }

  Plan<S> plan_{};
  ringwave::cuda::DeviceArray<LanePowers<S>> lane_powers_;
};

/// The transition over `chunks` long chunks, a power of two.
StateTransition over_chunks(std::span<const Recurrence> sections, int chunks) {
  StateTransition transition(sections, kLongChunk);
  for (int n = 1; n < chunks; n *= 2) transition = transition.squared();
  return transition;
}

template <int S>
class GroupOf final : public Group {
 public:
  GroupOf(std::span<const Recurrence> sections, const Biquad::Spec& spec, double* states)
      : by_short_(sections, StateTransition(sections, kShortChunk)),
        by_long_(sections, StateTransition(sections, kLongChunk)),
        by_tile_(sections, over_chunks(sections, kThreads)),
        by_row_(sections, over_chunks(sections, kThreads * scan::kWarp)),
        states_(reinterpret_cast<States<S>*>(states)),
        starts_(static_cast<std::size_t>(spec.channels) *
                static_cast<std::size_t>((spec.max_block_frames - 1) / Tile<kLongChunk>::kFrames + 1)) {}

  cudaError_t launch(cudaStream_t stream, BlockView<const float> in, BlockView<float> out,
                     unsigned long long* nonfinite) noexcept override {
    if (in.frames() <= Tile<kShortChunk>::kFrames)
      return filter<kShortChunk>(stream, by_short_, in, out, 1, nonfinite);
    const int tiles = (in.frames() - 1) / Tile<kLongChunk>::kFrames + 1;
    if (tiles > 1) {
      tile_ends_kernel<S, kLongChunk>
          <<<in.channels() * (tiles - 1), kThreads, 0, stream>>>(by_long_.plan(), in, tiles, starts_.data());
      const int rows = std::min((tiles - 2) / scan::kWarp + 1, kCarryThreads / scan::kWarp);
      carry_kernel<S><<<in.channels(), rows * scan::kWarp, 0, stream>>>(by_tile_.plan(), by_row_.plan(),
                                                                        tiles, states_, starts_.data());
    }
    return filter<kLongChunk>(stream, by_long_, in, out, tiles, nonfinite);
  }

 private:
  template <int kChunk>
  cudaError_t filter(cudaStream_t stream, const ScanTable<S>& table, BlockView<const float> in,
                     BlockView<float> out, int tiles, unsigned long long* nonfinite) noexcept {
    filter_kernel<S, kChunk><<<in.channels() * tiles, kThreads, 0, stream>>>(
        table.plan(), in, out, tiles, tiles > 1 ? starts_.data() : states_, states_, nonfinite);
    return cudaGetLastError();
  }

  ScanTable<S> by_short_;
  ScanTable<S> by_long_;
  ScanTable<S> by_tile_;
  ScanTable<S> by_row_;  // of 32 tiles
  States<S>* states_;    // one a channel, from block to block; the whole cascade's owner has them
  ringwave::cuda::DeviceArray<States<S>> starts_;  // [channel][tile], of a long block
};

std::unique_ptr<Group> make_group(std::span<const Recurrence> sections, const Biquad::Spec& spec,
                                  double* states) {
  switch (sections.size()) {
    case 1:
      return std::make_unique<GroupOf<1>>(sections, spec, states);
    case 2:
      return std::make_unique<GroupOf<2>>(sections, spec, states);
    case 3:
      return std::make_unique<GroupOf<3>>(sections, spec, states);
    default:
      return std::make_unique<GroupOf<kMostSections>>(sections, spec, states);
  }
}

class BiquadCuda final : public backend::cuda::CudaBlockOp<BiquadTwin> {
 public:
  BiquadCuda(Device device, const Biquad::Request& request)
      : CudaBlockOp(device, request.spec.channels, request.spec.max_block_frames, request) {
    const ringwave::cuda::DeviceScope scope(this->device().index());
    std::vector<Recurrence> recurrences;
    for (const Section& section : request.sections) recurrences.push_back(recurrence_of(section));
    states_ = ringwave::cuda::DeviceArray<double>(2 * recurrences.size() *
                                                  static_cast<std::size_t>(request.spec.channels));
    double* states = states_.data();
    for (std::span<const Recurrence> rest = recurrences; !rest.empty();) {
      const auto group = rest.first(std::min<std::size_t>(rest.size(), kMostSections));
      groups_.push_back(make_group(group, request.spec, states));
      states += 2 * group.size() * static_cast<std::size_t>(request.spec.channels);
      rest = rest.subspan(group.size());
    }
    for (const bool replaced : {true, false}) {
      replaced_ = replaced;
      warm_up();
    }
  }

  void set_sections(std::span<const Section> sections) noexcept override {
    BiquadTwin::set_sections(sections);
    replaced_ = true;
  }

  void reset() noexcept override {
    end_glide();
    const ringwave::cuda::DeviceScope scope(device().index());
    (void)device().note(reset_in(stream()));
  }

  Status enqueue_reset(Queue& queue) noexcept override {
    const Status status = ringwave::cuda::submit(
        device(), queue, [this](cudaStream_t queued) noexcept { return reset_in(queued); });
    if (status == Status::ok) end_glide();
    return status;
  }

 private:
  cudaError_t launch(cudaStream_t stream, BlockView<const float> in, BlockView<float> out) noexcept override {
    if (replaced_) return launch_glide(stream, in, out);
    cudaError_t error = groups_.front()->launch(stream, in, out, nonfinite());
    for (std::size_t i = 1; i < groups_.size() && error == cudaSuccess; ++i)
      error = groups_[i]->launch(stream, out, out, nullptr);
    return error;
  }

  /// Without the tables of the scan, which belong to the sections that it was made with.
  cudaError_t launch_glide(cudaStream_t stream, BlockView<const float> in, BlockView<float> out) noexcept {
    const auto sections = static_cast<int>(to().size());
    cudaError_t error = cudaSuccess;
    for (int first = 0; first < sections && error == cudaSuccess; first += glide::kSections) {
      const glide::Stretch stretch(from(), to(), first, glide_done(), glide_frames());
      error = first == 0 ? glide::launch(stream, stretch, in, out, states_.data(), nonfinite())
                         : glide::launch(stream, stretch, out, out, states_.data(), nullptr);
    }
    if (error == cudaSuccess) advance(in.frames());
    return error;
  }

  cudaError_t reset_in(cudaStream_t stream) noexcept {
    return cudaMemsetAsync(states_.data(), 0, states_.bytes(), stream);
  }

  [[nodiscard]] bool reads_once(int frames) const noexcept override {
    return frames <= Tile<kLongChunk>::kFrames && groups_.size() == 1;
  }

  ringwave::cuda::DeviceArray<double> states_;  // [group][channel][section][s1, s2]
  std::vector<std::unique_ptr<Group>> groups_;
  bool replaced_ = false;  // the sections are no longer those of the groups
};

}  // namespace

std::unique_ptr<BiquadTwin> make_biquad_cuda(Device device, const Biquad::Request& request) {
  return std::make_unique<BiquadCuda>(device, request);
}

}  // namespace ringwave::dsp
