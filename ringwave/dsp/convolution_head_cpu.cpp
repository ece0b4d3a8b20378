// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/convolution_head_cpu.hpp"

#include <algorithm>

#include "ringwave/dsp/convolver_math.hpp"

namespace ringwave::dsp {

using spectral::kLineFloats;

ConvolutionHead::ConvolutionHead(int frames, int parts, int inputs, int outputs,
                                 std::span<const Convolver::Route> routes, int fade_frames)
    : frames_(static_cast<std::size_t>(frames)),
      parts_(static_cast<std::size_t>(parts)),
      inputs_(static_cast<std::size_t>(inputs)),
      outputs_(static_cast<std::size_t>(outputs)),
      fade_frames_(static_cast<std::size_t>(std::max(fade_frames, 1))),
      routes_(routes.begin(), routes.end()),
      routes_to_(outputs_),
      fft_(frames, 1),
      small_(2 * fft_.small_values()),
      lines_(fft_.chunks() * kLineFloats) {
  for (std::size_t i = 0; i < inputs_; ++i) {
    taken_.emplace_back(fft_.points());
    history_.emplace_back(fft_.chunks(), 1, parts_);
  }
  for (std::size_t set = 0; set < 2; ++set)
    for (std::size_t o = 0; o < outputs_; ++o) {
      results_[set].emplace_back(fft_.points());
      tails_[set].emplace_back(frames_);
    }
  for (std::size_t r = 0; r < routes_.size(); ++r)
    routes_to_[static_cast<std::size_t>(routes_[r].output)].push_back(r);
}

LevelResponse ConvolutionHead::make_response(std::span<const std::span<const float>> taps) {
  LevelResponse response;
  for (const auto& path : taps) response.push_back(spectra_of(fft_, path, parts_));
  return response;
}

void ConvolutionHead::advance(std::span<const float* const> in, std::span<float* const> out,
                              int frames) noexcept {
  const auto count = static_cast<std::size_t>(frames);
  if (position_ == 0 && next_ != nullptr) {
    fading_ = both_;  // what rings on from the block before was computed for both
    both_ = true;
  }
  auto* const small = reinterpret_cast<Complex*>(small_.data());
  for (std::size_t i = 0; i < inputs_; ++i) {
    std::copy_n(in[i], count, taken_[i].data() + position_);
    fft_.forward_row(0, taken_[i].data(), small);
    for (std::size_t chunk = 0; chunk < fft_.chunks(); ++chunk)
      fft_.forward_chunk(chunk, small, history_[i].part(chunk, newest_));
  }
  compute(*active_, active_set_);
  if (both_) compute(*next_, 1 - active_set_);
  play(out, count);
  position_ += count;
  if (position_ == frames_) end_block();
}

void ConvolutionHead::compute(const LevelResponse& response, std::size_t set) noexcept {
  auto* const small = reinterpret_cast<Complex*>(small_.data());
  for (std::size_t o = 0; o < outputs_; ++o) {
    if (routes_to_[o].empty()) lines_.clear();
    bool add = false;
    for (const std::size_t r : routes_to_[o]) {
      // With a radix of 1 the only line of a chunk is followed by the next chunk's.
      const SpectralLines& x = history_[static_cast<std::size_t>(routes_[r].input)];
      spectral::multiply(x.line(0, 0), newest_, response[r].line(0, 0), parts_, fft_.chunks(), add,
                         lines_.data());
      add = true;
    }
    for (std::size_t chunk = 0; chunk < fft_.chunks(); ++chunk)
      fft_.inverse_chunk(chunk, {lines_.data() + chunk * kLineFloats}, small);
    fft_.inverse_row(0, small, results_[set][o].data());
  }
}

void ConvolutionHead::play(std::span<float* const> out, std::size_t frames) noexcept {
  for (std::size_t o = 0; o < outputs_; ++o) {
    const float* const a = results_[active_set_][o].data() + position_;
    const float* const a_tail = tails_[active_set_][o].data() + position_;
    for (std::size_t n = 0; n < frames; ++n) out[o][n] = a[n] + a_tail[n];
    if (!fading_) continue;
    const float* const b = results_[1 - active_set_][o].data() + position_;
    const float* const b_tail = tails_[1 - active_set_][o].data() + position_;
    for (std::size_t n = 0; n < frames; ++n) {
      const auto done = static_cast<float>(faded_ + position_ + n + 1);
      const float share = fade_share(done, static_cast<float>(fade_frames_));
      out[o][n] += share * (b[n] + b_tail[n] - out[o][n]);
    }
  }
}

void ConvolutionHead::end_block() noexcept {
  for (std::size_t set = 0; set < 2; ++set)
    for (std::size_t o = 0; o < outputs_; ++o)
      std::copy_n(results_[set][o].data() + frames_, frames_, tails_[set][o].data());
  for (AlignedFloats& signal : taken_) std::fill_n(signal.data(), frames_, 0.0F);
  position_ = 0;
  newest_ = (newest_ + 1) % parts_;
  if (!fading_) return;
  faded_ += frames_;
  if (faded_ < fade_frames_) return;
  active_ = next_;
  next_ = nullptr;
  active_set_ = 1 - active_set_;
  faded_ = 0;
  both_ = fading_ = false;
}

void ConvolutionHead::reset() noexcept {
  if (next_ != nullptr) active_ = next_;
  next_ = nullptr;
  both_ = fading_ = false;
  faded_ = position_ = 0;
  for (AlignedFloats& signal : taken_) signal.clear();
  for (SpectralLines& lines : history_) lines.clear();
  for (std::size_t set = 0; set < 2; ++set)
    for (std::size_t o = 0; o < outputs_; ++o) {
      results_[set][o].clear();
      tails_[set][o].clear();
    }
}

}  // namespace ringwave::dsp
