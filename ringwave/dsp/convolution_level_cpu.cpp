// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/convolution_level_cpu.hpp"

#include <algorithm>
#include <chrono>

#include "ringwave/dsp/convolver_math.hpp"

namespace ringwave::dsp {

using spectral::kLineFloats;

ConvolutionLevel::ConvolutionLevel(const PartitionLevel& level, int inputs, int outputs,
                                   std::span<const Convolver::Route> routes, int fade_frames)
    : frames_(static_cast<std::size_t>(level.frames)),
      parts_(static_cast<std::size_t>(level.count)),
      inputs_(static_cast<std::size_t>(inputs)),
      outputs_(static_cast<std::size_t>(outputs)),
      fade_frames_(std::clamp<std::size_t>(static_cast<std::size_t>(fade_frames), 1, frames_)),
      routes_(routes.begin(), routes.end()),
      routes_to_(outputs_),
      fft_(level.frames, level.radix),
      small_in_(inputs_ * 2 * fft_.small_values()),
      small_out_(2 * outputs_ * 2 * fft_.small_values()),
      lines_(fft_.radix() * kLineFloats) {
  for (std::size_t i = 0; i < inputs_; ++i) {
    for (auto& segment : taken_) segment.emplace_back(fft_.points());
    history_.emplace_back(fft_.chunks(), fft_.radix(), parts_);
  }
  for (Result& result : results_)
    for (auto& segment : result.segments)
      for (std::size_t o = 0; o < outputs_; ++o) segment.emplace_back(fft_.points());
  for (std::size_t r = 0; r < routes_.size(); ++r)
    routes_to_[static_cast<std::size_t>(routes_[r].output)].push_back(r);
  measure();
}

LevelResponse ConvolutionLevel::make_response(std::span<const std::span<const float>> taps) {
  LevelResponse response;
  for (const auto& path : taps) response.push_back(spectra_of(fft_, path, parts_));
  return response;
}

Complex* ConvolutionLevel::small_of_input(std::size_t input) noexcept {
  return reinterpret_cast<Complex*>(small_in_.data()) + input * fft_.small_values();
}

Complex* ConvolutionLevel::small_of_output(std::size_t set, std::size_t output) noexcept {
  return reinterpret_cast<Complex*>(small_out_.data()) + (set * outputs_ + output) * fft_.small_values();
}

bool ConvolutionLevel::computes(std::size_t set) const noexcept {
  return set == active_set_ ? stage_ != Stage::fade : stage_ != Stage::steady;
}

void ConvolutionLevel::advance(std::span<const float* const> in, std::span<float* const> out,
                               int frames) noexcept {
  const auto count = static_cast<std::size_t>(frames);
  take(in, count);
  play(out, count);
  position_ += count;
  work_until(static_cast<double>(position_) / static_cast<double>(frames_));
  if (position_ == frames_) end_segment();
}

void ConvolutionLevel::take(std::span<const float* const> in, std::size_t frames) noexcept {
  for (std::size_t i = 0; i < inputs_; ++i) {
    const float* const from = in[i];
    float* const to = taken_[0][i].data();
    fft_.for_each_place(position_, frames, [=](std::size_t n, std::size_t at) { to[at] = from[n]; });
  }
}

void ConvolutionLevel::play(std::span<float* const> out, std::size_t frames) noexcept {
  const std::size_t now = (written_ + 2) % 3;
  const std::size_t before = (written_ + 1) % 3;
  const std::size_t later_half = fft_.place(frames_);
  for (std::size_t o = 0; o < outputs_; ++o) {
    float* const to = out[o];
    const float* const a = results_[active_set_].segments[now][o].data();
    const float* const a_tail = results_[active_set_].segments[before][o].data() + later_half;
    if (stage_ != Stage::fade) {
      fft_.for_each_place(position_, frames,
                          [=](std::size_t n, std::size_t at) { to[n] += a[at] + a_tail[at]; });
      continue;
    }
    const float* const b = results_[1 - active_set_].segments[now][o].data();
    const float* const b_tail = results_[1 - active_set_].segments[before][o].data() + later_half;
    const auto behind = static_cast<float>(position_ + 1);
    const auto length = static_cast<float>(fade_frames_);
    fft_.for_each_place(position_, frames, [=](std::size_t n, std::size_t at) {
      const float share = fade_share(behind + static_cast<float>(n), length);
      const float old = a[at] + a_tail[at];
      to[n] += old + share * (b[at] + b_tail[at] - old);
    });
  }
}

void ConvolutionLevel::work_until(double share) noexcept {
  const bool all = share >= 1;
  while (item_ < items_ && (all || spent_ < share * total_)) spent_ += work_on(item_++);
}

double ConvolutionLevel::work_on(std::size_t item) noexcept {
  const std::size_t radix = fft_.radix();
  if (item < inputs_ * radix) {
    fft_.forward_row(item % radix, taken_[1][item / radix].data(), small_of_input(item / radix));
    return row_forward_cost_;
  }
  item -= inputs_ * radix;
  if (item < fft_.chunks()) {
    multiply(item);
    return chunk_cost_ * (computes(0) && computes(1) ? 2 : 1);
  }
  item -= fft_.chunks();
  // Where only one set is computed it is the one that comes first here.
  const std::size_t set =
      item < outputs_ * radix ? (computes(active_set_) ? active_set_ : 1 - active_set_) : 1 - active_set_;
  item %= outputs_ * radix;
  fft_.inverse_row(item % radix, small_of_output(set, item / radix),
                   results_[set].segments[written_][item / radix].data());
  return row_inverse_cost_;
}

void ConvolutionLevel::multiply(std::size_t chunk) noexcept {
  for (std::size_t i = 0; i < inputs_; ++i)
    fft_.forward_chunk(chunk, small_of_input(i), history_[i].part(chunk, newest_));
  if (active_ != nullptr && computes(active_set_)) multiply(chunk, *active_, active_set_);
  if (next_ != nullptr && computes(1 - active_set_)) multiply(chunk, *next_, 1 - active_set_);
}

void ConvolutionLevel::multiply(std::size_t chunk, const LevelResponse& response, std::size_t set) noexcept {
  for (std::size_t o = 0; o < outputs_; ++o) {
    if (routes_to_[o].empty()) lines_.clear();
    bool add = false;
    for (const std::size_t r : routes_to_[o]) {
      const SpectralLines& x = history_[static_cast<std::size_t>(routes_[r].input)];
      spectral::multiply(x.line(chunk, 0), newest_, response[r].line(chunk, 0), parts_, fft_.radix(), add,
                         lines_.data());
      add = true;
    }
    fft_.inverse_chunk(chunk, {lines_.data()}, small_of_output(set, o));
  }
}

void ConvolutionLevel::end_segment() noexcept {
  position_ = 0;
  std::swap(taken_[0], taken_[1]);
  newest_ = (newest_ + 1) % parts_;
  written_ = (written_ + 1) % 3;
  switch (stage_) {
    case Stage::steady:
      if (next_ != nullptr) stage_ = Stage::first;
      break;
    case Stage::first:
      stage_ = Stage::second;
      break;
    case Stage::second:
      stage_ = Stage::fade;
      break;
    case Stage::fade:
      active_ = next_;
      next_ = nullptr;
      active_set_ = 1 - active_set_;
      stage_ = Stage::steady;
  }
  plan_segment();
}

void ConvolutionLevel::plan_segment() noexcept {
  const std::size_t sets = (computes(0) ? 1U : 0U) + (computes(1) ? 1U : 0U);
  const std::size_t rows = fft_.radix();
  item_ = 0;
  spent_ = 0;
  items_ = inputs_ * rows + fft_.chunks() + sets * outputs_ * rows;
  total_ = static_cast<double>(inputs_ * rows) * row_forward_cost_ +
           static_cast<double>(fft_.chunks() * sets) * chunk_cost_ +
           static_cast<double>(sets * outputs_ * rows) * row_inverse_cost_;
}

void ConvolutionLevel::reset() noexcept {
  if (next_ != nullptr) active_ = next_;
  next_ = nullptr;
  stage_ = Stage::steady;
  for (auto& segment : taken_)
    for (AlignedFloats& signal : segment) signal.clear();
  for (SpectralLines& lines : history_) lines.clear();
  for (Result& result : results_)
    for (auto& segment : result.segments)
      for (AlignedFloats& signal : segment) signal.clear();
  position_ = 0;
  plan_segment();
}

void ConvolutionLevel::measure() {
  constexpr int kTurns = 5;
  std::vector<std::span<const float>> silence(routes_.size());
  const LevelResponse response = make_response(silence);
  active_ = &response;
  plan_segment();
  const auto cost_of = [this](std::size_t item) {
    double best = 1e9;
    for (int turn = 0; turn < kTurns; ++turn) {
      const auto begin = std::chrono::steady_clock::now();
      (void)work_on(item);
      const std::chrono::duration<double, std::micro> elapsed = std::chrono::steady_clock::now() - begin;
      best = std::min(best, elapsed.count());
    }
    return std::max(best, 1e-3);
  };
  row_forward_cost_ = cost_of(0);
  chunk_cost_ = cost_of(inputs_ * fft_.radix());
  row_inverse_cost_ = cost_of(inputs_ * fft_.radix() + fft_.chunks());
  active_ = nullptr;
  plan_segment();
}

}  // namespace ringwave::dsp
