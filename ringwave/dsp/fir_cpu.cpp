// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "ringwave/backend/cpu/cpu_block_op.hpp"
#include "ringwave/dsp/fir_frames_cpu.hpp"
#include "ringwave/dsp/fir_twins.hpp"

namespace ringwave::dsp {
namespace {

constexpr std::size_t kTileFrames = 512;  // that are filtered at a time

class FirCpu final : public backend::cpu::CpuBlockOp<backend::BlockOp> {
 public:
  explicit FirCpu(const Fir::Request& request)
      : reversed_(request.taps.rbegin(), request.taps.rend()),
        past_(static_cast<std::size_t>(request.spec.channels) * (reversed_.size() - 1)),
        window_(reversed_.size() - 1 + kTileFrames + kReadBeyond) {}

  Status process(BlockView<const float> in, BlockView<float> out) noexcept override {
    const FlushSubnormals flush;
    const auto frames = static_cast<std::size_t>(in.frames());
    for (int channel = 0; channel < in.channels(); ++channel)
      for (std::size_t done = 0; done < frames; done += kTileFrames) {
        const std::size_t some = std::min(kTileFrames, frames - done);
        filter(channel, in.channel(channel).subspan(done, some), out.channel(channel).subspan(done, some));
      }
    return Status::ok;
  }

  void reset() noexcept override { std::ranges::fill(past_, 0.0F); }

 private:
  /// One tile of one channel, behind its past in one piece of memory.
  void filter(int channel, std::span<const float> in, std::span<float> out) noexcept {
    const std::size_t before = reversed_.size() - 1;
    const auto past = std::span(past_).subspan(static_cast<std::size_t>(channel) * before, before);
    std::ranges::copy(past, window_.begin());
    std::uint32_t nonfinite = 0;
    for (std::size_t n = 0; n < in.size(); ++n) {
      nonfinite += backend::is_nonfinite(in[n]);
      window_[before + n] = in[n];
    }
    count(nonfinite);
    std::ranges::fill(out, 0.0F);
    filter_frames(reversed_, window_.data(), out.data(), out.size(), FrameSums::same);
    std::copy_n(window_.data() + in.size(), before, past.data());
  }

  std::vector<float> reversed_;  // the taps, last one first
  std::vector<float> past_;      // [channel][taps - 1]
  std::vector<float> window_;    // a past and a tile
};

}  // namespace

std::unique_ptr<backend::BlockOp> make_fir_cpu(Device /*device*/, const Fir::Request& request) {
  return std::make_unique<FirCpu>(request);
}

}  // namespace ringwave::dsp
