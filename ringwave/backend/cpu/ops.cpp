// SPDX-License-Identifier: Apache-2.0
#include "ringwave/backend/cpu/ops.hpp"

#include "ringwave/dsp/biquad.hpp"
#include "ringwave/dsp/biquad_twins.hpp"
#include "ringwave/dsp/convolver.hpp"
#include "ringwave/dsp/convolver_twins.hpp"
#include "ringwave/dsp/fft.hpp"
#include "ringwave/dsp/fft_twins.hpp"
#include "ringwave/dsp/gain.hpp"
#include "ringwave/dsp/gain_twins.hpp"

namespace ringwave::backend::cpu {

void register_ops(Registry& registry) {
  registry.describe(dsp::Biquad::info());
  registry.describe(dsp::Convolver::info());
  registry.describe(dsp::Fft::info());
  registry.describe(dsp::Gain::info());

  registry.add<dsp::Biquad>(DeviceKind::cpu, {.make = dsp::make_biquad_cpu});
  registry.add<dsp::Convolver>(DeviceKind::cpu, {.make = dsp::make_convolver_cpu});
  registry.add<dsp::Fft>(DeviceKind::cpu, {.make = dsp::make_fft_cpu});
  registry.add<dsp::Gain>(DeviceKind::cpu, {.make = dsp::make_gain_cpu});
}

}  // namespace ringwave::backend::cpu
