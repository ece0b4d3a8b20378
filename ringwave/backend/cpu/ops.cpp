// SPDX-License-Identifier: Apache-2.0
#include "ringwave/backend/cpu/ops.hpp"

#include "ringwave/dsp/bin_values.hpp"
#include "ringwave/dsp/bin_values_twins.hpp"
#include "ringwave/dsp/biquad.hpp"
#include "ringwave/dsp/biquad_twins.hpp"
#include "ringwave/dsp/chorus.hpp"
#include "ringwave/dsp/chorus_twins.hpp"
#include "ringwave/dsp/compressor.hpp"
#include "ringwave/dsp/compressor_twins.hpp"
#include "ringwave/dsp/convolver.hpp"
#include "ringwave/dsp/convolver_twins.hpp"
#include "ringwave/dsp/delay.hpp"
#include "ringwave/dsp/delay_twins.hpp"
#include "ringwave/dsp/fft.hpp"
#include "ringwave/dsp/fft_twins.hpp"
#include "ringwave/dsp/fir.hpp"
#include "ringwave/dsp/fir_twins.hpp"
#include "ringwave/dsp/gain.hpp"
#include "ringwave/dsp/gain_twins.hpp"
#include "ringwave/dsp/gate.hpp"
#include "ringwave/dsp/gate_twins.hpp"
#include "ringwave/dsp/limiter.hpp"
#include "ringwave/dsp/limiter_twins.hpp"
#include "ringwave/dsp/resampler.hpp"
#include "ringwave/dsp/resampler_twins.hpp"
#include "ringwave/dsp/reverb.hpp"
#include "ringwave/dsp/reverb_twins.hpp"
#include "ringwave/dsp/soft_clip.hpp"
#include "ringwave/dsp/soft_clip_twins.hpp"
#include "ringwave/dsp/stft.hpp"
#include "ringwave/dsp/stft_twins.hpp"
#include "ringwave/live/live_biquad.hpp"
#include "ringwave/live/live_convolver.hpp"
#include "ringwave/live/live_stations.hpp"
#include "ringwave/synth/note_batch_twins.hpp"
#include "ringwave/synth/renderer.hpp"
#include "ringwave/synth/renderer_twins.hpp"

namespace ringwave::backend::cpu {

void register_ops(Registry& registry) {
  registry.describe(dsp::BinValues::info());
  registry.describe(dsp::Biquad::info());
  registry.describe(dsp::Chorus::info());
  registry.describe(dsp::Compressor::info());
  registry.describe(dsp::Convolver::info());
  registry.describe(dsp::Delay::info());
  registry.describe(dsp::Fft::info());
  registry.describe(dsp::Fir::info());
  registry.describe(dsp::Gain::info());
  registry.describe(dsp::Gate::info());
  registry.describe(dsp::Limiter::info());
  registry.describe(dsp::Resampler::info());
  registry.describe(dsp::Reverb::info());
  registry.describe(dsp::SoftClip::info());
  registry.describe(dsp::Stft::info());
  for (const live::Way way : live::kWays) {
    registry.describe(live::LiveBiquad::info(way));
    registry.describe(live::LiveConvolver::info(way));
    registry.describe(live::LiveStations::info(way));
  }
  registry.describe(synth::NoteBatch::info());
  registry.describe(synth::Renderer::info());

  registry.add<dsp::BinValues>(DeviceKind::cpu, {.make = dsp::make_bin_values_cpu});
  registry.add<dsp::Biquad>(DeviceKind::cpu, {.make = dsp::make_biquad_cpu});
  registry.add<dsp::Chorus>(DeviceKind::cpu, {.make = dsp::make_chorus_cpu});
  registry.add<dsp::Compressor>(DeviceKind::cpu, {.make = dsp::make_compressor_cpu});
  registry.add<dsp::Convolver>(DeviceKind::cpu, {.make = dsp::make_convolver_cpu});
  registry.add<dsp::Delay>(DeviceKind::cpu, {.make = dsp::make_delay_cpu});
  registry.add<dsp::Fft>(DeviceKind::cpu, {.make = dsp::make_fft_cpu});
  registry.add<dsp::Fir>(DeviceKind::cpu, {.make = dsp::make_fir_cpu});
  registry.add<dsp::Gain>(DeviceKind::cpu, {.make = dsp::make_gain_cpu});
  registry.add<dsp::Gate>(DeviceKind::cpu, {.make = dsp::make_gate_cpu});
  registry.add<dsp::Limiter>(DeviceKind::cpu, {.make = dsp::make_limiter_cpu});
  registry.add<dsp::Resampler>(DeviceKind::cpu, {.make = dsp::make_resampler_cpu});
  registry.add<dsp::Reverb>(DeviceKind::cpu, {.make = dsp::make_reverb_cpu});
  registry.add<dsp::SoftClip>(DeviceKind::cpu, {.make = dsp::make_soft_clip_cpu});
  registry.add<dsp::Stft>(DeviceKind::cpu, {.make = dsp::make_stft_cpu});
  registry.add<synth::NoteBatch>(DeviceKind::cpu, {.make = synth::make_note_batch_cpu});
  registry.add<synth::Renderer>(DeviceKind::cpu, {.make = synth::make_renderer_cpu});
}

}  // namespace ringwave::backend::cpu
