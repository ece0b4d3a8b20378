// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/resampler_periods_cpu.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "ringwave/core/aligned_floats.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ringwave/dsp/resampler_periods_cpu.cpp"
#include <hwy/foreach_target.h>  // compiles the part between the two HWY marks once for each instruction set
#include <hwy/highway.h>

#ifndef RINGWAVE_DSP_RESAMPLER_PERIODS_CPU
#define RINGWAVE_DSP_RESAMPLER_PERIODS_CPU
namespace ringwave::dsp {

/// Neighbouring phases that share the inputs that are read.
inline constexpr int kTilePhases = 4;
/// Products that are summed before they join a total.
inline constexpr int kTileRun = 64;
/// Periods that are worked on together come in multiples of two of the longest vectors.
inline constexpr int kPeriodMultiple = 32;

/// The coefficients of some neighbouring phases, over all inputs that one of them has.
struct PhaseTile {
  const float* taps;   // [place][kTilePhases]
  const int* offsets;  // of each place's input in memory, for the first of the periods
  int places;
};

}  // namespace ringwave::dsp
#endif

HWY_BEFORE_NAMESPACE();
namespace ringwave::dsp::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<float, kPeriodMultiple / 2>;

/// Adds the products of the places from `place` on, `count` of them by steps of `step`, to a total for each
/// phase and lane.
HWY_INLINE void AddPlaces(const PhaseTile& tile, const float* HWY_RESTRICT x, int place, int count, int step,
                          float* HWY_RESTRICT total) {
  const Lanes d;
  const std::size_t lanes = hn::Lanes(d);
  while (count > 0) {
    auto a0 = hn::Zero(d), a1 = a0, a2 = a0, a3 = a0;
    auto b0 = a0, b1 = a0, b2 = a0, b3 = a0;
    const int run = std::min(count, kTileRun);
    for (int i = 0; i < run; ++i, place += step) {
      const float* const at = x + tile.offsets[place];
      const float* const taps = tile.taps + static_cast<std::ptrdiff_t>(place) * kTilePhases;
      const auto xa = hn::LoadU(d, at);
      const auto xb = hn::LoadU(d, at + lanes);
      const auto t0 = hn::Set(d, taps[0]);
      a0 = hn::MulAdd(t0, xa, a0);
      b0 = hn::MulAdd(t0, xb, b0);
      const auto t1 = hn::Set(d, taps[1]);
      a1 = hn::MulAdd(t1, xa, a1);
      b1 = hn::MulAdd(t1, xb, b1);
      const auto t2 = hn::Set(d, taps[2]);
      a2 = hn::MulAdd(t2, xa, a2);
      b2 = hn::MulAdd(t2, xb, b2);
      const auto t3 = hn::Set(d, taps[3]);
      a3 = hn::MulAdd(t3, xa, a3);
      b3 = hn::MulAdd(t3, xb, b3);
    }
    float* to = total;
    const auto add = [&](auto sum) HWY_ATTR {
      hn::Store(hn::Add(hn::Load(d, to), sum), d, to);
      to += lanes;
    };
    add(a0), add(b0), add(a1), add(b1), add(a2), add(b2), add(a3), add(b3);
    count -= run;
  }
}

