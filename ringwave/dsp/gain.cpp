// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/gain.hpp"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "ringwave/backend/block_check.hpp"
#include "ringwave/backend/block_trial.hpp"
#include "ringwave/backend/prepare.hpp"
#include "ringwave/core/trace.hpp"
#include "ringwave/dsp/gain_twins.hpp"

namespace ringwave::dsp {

namespace {

/// False for NaN too.
bool in_range(float gain) noexcept {
  return std::abs(gain) <= Gain::kMostGain;
}

}  // namespace

Gain::Gain(Device device, const Spec& spec) : spec_(spec) {
  backend::require_shape(kName, spec.channels, spec.max_block_frames);
  if (!in_range(spec.gain) || spec.ramp_frames < 0)
    throw InvalidArgument("gain was asked for with a factor of " + std::to_string(spec.gain) + " over " +
                          std::to_string(spec.ramp_frames) +
                          " frames; use a factor of at most 1000000 and 0 frames or more");
  auto prepared =
      backend::prepare<Gain>(device, {std::string(kName), spec.max_block_frames, spec.channels}, spec);
  device_ = prepared.device;
  twin_ = std::move(prepared.twin);
}

Gain::~Gain() = default;
Gain::Gain(Gain&&) noexcept = default;
Gain& Gain::operator=(Gain&&) noexcept = default;

Status Gain::process(BlockView<const float> in, BlockView<float> out) noexcept {
  const trace::Span span("gain");
  Status status = backend::check_shape(in, out, spec_.channels, spec_.max_block_frames);
  if (status == Status::ok && in.frames() > 0) status = twin_->process(in, out);
  if (status != Status::ok) backend::silence(out);
  return status;
}

Status Gain::enqueue(Queue& queue, BlockView<const float> in, BlockView<float> out) noexcept {
  const Status status = backend::check_shape(in, out, spec_.channels, spec_.max_block_frames);
  return status == Status::ok && in.frames() > 0 ? twin_->enqueue(queue, in, out) : status;
}

bool Gain::set_gain(float linear) noexcept {
  if (!in_range(linear)) return false;
  twin_->set_gain(linear);
  return true;
}

void Gain::reset() noexcept {
  twin_->reset();
}

std::uint64_t Gain::nonfinite_samples() const {
  return twin_->nonfinite_samples();
}

backend::OpInfo Gain::info() {
  return {.name = std::string(kName),
          .summary = "one factor for every sample, changed without a click",
          .sizes = {64, 256, 1024, 4096, 16384, 65536},
          .batches = {1, 8, 64, 512},
          .make_trial = [](Device device, int size, int batch) {
            return backend::make_block_trial(
                Gain(device, {.channels = batch, .max_block_frames = size, .gain = 0.5F}), batch, size);
          }};
}

}  // namespace ringwave::dsp
