// SPDX-License-Identifier: Apache-2.0
#include "ringwave/live/live_biquad.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "ringwave/core/error.hpp"
#include "ringwave/dsp/butterworth.hpp"
#include "ringwave/live/biquad_handler.hpp"
#include "ringwave/live/live_trial.hpp"
#include "ringwave/live/ring_port.hpp"

namespace ringwave::live {
namespace {

std::unique_ptr<BiquadHandler> handler_of(int channels, std::span<const dsp::Section> sections,
                                          int smooth_frames) {
  auto made = std::make_unique<BiquadHandler>();
  made->channels = channels;
  made->sections = static_cast<int>(sections.size());
  made->smooth_frames = smooth_frames;
  made->begin_with(sections.data());
  return made;
}

}  // namespace

LiveBiquad::LiveBiquad(const LiveSpec& spec, std::span<const dsp::Section> sections, int smooth_frames)
    : LiveProcessor(kName.data(), spec, BiquadHandler::kMostChannels, BiquadHandler::kMostSamples),
      sections_(sections.begin(), sections.end()),
      smooth_frames_(smooth_frames) {
  if (sections.empty() || sections.size() > BiquadHandler::kMostSections)
    throw InvalidArgument("live_biquad was asked for with " + std::to_string(sections.size()) +
                          " sections; use 1 to " + std::to_string(BiquadHandler::kMostSections));
  if (smooth_frames < 0)
    throw InvalidArgument("live_biquad was asked for with changes over " + std::to_string(smooth_frames) +
                          " frames; use 0 or more");
  dsp::require_stable(sections);
  if (way() == Way::ring)
    make_ring();
  else
    make_op();
}

void LiveBiquad::make_op() {
  const int channels = spec().channels;
  const int frames = spec().max_block_frames;
  dsp::Biquad op(device(), {channels, frames, smooth_frames_}, sections_);
  if (way() == Way::graph && device().kind() != DeviceKind::cpu) {
    auto port =
        std::make_unique<QueuedPort<dsp::Biquad>>(std::move(op), channels, frames, spec().deadline, true);
    queued_ = port.get();
    use(std::move(port));
  } else {
    auto port = std::make_unique<DirectPort<dsp::Biquad>>(std::move(op), channels, frames);
    direct_ = port.get();
    use(std::move(port));
  }
}

void LiveBiquad::make_ring() {
  constexpr int kWarp = 32;
  constexpr int kMostWarps = 13;
  const auto state = handler_of(spec().channels, sections_, smooth_frames_);
  use(std::make_unique<RingPort>(
      RingPort::Spec{.handler = BiquadHandler::kName,
                     .device = device(),
                     .channels = spec().channels,
                     .max_block_frames = spec().max_block_frames,
                     .deadline = spec().deadline,
                     .threads = kWarp * std::min(spec().channels, kMostWarps),
                     .max_parameter_bytes = sizeof(dsp::Section) * BiquadHandler::kMostSections,
                     .reset_type = BiquadHandler::kReset},
      std::as_bytes(std::span(state.get(), 1))));
}

bool LiveBiquad::set_sections(std::span<const dsp::Section> sections) noexcept {
  if (sections.size() != sections_.size() || !std::ranges::all_of(sections, dsp::is_stable)) return false;
  bool taken = true;
  if (ring() != nullptr)
    taken = ring()->tell(BiquadHandler::kSections, std::as_bytes(sections)) == Status::ok;
  else
    taken = (queued_ != nullptr ? queued_->op_to_change() : direct_->op()).set_sections(sections);
  if (taken) std::ranges::copy(sections, sections_.begin());
  return taken;
}

void LiveBiquad::recover() {
  if (ring() == nullptr) return;
  const auto state = handler_of(spec().channels, sections_, smooth_frames_);
  ring()->begin_again(std::as_bytes(std::span(state.get(), 1)));
}

backend::OpInfo LiveBiquad::info(Way way) {
  const auto make = []<Way kWay>() {
    return [](Device device, int size, int batch) {
      return make_live_trial<LiveBiquad>(device, kWay, size, batch, dsp::butterworth_lowpass(8, 1000, 48000));
    };
  };
  return live_info(kName, "a cascade of second-order sections, live", way,
                   {make.template operator()<Way::launch>(), make.template operator()<Way::graph>(),
                    make.template operator()<Way::ring>()});
}

}  // namespace ringwave::live