/// The outputs of a tile's phases in `periods` periods, a multiple of kPeriodMultiple: y[phase][period].
void ResampleTile(const PhaseTile& tile, const float* HWY_RESTRICT x, int periods, float* HWY_RESTRICT y,
                  std::ptrdiff_t y_stride) {
  const Lanes d;
  const auto group = 2 * static_cast<int>(hn::Lanes(d));
  const int half = tile.places / 2;
  HWY_ALIGN float rising[kTilePhases * kPeriodMultiple];
  HWY_ALIGN float falling[kTilePhases * kPeriodMultiple];
  for (int period = 0; period < periods; period += group) {
    std::fill_n(rising, kTilePhases * group, 0.0F);
    std::fill_n(falling, kTilePhases * group, 0.0F);
    AddPlaces(tile, x + period, 0, half, 1, rising);
    AddPlaces(tile, x + period, tile.places - 1, tile.places - half, -1, falling);
    for (int phase = 0; phase < kTilePhases; ++phase)
      for (int i = 0; i < group; ++i)
        y[phase * y_stride + period + i] = rising[phase * group + i] + falling[phase * group + i];
  }
}

}  // namespace ringwave::dsp::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace ringwave::dsp {
namespace {

HWY_EXPORT(ResampleTile);

constexpr std::int64_t kMostPeriodInputs = 8192;  // longer ones would leave lanes without work
constexpr int kBlockFrames = 16384;               // about, of the longer side, that fit the cache
constexpr int kLine = 16;                         // floats of a cache line

int round_up(int n, int multiple) noexcept {
  return (n + multiple - 1) / multiple * multiple;
}

/// How often a period is taken to be one, so that no tile is cut by its end where it is short.
int repeats(int up) noexcept {
  return up < 2 * kTilePhases ? kTilePhases / std::gcd(up, kTilePhases) : 1;
}

/// Turns columns into rows: to[row * to_stride + column] = from[column * from_stride + row].
void transpose(const float* from, std::ptrdiff_t from_stride, int rows, int columns, float* to,
               std::ptrdiff_t to_stride) noexcept {
  for (int begin = 0; begin < columns; begin += kLine)
    for (int row = 0; row < rows; ++row)
      for (int column = begin; column < std::min(columns, begin + kLine); ++column)
        to[row * to_stride + column] = from[column * from_stride + row];
}

class ResamplerPeriodsCpu final : public ResamplerTwin {
 public:
  explicit ResamplerPeriodsCpu(const Resampler::Request& request)
      : ResamplerPeriodsCpu(PolyphaseFilter(request, 1)) {}

  Status process(BlockView<const float> in, BlockView<float> out) noexcept override {
    const FlushSubnormals flush;
    const int periods = (out.frames() + outputs_ - 1) / outputs_;
    for (int channel = 0; channel < in.channels(); ++channel)
      for (int period = 0; period < periods; period += block_periods_) {
        const int some = std::min(block_periods_, periods - period);
        take_inputs(in.channel(channel), lead_ + std::int64_t{period} * inputs_);
        for (std::size_t tile = 0; tile < tiles_.size(); ++tile) HWY_DYNAMIC_DISPATCH(ResampleTile)
        (tiles_[tile], x_.data(), round_up(some, kPeriodMultiple),
         y_.data() + static_cast<std::ptrdiff_t>(tile) * kTilePhases * block_periods_, block_periods_);
        give_outputs(some, out.channel(channel).subspan(static_cast<std::size_t>(period) *
                                                        static_cast<std::size_t>(outputs_)));
      }
    return Status::ok;
  }

  Status enqueue(Queue& queue, BlockView<const float> in, BlockView<float> out) noexcept override {
    return queue.try_submit([this, in, out](NativeQueue) noexcept { (void)process(in, out); });
  }

 private:
  explicit ResamplerPeriodsCpu(const PolyphaseFilter& filter)
      : outputs_(filter.up() * repeats(filter.up())),
        inputs_(filter.down() * repeats(filter.up())),
        block_periods_(round_up(std::max(1, kBlockFrames / std::max(inputs_, outputs_)), kPeriodMultiple)),
        lead_(filter.first(0)) {
    const int last = static_cast<int>(filter.first(outputs_ - 1) - lead_) + filter.taps();
    columns_ = block_periods_ + last / inputs_ + 1;
    // An odd number of cache lines: neighbouring inputs do not meet in the cache.
    stride_ = (round_up(columns_, 2 * kLine) + kLine);
    for (int place = 0; place < last; ++place)
      offsets_.push_back(place % inputs_ * stride_ + place / inputs_);
    x_ = AlignedFloats(static_cast<std::size_t>(inputs_) * static_cast<std::size_t>(stride_));
    line_.resize(static_cast<std::size_t>(inputs_) * static_cast<std::size_t>(columns_));
    const int tiles = round_up(outputs_, kTilePhases) / kTilePhases;
    y_ = AlignedFloats(static_cast<std::size_t>(tiles * kTilePhases) *
                       static_cast<std::size_t>(block_periods_));
    make_tiles(filter, tiles);
  }

