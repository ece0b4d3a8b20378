// SPDX-License-Identifier: Apache-2.0
#include "ringwave/live/live_processor.hpp"

#include <string>
#include <utility>

#include "ringwave/backend/block_check.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/core/trace.hpp"
#include "ringwave/live/ring_port.hpp"
#include "ringwave/live/way_choice.hpp"

namespace ringwave::live {
namespace {

LiveSpec checked(const char* name, LiveSpec spec, int most_channels, std::size_t most_samples) {
  backend::require_shape(name, spec.channels, spec.max_block_frames);
  if (spec.channels > most_channels || spec.max_samples() > most_samples)
    throw InvalidArgument(std::string(name) + " was asked for with " + std::to_string(spec.channels) +
                          " channels and blocks of " + std::to_string(spec.max_block_frames) +
                          " frames; use at most " + std::to_string(most_channels) + " channels and " +
                          std::to_string(most_samples) + " samples a block");
  if (!backend::is_sample_rate(spec.sample_rate_hz))
    throw InvalidArgument(std::string(name) + " was asked for at " + std::to_string(spec.sample_rate_hz) +
                          " Hz; use 8000 to 768000");
  if (spec.deadline.count() < 0)
    throw InvalidArgument(std::string(name) + " was asked for with a deadline of " +
                          std::to_string(spec.deadline.count()) + " ns; use 0 for a block's length, or more");
  if (spec.deadline.count() == 0)
    spec.deadline = std::chrono::nanoseconds{
        static_cast<std::int64_t>(1e9 * spec.max_block_frames / spec.sample_rate_hz)};
  return spec;
}

}  // namespace

LiveProcessor::LiveProcessor(const char* name, const LiveSpec& spec, int most_channels,
                             std::size_t most_samples)
    : name_(name), spec_(checked(name, spec, most_channels, most_samples)) {
  const WayChoice chosen =
      choose_way(name, {spec_.device, spec_.way}, spec_.max_block_frames, spec_.channels);
  device_ = chosen.device;
  way_ = chosen.way;
}

LiveProcessor::~LiveProcessor() = default;

void LiveProcessor::use(std::unique_ptr<RingPort> port) {
  ring_ = port.get();
  port_ = std::move(port);
}

/// Into the port's memory; returns how many samples were not finite.
std::uint64_t LiveProcessor::take(BlockView<const float> in) noexcept {
  float* to = port_->input().data();
  std::uint32_t nonfinite = 0;
  for (int channel = 0; channel < in.channels(); ++channel)
    for (const float sample : in.channel(channel)) {
      const std::uint32_t is_bad = backend::is_nonfinite(sample);
      nonfinite += is_bad;
      *to++ = is_bad != 0 ? 0.0F : sample;
    }
  return nonfinite;
}

Status LiveProcessor::process(BlockView<const float> in, BlockView<float> out) noexcept {
  const trace::Span span(name_);
  Status status = backend::check_shape(in, out, spec_.channels, spec_.max_block_frames);
  if (status == Status::ok && in.frames() > 0) {
    if (const std::uint64_t nonfinite = take(in); nonfinite != 0)
      nonfinite_.fetch_add(nonfinite, std::memory_order_relaxed);
    status = port_->process(out);
    (status == Status::ok ? blocks_ : missed_).fetch_add(1, std::memory_order_relaxed);
  }
  if (status != Status::ok) backend::silence(out);
  return status;
}

Status LiveProcessor::reset() noexcept {
  return port_->reset();
}

LiveCounts LiveProcessor::counts() const noexcept {
  return {blocks_.load(std::memory_order_relaxed), missed_.load(std::memory_order_relaxed),
          nonfinite_.load(std::memory_order_relaxed)};
}

const ring::Kernel* LiveProcessor::kernel() const noexcept {
  return ring_ != nullptr ? &ring_->kernel() : nullptr;
}

}  // namespace ringwave::live
