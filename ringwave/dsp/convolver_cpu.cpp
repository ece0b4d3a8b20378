// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <optional>

#include "ringwave/backend/cpu/cpu_block_op.hpp"
#include "ringwave/backend/trial_memory.hpp"
#include "ringwave/core/handover.hpp"
#include "ringwave/dsp/convolution_head_cpu.hpp"
#include "ringwave/dsp/convolution_level_cpu.hpp"
#include "ringwave/dsp/convolver_twins.hpp"
#include "ringwave/dsp/direct_convolution_cpu.hpp"
#include "ringwave/dsp/partition.hpp"

namespace ringwave::dsp {
namespace {

/// A response as every part of the convolver wants it.
struct Response {
  DirectResponse direct;
  LevelResponse head;
  std::vector<LevelResponse> levels;
};

std::vector<Convolver::Route> routes_of(std::span<const Convolver::Path> paths) {
  std::vector<Convolver::Route> routes;
  for (const Convolver::Path& path : paths) routes.push_back(path.route);
  return routes;
}

/// The taps of every path from `first` on, `count` at most.
std::vector<std::span<const float>> cut(std::span<const Convolver::Path> paths, int first,
                                        std::int64_t count) {
  std::vector<std::span<const float>> cuts;
  for (const Convolver::Path& path : paths) {
    const std::size_t begin = std::min(static_cast<std::size_t>(first), path.taps.size());
    cuts.push_back(
        path.taps.subspan(begin, std::min(static_cast<std::size_t>(count), path.taps.size() - begin)));
  }
  return cuts;
}

class ConvolverCpu final : public backend::cpu::CpuBlockOp<ConvolverTwin> {
 public:
  ConvolverCpu(const Convolver::Spec& spec, std::span<const Convolver::Path> paths) : mode_(spec.mode) {
    const auto routes = routes_of(paths);
    if (mode_ == Convolver::Mode::direct) {
      direct_.emplace(spec.max_block_frames, spec.max_taps, spec.inputs, spec.outputs, routes,
                      spec.fade_frames);
    } else {
      // The head of a partitioned one has the block's length; the only part of the other has all taps.
      const int frames = mode_ == Convolver::Mode::partitioned
                             ? convolver_part_frames(spec.max_block_frames)
                             : fast_fft_size(std::max({16, spec.max_block_frames, spec.max_taps}));
      plan_ = partition(frames, spec.max_taps);
      head_.emplace(frames, plan_.front().count, spec.inputs, spec.outputs, routes, spec.fade_frames);
      for (std::size_t i = 1; i < plan_.size(); ++i)
        levels_.emplace_back(plan_[i], spec.inputs, spec.outputs, routes, spec.fade_frames);
    }
    for (int i = 0; i < spec.inputs; ++i) in_.emplace_back(static_cast<std::size_t>(spec.max_block_frames));
    in_rows_.resize(in_.size());
    out_rows_.resize(static_cast<std::size_t>(spec.outputs));
    active_ = make(paths);
    if (direct_) direct_->start(active_->direct);
    if (head_) head_->start(active_->head);
    for (std::size_t i = 0; i < levels_.size(); ++i) levels_[i].start(active_->levels[i]);
  }

  Status process(BlockView<const float> in, BlockView<float> out) noexcept override {
    const FlushSubnormals flush;
    begin_change();
    take(in);
    for (int done = 0; done < in.frames();) {
      const int frames = head_ ? std::min(head_->room(), in.frames() - done) : in.frames();
      for (std::size_t i = 0; i < in_rows_.size(); ++i) in_rows_[i] = in_[i].data() + done;
      for (std::size_t o = 0; o < out_rows_.size(); ++o)
        out_rows_[o] = out.channel(static_cast<int>(o)).data() + done;
      if (direct_) direct_->advance(in_rows_, out_rows_, frames);
      if (head_) head_->advance(in_rows_, out_rows_, frames);
      for (ConvolutionLevel& level : levels_) level.advance(in_rows_, out_rows_, frames);
      done += frames;
    }
    end_change();
    return Status::ok;
  }

  void set_responses(std::span<const Convolver::Path> paths) override { handover_.offer(make(paths)); }

  [[nodiscard]] bool changing() const noexcept override { return handover_.busy(); }

  void reset() noexcept override {
    begin_change();
    if (direct_) direct_->reset();
    if (head_) head_->reset();
    for (ConvolutionLevel& level : levels_) level.reset();
    end_change();
  }

  [[nodiscard]] Convolver::Mode mode() const noexcept override { return mode_; }

