// SPDX-License-Identifier: Apache-2.0
#include "tests/parity/subject.hpp"

#include <cmath>

#include "ringwave/dsp/biquad.hpp"
#include "ringwave/dsp/butterworth.hpp"
#include "ringwave/dsp/fir.hpp"
#include "ringwave/dsp/gain.hpp"
#include "tests/parity/dynamics_subjects.hpp"
#include "tests/parity/oracle.hpp"
#include "tests/parity/space_subjects.hpp"

namespace ringwave::parity {
namespace {

Subject gain(const std::string& name, float factor) {
  return {name,
          [factor](Device device, Shape shape) {
            return instance_of(dsp::Gain(device, {shape.channels, shape.max_block_frames, factor}));
          },
          [factor](std::span<const float> in) {
            std::vector<double> out(in.begin(), in.end());
            for (double& sample : out) sample *= static_cast<double>(factor);
            return out;
          }};
}

Subject biquad(const std::string& name, const std::vector<dsp::Section>& sections) {
  return {name,
          [sections](Device device, Shape shape) {
            return instance_of(dsp::Biquad(device, {shape.channels, shape.max_block_frames}, sections));
          },
          [sections](std::span<const float> in) { return filtered(sections, in); }};
}

/// Taps that decay, of either sign.
Subject fir(const std::string& name, int taps) {
  std::vector<float> h(static_cast<std::size_t>(taps));
  for (std::size_t k = 0; k < h.size(); ++k)
    h[k] = static_cast<float>(std::cos(0.7 * static_cast<double>(k * k)) *
                              std::exp(-3.0 * static_cast<double>(k) / taps));
  return {name,
          [h](Device device, Shape shape) {
            return instance_of(dsp::Fir(device, {shape.channels, shape.max_block_frames}, h));
          },
          [h](std::span<const float> in) {
            std::vector<double> out(in.size());
            for (std::size_t n = 0; n < in.size(); ++n)
              for (std::size_t k = 0; k < h.size() && k <= n; ++k)
                out[n] += static_cast<double>(h[k]) * static_cast<double>(in[n - k]);
            return out;
          }};
}

}  // namespace

const std::vector<Subject>& subjects() {
  static const std::vector<Subject> table = [] {
    using dsp::butterworth_highpass, dsp::butterworth_lowpass;
    std::vector<Subject> made{
        gain("gain", 0.7F),
        // The low pole lies a thousandth from the unit circle: in float it would be somewhere else.
        biquad("biquad_highpass_20Hz_at_192kHz", butterworth_highpass(4, 20, 192000)),
        biquad("biquad_lowpass_20Hz_at_192kHz", butterworth_lowpass(2, 20, 192000)),
        biquad("biquad_resonance_Q50", {resonance(440, 50, 48000)}),
        biquad("biquad_lowpass_near_nyquist", butterworth_lowpass(6, 23900, 48000)),
        biquad("biquad_highpass_near_nyquist", butterworth_highpass(5, 23500, 48000)),
        biquad("biquad_nothing_but_delay", {{.b0 = 0, .b1 = 0, .b2 = 1, .a1 = 0, .a2 = 0}}),
    };
    for (const int taps : {1, 33, 300}) made.push_back(fir("fir_" + std::to_string(taps) + "_taps", taps));
    for (const Subject& subject : dynamics_subjects()) made.push_back(subject);
    for (const Subject& subject : space_subjects()) made.push_back(subject);
    // What a GPU may hand on from one group of sections to the next is louder here than what comes out.
    std::vector<dsp::Section> band = butterworth_lowpass(8, 3400, 48000);
    for (const dsp::Section& section : butterworth_highpass(8, 300, 48000)) band.push_back(section);
    made.push_back(biquad("biquad_telephone_band", band));
    for (const int sections : {1, 2, 3, 4, 5, 8, 13})
      made.push_back(biquad("biquad_" + std::to_string(sections) + "_sections",
                            butterworth_lowpass(2 * sections, 3000, 48000)));
    return made;
  }();
  return table;
}

}  // namespace ringwave::parity
