// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/direct_convolution_cpu.hpp"

#include <algorithm>

#include "ringwave/dsp/convolver_math.hpp"
#include "ringwave/dsp/fir_frames_cpu.hpp"

namespace ringwave::dsp {

DirectConvolution::DirectConvolution(int max_frames, int taps, int inputs, int outputs,
                                     std::span<const Convolver::Route> routes, int fade_frames)
    : taps_(static_cast<std::size_t>(std::max(taps, 1))),
      fade_frames_(static_cast<std::size_t>(std::max(fade_frames, 1))),
      routes_(routes.begin(), routes.end()),
      history_(static_cast<std::size_t>(inputs),
               std::vector<float>(taps_ - 1 + static_cast<std::size_t>(max_frames) + kReadBeyond)),
      faded_in_(static_cast<std::size_t>(outputs), std::vector<float>(static_cast<std::size_t>(max_frames))) {
  for (auto& row : faded_in_) faded_in_rows_.push_back(row.data());
}

DirectResponse DirectConvolution::make_response(std::span<const std::span<const float>> taps) const {
  DirectResponse response;
  for (const auto& path : taps) {
    std::vector<float>& reversed = response.emplace_back(taps_);
    std::copy(path.begin(), path.end(), reversed.rbegin());
  }
  return response;
}

void DirectConvolution::advance(std::span<const float* const> in, std::span<float* const> out,
                                int frames) noexcept {
  const auto count = static_cast<std::size_t>(frames);
  for (std::size_t i = 0; i < history_.size(); ++i) std::copy_n(in[i], count, history_[i].data() + taps_ - 1);
  convolve(*active_, out, count);
  if (next_ != nullptr) {
    convolve(*next_, faded_in_rows_, count);
    for (std::size_t o = 0; o < out.size(); ++o)
      for (std::size_t n = 0; n < count; ++n) {
        const float share = fade_share(static_cast<float>(faded_ + n + 1), static_cast<float>(fade_frames_));
        out[o][n] += share * (faded_in_[o][n] - out[o][n]);
      }
    faded_ += count;
    if (faded_ >= fade_frames_) {
      active_ = next_;
      next_ = nullptr;
      faded_ = 0;
    }
  }
  for (auto& past : history_)
    std::copy(past.begin() + frames, past.begin() + frames + static_cast<std::ptrdiff_t>(taps_ - 1),
              past.begin());
}

void DirectConvolution::convolve(const DirectResponse& response, std::span<float* const> out,
                                 std::size_t frames) noexcept {
  for (float* const row : out) std::fill_n(row, frames, 0.0F);
  for (std::size_t r = 0; r < routes_.size(); ++r)
    filter_frames(response[r], history_[static_cast<std::size_t>(routes_[r].input)].data(),
                  out[static_cast<std::size_t>(routes_[r].output)], frames, FrameSums::fastest);
}

void DirectConvolution::reset() noexcept {
  if (next_ != nullptr) active_ = next_;
  next_ = nullptr;
  faded_ = 0;
  for (auto& past : history_) std::fill(past.begin(), past.end(), 0.0F);
}

}  // namespace ringwave::dsp
