// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/gain_pass.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "apps/cli/render_with_progress.hpp"
#include "ringwave/dsp/loudness.hpp"

namespace ringwave::cli {
namespace {

struct Measured {
  std::int64_t frames = 0;
  std::vector<double> lufs;
};

/// The loudness of all pieces as they are, before a gain and the ceiling.
Measured measure(const synth::Rendering::Spec& spec, const std::vector<Programme>& programmes,
                 std::optional<std::int64_t> frames) {
  constexpr double kRoomDb = 30;  // between them and the ceiling
  const auto gain = static_cast<float>(std::pow(10, kRoomDb / 20));
  std::vector<dsp::Loudness> meters;
  meters.reserve(programmes.size());
  std::vector<synth::Rendering::Station> stations;
  for (const Programme& programme : programmes) {
    dsp::Loudness& meter = meters.emplace_back(dsp::Loudness::Spec{2, spec.sample_rate_hz});
    synth::StationEffects effects = programme.effects;
    effects.gain_db = -kRoomDb;
    stations.push_back(
        {.piece = programme.piece->again(),
         .effects = effects,
         .hear = [&meter, gain, samples = std::vector<float>()](BlockView<const float> block) mutable {
           samples.clear();
           for (int channel = 0; channel < 2; ++channel)
             for (const float sample : block.channel(channel)) samples.push_back(gain * sample);
           meter.add({samples.data(), 2, block.frames()});
         }});
  }
  Measured measured{.frames = render_with_progress(spec, std::move(stations), frames, "measuring"),
                    .lufs = {}};
  for (const dsp::Loudness& meter : meters) measured.lufs.push_back(meter.integrated_lufs());
  return measured;
}

}  // namespace

std::int64_t set_gains(const synth::Rendering::Spec& spec, std::vector<Programme>& programmes,
                       double target_lufs, std::optional<std::int64_t> frames) {
  const Measured measured = measure(spec, programmes, frames);
  for (std::size_t i = 0; i < programmes.size(); ++i)
    if (std::isfinite(measured.lufs[i]))
      programmes[i].effects.gain_db =
          std::clamp(target_lufs - measured.lufs[i], synth::StationEffects::kLeastGainDb,
                     synth::StationEffects::kMostGainDb);
  return measured.frames;
}

}  // namespace ringwave::cli
