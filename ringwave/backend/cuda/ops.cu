// SPDX-License-Identifier: Apache-2.0
#include "ringwave/backend/cuda/ops.cuh"

#include "ringwave/dsp/bin_values_twins.hpp"
#include "ringwave/dsp/biquad_twins.hpp"
#include "ringwave/dsp/chorus_twins.hpp"
#include "ringwave/dsp/compressor_twins.hpp"
#include "ringwave/dsp/convolver_twins.hpp"
#include "ringwave/dsp/delay_twins.hpp"
#include "ringwave/dsp/fft_twins.hpp"
#include "ringwave/dsp/fir_twins.hpp"
#include "ringwave/dsp/gain_twins.hpp"
#include "ringwave/dsp/gate_twins.hpp"
#include "ringwave/dsp/limiter_twins.hpp"
#include "ringwave/dsp/resampler_twins.hpp"
#include "ringwave/dsp/reverb_twins.hpp"
#include "ringwave/dsp/soft_clip_twins.hpp"
#include "ringwave/dsp/stft_twins.hpp"
#include "ringwave/synth/note_batch_twins.hpp"
#include "ringwave/synth/renderer_twins.hpp"

namespace ringwave::backend::cuda {

void register_ops(Registry& registry) {
  registry.add<dsp::BinValues>(DeviceKind::cuda, {.make = dsp::make_bin_values_cuda});
  registry.add<dsp::Biquad>(DeviceKind::cuda, {.make = dsp::make_biquad_cuda});
  registry.add<dsp::Chorus>(DeviceKind::cuda, {.make = dsp::make_chorus_cuda});
  registry.add<dsp::Compressor>(DeviceKind::cuda, {.make = dsp::make_compressor_cuda});
  registry.add<dsp::Convolver>(DeviceKind::cuda,
                               {.make = dsp::make_convolver_cuda, .supports = dsp::convolver_cuda_supports});
  registry.add<dsp::Delay>(DeviceKind::cuda, {.make = dsp::make_delay_cuda});
  registry.add<dsp::Fft>(DeviceKind::cuda, {.make = dsp::make_fft_cuda, .supports = dsp::fft_cuda_supports});
  registry.add<dsp::Fir>(DeviceKind::cuda, {.make = dsp::make_fir_cuda});
  registry.add<dsp::Gain>(DeviceKind::cuda, {.make = dsp::make_gain_cuda});
  registry.add<dsp::Gate>(DeviceKind::cuda, {.make = dsp::make_gate_cuda});
  registry.add<dsp::Limiter>(DeviceKind::cuda, {.make = dsp::make_limiter_cuda});
  registry.add<dsp::Resampler>(DeviceKind::cuda, {.make = dsp::make_resampler_cuda});
  registry.add<dsp::Reverb>(DeviceKind::cuda, {.make = dsp::make_reverb_cuda});
  registry.add<dsp::SoftClip>(DeviceKind::cuda, {.make = dsp::make_soft_clip_cuda});
  registry.add<dsp::Stft>(DeviceKind::cuda,
                          {.make = dsp::make_stft_cuda, .supports = dsp::stft_cuda_supports});
  registry.add<synth::NoteBatch>(DeviceKind::cuda, {.make = synth::make_note_batch_cuda});
  registry.add<synth::Renderer>(DeviceKind::cuda, {.make = synth::make_renderer_cuda});
}

}  // namespace ringwave::backend::cuda
