// SPDX-License-Identifier: Apache-2.0
#include "tests/parity/space_subjects.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "ringwave/dsp/chorus.hpp"
#include "ringwave/dsp/delay.hpp"
#include "ringwave/dsp/reverb.hpp"
#include "ringwave/dsp/reverb_twins.hpp"

namespace ringwave::parity {
namespace {

template <class Op>
Subject subject(const std::string& name, const typename Op::Spec& spec,
                std::vector<double> (*oracle)(const typename Op::Spec&, std::span<const float>)) {
  return {name,
          [spec](Device device, Shape shape) {
            typename Op::Spec shaped = spec;
            shaped.channels = shape.channels;
            shaped.max_block_frames = shape.max_block_frames;
            return instance_of(Op(device, shaped));
          },
          [spec, oracle](std::span<const float> in) { return oracle(spec, in); }};
}

/// A signal between its samples, by Lagrange's form of the cubic whose slopes are those of Catmull and Rom:
/// as a sum of weights. Before its beginning it is silence.
double between(const std::vector<double>& signal, double place) {
  const double whole = std::floor(place);
  const double f = place - whole;
  const double weights[4] = {-f * (1 - f) * (1 - f) / 2, 1 - f * f * (5 - 3 * f) / 2,
                             f * (1 + f * (4 - 3 * f)) / 2, -f * f * (1 - f) / 2};
  double sum = 0;
  for (int i = 0; i < 4; ++i) {
    const auto index = static_cast<std::ptrdiff_t>(whole) - 1 + i;
    if (index >= 0) sum += weights[i] * signal[static_cast<std::size_t>(index)];
  }
  return sum;
}

double swing(double rate_hz, double sample_rate_hz, std::size_t n, double turns) {
  const double step = std::floor(rate_hz / sample_rate_hz * 4294967296.0) / 4294967296.0;
  return std::sin(2 * std::numbers::pi * (step * static_cast<double>(n) + turns));
}

std::vector<double> echoed(const dsp::Delay::Spec& spec, std::span<const float> in) {
  const auto& s = spec.settings;
  const double ms = spec.sample_rate_hz / 1000;
  std::vector<double> line, out;
  for (std::size_t n = 0; n < in.size(); ++n) {
    const double frames = ms * (s.time_ms + s.depth_ms * swing(s.rate_hz, spec.sample_rate_hz, n, 0));
    const double echo = between(line, static_cast<double>(n) - frames);
    const auto x = static_cast<double>(in[n]);
    line.push_back(x + s.feedback * echo);
    out.push_back((1 - s.mix) * x + s.mix * echo);
  }
  return out;
}

std::vector<double> chorused(const dsp::Chorus::Spec& spec, std::span<const float> in) {
  const auto& s = spec.settings;
  const double ms = spec.sample_rate_hz / 1000;
  const std::vector<double> line(in.begin(), in.end());
  std::vector<double> out;
  for (std::size_t n = 0; n < in.size(); ++n) {
    double sum = 0;
    for (int voice = 0; voice < spec.voices; ++voice) {
      const double turns = static_cast<double>(voice) / spec.voices;
      const double frames = ms * (s.delay_ms + s.depth_ms * swing(s.rate_hz, spec.sample_rate_hz, n, turns));
      sum += between(line, static_cast<double>(n) - frames);
    }
    out.push_back((1 - s.mix) * line[n] + s.mix / std::sqrt(spec.voices) * sum);
  }
  return out;
}

/// Every line as all that ever went in, and the matrix written out.
std::vector<double> reverberated(const dsp::Reverb::Spec& spec, std::span<const float> in) {
  const auto& s = spec.settings;
  const auto constants = dsp::constants_of(spec);  // for the lengths of its lines
  std::array<std::vector<double>, 8> lines;
  std::array<double, 8> low{};
  std::vector<double> out;
  for (std::size_t n = 0; n < in.size(); ++n) {
    std::array<double, 8> fed{};
    double heard = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      const auto length = static_cast<std::size_t>(constants.frames[i]);
      const double oldest = n >= length ? lines[i][n - length] : 0;
      heard += oldest / std::sqrt(8);
      low[i] = s.damp * low[i] + (1 - s.damp) * oldest;
      const double gain = std::pow(10, -3 * static_cast<double>(length) / (s.decay_s * spec.sample_rate_hz));
      for (std::size_t to = 0; to < 8; ++to) fed[to] += ((to == i ? 1 : 0) - 2 / 8.0) * gain * low[i];
    }
    const auto x = static_cast<double>(in[n]);
    for (std::size_t i = 0; i < 8; ++i) lines[i].push_back((i % 3 == 0 ? x : -x) + fed[i]);
    out.push_back((1 - s.mix) * x + s.mix * heard);
  }
  return out;
}

}  // namespace

std::vector<Subject> space_subjects() {
  return {
      subject<dsp::Delay>("delay", {.settings = {.time_ms = 7, .feedback = -0.6, .mix = 0.5}}, echoed),
      subject<dsp::Delay>("delay_that_moves",
                          {.settings = {.time_ms = 5, .feedback = 0.7, .depth_ms = 2, .rate_hz = 3}}, echoed),
      subject<dsp::Chorus>("chorus", {.settings = {.spread = 0}}, chorused),
      subject<dsp::Reverb>("reverb", {.room = 0.2, .settings = {.width = 0, .mix = 0.6}}, reverberated),
  };
}

}  // namespace ringwave::parity
