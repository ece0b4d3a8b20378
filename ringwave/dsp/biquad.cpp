// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/biquad.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "ringwave/backend/block_check.hpp"
#include "ringwave/backend/block_trial.hpp"
#include "ringwave/backend/prepare.hpp"
#include "ringwave/core/trace.hpp"
#include "ringwave/dsp/biquad_twins.hpp"
#include "ringwave/dsp/butterworth.hpp"

namespace ringwave::dsp {

Biquad::Biquad(Device device, const Spec& spec, std::span<const Section> sections)
    : spec_(spec), sections_(sections.size()) {
  backend::require_shape(kName, spec.channels, spec.max_block_frames);
  if (sections.empty() || sections.size() > kMostSections)
    throw InvalidArgument("biquad was asked for with " + std::to_string(sections.size()) +
                          " sections; use 1 to " + std::to_string(kMostSections));
  if (spec.smooth_frames < 0)
    throw InvalidArgument("biquad was asked for with changes over " + std::to_string(spec.smooth_frames) +
                          " frames; use 0 or more");
  require_stable(sections);
  const Request request{spec, {sections.begin(), sections.end()}};
  auto prepared =
      backend::prepare<Biquad>(device, {std::string(kName), spec.max_block_frames, spec.channels}, request);
  device_ = prepared.device;
  twin_ = std::move(prepared.twin);
}

Biquad::~Biquad() = default;
Biquad::Biquad(Biquad&&) noexcept = default;
Biquad& Biquad::operator=(Biquad&&) noexcept = default;

Status Biquad::process(BlockView<const float> in, BlockView<float> out) noexcept {
  const trace::Span span("biquad");
  Status status = backend::check_shape(in, out, spec_.channels, spec_.max_block_frames);
  if (status == Status::ok && in.frames() > 0) status = twin_->process(in, out);
  if (status != Status::ok) backend::silence(out);
  return status;
}

Status Biquad::enqueue(Queue& queue, BlockView<const float> in, BlockView<float> out) noexcept {
  const Status status = backend::check_shape(in, out, spec_.channels, spec_.max_block_frames);
  return status == Status::ok && in.frames() > 0 ? twin_->enqueue(queue, in, out) : status;
}

bool Biquad::set_sections(std::span<const Section> sections) noexcept {
  if (sections.size() != sections_ || !std::ranges::all_of(sections, is_stable)) return false;
  twin_->set_sections(sections);
  return true;
}

void Biquad::reset() noexcept {
  twin_->reset();
}

Status Biquad::enqueue_reset(Queue& queue) noexcept {
  return twin_->enqueue_reset(queue);
}

std::uint64_t Biquad::nonfinite_samples() const {
  return twin_->nonfinite_samples();
}

backend::OpInfo Biquad::info() {
  return {.name = std::string(kName),
          .summary = "a cascade of second-order sections",
          .sizes = {64, 256, 1024, 4096, 16384, 65536, 262144},
          .batches = {1, 8, 64, 512},
          .make_trial = [](Device device, int size, int batch) {
            const auto lowpass = butterworth_lowpass(8, 1000, 48000);
            return backend::make_block_trial(
                Biquad(device, {.channels = batch, .max_block_frames = size}, lowpass), batch, size);
          }};
}

}  // namespace ringwave::dsp