 private:
  [[nodiscard]] std::unique_ptr<Response> make(std::span<const Convolver::Path> paths) {
    auto made = std::make_unique<Response>();
    if (direct_) made->direct = direct_->make_response(cut(paths, 0, Convolver::kMostTaps));
    if (head_)
      made->head = head_->make_response(cut(paths, 0, std::int64_t{plan_[0].count} * plan_[0].frames));
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      const PartitionLevel& level = plan_[i + 1];
      made->levels.push_back(
          levels_[i].make_response(cut(paths, level.offset, std::int64_t{level.count} * level.frames)));
    }
    return made;
  }

  /// Copies the block, with zeros for what is not finite: it would ring for the length of the response.
  void take(BlockView<const float> in) noexcept {
    std::uint64_t found = 0;
    for (std::size_t i = 0; i < in_.size(); ++i) {
      const auto x = in.channel(static_cast<int>(i));
      float* const to = in_[i].data();
      std::uint32_t here = 0;
      for (std::size_t n = 0; n < x.size(); ++n) {
        const std::uint32_t bad = backend::is_nonfinite(x[n]);
        here += bad;
        to[n] = bad != 0 ? 0.0F : x[n];
      }
      found += here;
    }
    count(found);
  }

  void begin_change() noexcept {
    if (next_ != nullptr) return;
    next_ = handover_.take();
    if (next_ == nullptr) return;
    if (direct_) direct_->change(next_->direct);
    if (head_) head_->change(next_->head);
    for (std::size_t i = 0; i < levels_.size(); ++i) levels_[i].change(next_->levels[i]);
  }

  void end_change() noexcept {
    if (next_ == nullptr) return;
    const bool done =
        (!direct_ || direct_->changed()) && (!head_ || head_->changed()) &&
        std::all_of(levels_.begin(), levels_.end(), [](const auto& level) { return level.changed(); });
    if (!done) return;
    std::swap(active_, next_);
    handover_.give_back(std::move(next_));
  }

  Convolver::Mode mode_;
  std::vector<PartitionLevel> plan_;
  std::optional<DirectConvolution> direct_;
  std::optional<ConvolutionHead> head_;
  std::vector<ConvolutionLevel> levels_;
  std::vector<AlignedFloats> in_;
  std::vector<const float*> in_rows_;
  std::vector<float*> out_rows_;
  std::unique_ptr<Response> active_;
  std::unique_ptr<Response> next_;  // while a change is under way
  Handover<Response> handover_;
};

/// Seconds of one block of noise, the best of several.
double seconds_of(ConvolverTwin& twin, const Convolver::Spec& spec) {
  constexpr int kBlocks = 12;
  const auto frames = static_cast<std::size_t>(spec.max_block_frames);
  std::vector<float> in(static_cast<std::size_t>(spec.inputs) * frames);
  std::vector<float> out(static_cast<std::size_t>(spec.outputs) * frames);
  backend::fill_with_noise(in);
  double best = 1e9;
  for (int block = 0; block < kBlocks; ++block) {
    const auto begin = std::chrono::steady_clock::now();
    (void)twin.process({in.data(), spec.inputs, spec.max_block_frames},
                       {out.data(), spec.outputs, spec.max_block_frames});
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
    best = std::min(best, elapsed.count());
  }
  twin.reset();
  return best;
}

/// The fastest way. What cannot be the fastest is not tried: beyond some thousand taps the formula itself,
/// and one transform that is much longer than the block.
std::unique_ptr<ConvolverTwin> fastest(Convolver::Spec spec, std::span<const Convolver::Path> paths) {
  constexpr int kMostDirectTaps = 4096;
  const auto make = [&](Convolver::Mode mode) {
    spec.mode = mode;
    return std::make_unique<ConvolverCpu>(spec, paths);
  };
  auto best = make(Convolver::Mode::partitioned);
  double best_seconds = seconds_of(*best, spec);
  for (const auto& [mode, plausible] :
       {std::pair{Convolver::Mode::direct, spec.max_taps <= kMostDirectTaps},
        std::pair{Convolver::Mode::fft, spec.max_taps <= 8 * spec.max_block_frames}}) {
    if (!plausible) continue;
    auto other = make(mode);
    const double seconds = seconds_of(*other, spec);
    if (seconds >= best_seconds) continue;
    best = std::move(other);
    best_seconds = seconds;
  }
  return best;
}

}  // namespace

std::unique_ptr<ConvolverTwin> make_convolver_cpu(Device /*device*/, const Convolver::Request& request) {
  if (request.spec.mode == Convolver::Mode::automatic) return fastest(request.spec, request.paths);
  return std::make_unique<ConvolverCpu>(request.spec, request.paths);
}

}  // namespace ringwave::dsp
