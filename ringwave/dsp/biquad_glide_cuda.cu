// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/biquad_glide_cuda.cuh"

namespace ringwave::dsp::glide {
namespace {

constexpr int kWarps = 4;  // of a block: as many channels

__global__ void __launch_bounds__(kWarps * 32)
    glide_kernel(const Stretch stretch, BlockView<const float> in, BlockView<float> out, double* states,
                 unsigned long long* nonfinite) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int channel = static_cast<int>(blockIdx.x) * kWarps + static_cast<int>(threadIdx.x) / 32;
  if (channel >= in.channels()) return;
  const float* const x = in.data() + channel * in.stride();
  float* const y = out.data() + channel * out.stride();
  const int frames = in.frames();
  const int last = stretch.count - 1;
  const bool works = lane <= last;
  const Section from = works ? stretch.from[lane] : Section{};
  const Section to = works ? stretch.to[lane] : Section{};
  double* const mine = states + (works ? stretch.place(lane, channel, in.channels()) : 0);
  double s1 = works ? mine[0] : 0.0;
  double s2 = works ? mine[1] : 0.0;
  double made = 0;  // by this lane in the last step
  float fresh = 0;  // 32 samples of the input, one a lane
  float ready = 0;  // and of the output
  int found = 0;
  for (int now = 0; now < frames + last; ++now) {
    if (now % 32 == 0) {
      fresh = now + lane < frames ? x[now + lane] : 0.0F;
      found += isfinite(fresh) ? 0 : 1;
    }
    const double first = __shfl_sync(~0U, fresh, now % 32);
    const double handed = __shfl_up_sync(~0U, made, 1);
    const int n = now - lane;
    if (works && n >= 0 && n < frames) {
      const double share = glide_share(stretch.done + n + 1, stretch.frames);
      made = step(recurrence_of(between(from, to, share)), lane == 0 ? first : handed, s1, s2);
    }
    const float finished = static_cast<float>(__shfl_sync(~0U, made, last));
    const int at = now - last;  // the sample that is finished
    if (at < 0) continue;
    if (lane == at % 32) ready = finished;
    if ((at % 32 == 31 || at == frames - 1) && lane <= at % 32) y[at - at % 32 + lane] = ready;
  }
  if (works) {
    mine[0] = s1;
    mine[1] = s2;
  }
  if (nonfinite != nullptr && found != 0) atomicAdd(nonfinite, static_cast<unsigned long long>(found));
}

}  // namespace

cudaError_t launch(cudaStream_t stream, const Stretch& stretch, BlockView<const float> in,
                   BlockView<float> out, double* states, unsigned long long* nonfinite) noexcept {
  glide_kernel<<<(in.channels() + kWarps - 1) / kWarps, kWarps * 32, 0, stream>>>(stretch, in, out, states,
                                                                                  nonfinite);
  return cudaGetLastError();
}

}  // namespace ringwave::dsp::glide
