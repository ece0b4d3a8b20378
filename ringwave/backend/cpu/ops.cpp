// SPDX-License-Identifier: Apache-2.0
#include "ringwave/backend/cpu/ops.hpp"

#include "ringwave/dsp/biquad.hpp"
#include "ringwave/dsp/biquad_twins.hpp"
#include "ringwave/dsp/fir.hpp"
#include "ringwave/dsp/fir_twins.hpp"
#include "ringwave/dsp/gain.hpp"
#include "ringwave/dsp/gain_twins.hpp"

namespace ringwave::backend::cpu {

void register_ops(Registry& registry) {
  registry.describe(dsp::Biquad::info());
  registry.describe(dsp::Fir::info());
  registry.describe(dsp::Gain::info());

  registry.add<dsp::Biquad>(DeviceKind::cpu, {.make = dsp::make_biquad_cpu});
  registry.add<dsp::Fir>(DeviceKind::cpu, {.make = dsp::make_fir_cpu});
  registry.add<dsp::Gain>(DeviceKind::cpu, {.make = dsp::make_gain_cpu});
}

}  // namespace ringwave::backend::cpu