  void make_tiles(const PolyphaseFilter& filter, int tiles) {
    std::vector<std::size_t> begins;
    for (int tile = 0; tile < tiles; ++tile) {
      const int slot = tile * kTilePhases;
      const int end = std::min(slot + kTilePhases, outputs_);
      const std::int64_t first = filter.first(slot);
      const int places = static_cast<int>(filter.first(end - 1) - first) + filter.taps();
      begins.push_back(taps_.size());
      taps_.resize(taps_.size() + static_cast<std::size_t>(places) * kTilePhases);
      for (int phase = slot; phase < end; ++phase)
        for (int i = 0; i < filter.taps(); ++i)
          taps_[begins.back() + static_cast<std::size_t>((filter.first(phase) - first + i) * kTilePhases +
                                                         phase - slot)] = filter.row(phase % filter.up())[i];
      tiles_.push_back({nullptr, offsets_.data() + (first - lead_), places});
    }
    for (std::size_t tile = 0; tile < tiles_.size(); ++tile) tiles_[tile].taps = taps_.data() + begins[tile];
  }

  /// The inputs from `first` on, silence before and behind the signal, each period in a column.
  void take_inputs(std::span<const float> signal, std::int64_t first) noexcept {
    const auto count = static_cast<std::int64_t>(line_.size());
    const auto frames = static_cast<std::int64_t>(signal.size());
    const bool is_inside = first >= 0 && first + count <= frames;
    if (!is_inside) {
      const std::int64_t from = std::clamp<std::int64_t>(first, 0, frames);
      const std::int64_t to = std::clamp<std::int64_t>(first + count, from, frames);
      std::ranges::fill(line_, 0.0F);
      std::copy(signal.data() + from, signal.data() + to, line_.data() + (to > from ? from - first : 0));
    }
    transpose(is_inside ? signal.data() + first : line_.data(), inputs_, inputs_, columns_, x_.data(),
              stride_);
  }

  /// As many as there is room for, of so many periods.
  void give_outputs(int periods, std::span<float> to) noexcept {
    const int whole = std::min(periods, static_cast<int>(to.size() / static_cast<std::size_t>(outputs_)));
    transpose(y_.data(), block_periods_, whole, outputs_, to.data(), outputs_);
    if (whole == periods) return;
    const auto rest = to.subspan(static_cast<std::size_t>(whole) * static_cast<std::size_t>(outputs_));
    transpose(y_.data() + whole, block_periods_, 1, static_cast<int>(rest.size()), rest.data(), outputs_);
  }

  int outputs_;  // of a period
  int inputs_;
  int block_periods_;
  std::int64_t lead_;         // the first input of output 0
  int columns_ = 0;           // of the inputs that a block needs
  int stride_ = 0;            // from one of a period's inputs to the next
  std::vector<int> offsets_;  // of the inputs from the first on
  std::vector<float> taps_;
  std::vector<PhaseTile> tiles_;
  std::vector<float> line_;  // a block's inputs where the signal ends
  AlignedFloats x_;          // [input of a period][stride_]
  AlignedFloats y_;          // [output of a period][block_periods_]
};

}  // namespace

bool fits_resampler_periods_cpu(const Resampler::Request& request) noexcept {
  return request.taps.size() > 1 && request.down * repeats(request.up) <= kMostPeriodInputs;
}

std::unique_ptr<ResamplerTwin> make_resampler_periods_cpu(const Resampler::Request& request) {
  return std::make_unique<ResamplerPeriodsCpu>(request);
}

}  // namespace ringwave::dsp
#endif
