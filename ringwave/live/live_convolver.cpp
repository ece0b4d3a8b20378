// SPDX-License-Identifier: Apache-2.0
#include "ringwave/live/live_convolver.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "ringwave/core/error.hpp"
#include "ringwave/live/convolver_handler.hpp"
#include "ringwave/live/live_trial.hpp"
#include "ringwave/live/ring_port.hpp"

namespace ringwave::live {
namespace {

constexpr std::size_t kPieceBytes = 4096;  // of a response, at the least, in one message

std::unique_ptr<ConvolverHandler> handler_of(const LiveSpec& spec, int taps) {
  auto made = std::make_unique<ConvolverHandler>();
  made->channels = spec.channels;
  made->taps = taps;
  made->max_frames = spec.max_block_frames;
  return made;
}

}  // namespace

LiveConvolver::LiveConvolver(const LiveSpec& spec, BlockView<const float> responses, Room room)
    : LiveProcessor(kName.data(), spec, ConvolverHandler::kMostChannels, ConvolverHandler::kMostSamples),
      room_(room) {
  if (room_.max_taps == 0) room_.max_taps = responses.frames();
  const int channels = this->spec().channels;
  if (room_.max_taps < 1 || room_.max_taps > ConvolverHandler::kTapRoom / channels || room_.fade_frames < 0)
    throw InvalidArgument("live_convolver was asked for with " + std::to_string(room_.max_taps) +
                          " taps a channel and a fade of " + std::to_string(room_.fade_frames) +
                          " frames; use 1 to " + std::to_string(ConvolverHandler::kTapRoom / channels) +
                          " taps and 0 frames or more");
  require_responses(responses);
  taps_.resize(static_cast<std::size_t>(channels) * static_cast<std::size_t>(room_.max_taps));
  keep(responses);
  if (way() == Way::ring)
    make_ring();
  else
    make_op();
}

void LiveConvolver::make_op() {
  const int channels = spec().channels;
  const int frames = spec().max_block_frames;
  dsp::Convolver op(device(),
                    {.inputs = channels,
                     .outputs = channels,
                     .max_block_frames = frames,
                     .max_taps = room_.max_taps,
                     .fade_frames = room_.fade_frames},
                    paths());
  // What process() of the CUDA twin does is to replay a graph of its own.
  if (way() == Way::launch && device().kind() != DeviceKind::cpu) {
    auto port =
        std::make_unique<QueuedPort<dsp::Convolver>>(std::move(op), channels, frames, spec().deadline, false);
    queued_ = port.get();
    use(std::move(port));
  } else {
    auto port = std::make_unique<DirectPort<dsp::Convolver>>(std::move(op), channels, frames);
    direct_ = port.get();
    use(std::move(port));
  }
}

void LiveConvolver::require_responses(BlockView<const float> responses) const {
  if (responses.channels() != spec().channels || responses.frames() < 1 ||
      responses.frames() > room_.max_taps)
    throw InvalidArgument("live_convolver was given responses of " + std::to_string(responses.channels()) +
                          " channels and " + std::to_string(responses.frames()) + " taps; it has " +
                          std::to_string(spec().channels) + " channels and room for " +
                          std::to_string(room_.max_taps) + " taps");
  for (int channel = 0; channel < responses.channels(); ++channel)
    if (!std::ranges::all_of(responses.channel(channel), [](float tap) { return std::isfinite(tap); }))
      throw InvalidArgument("the response of channel " + std::to_string(channel) +
                            " has a tap that is not finite; repair the file it came from");
}

void LiveConvolver::keep(BlockView<const float> responses) {
  std::ranges::fill(taps_, 0.0F);
  for (int channel = 0; channel < responses.channels(); ++channel)
    std::ranges::copy(responses.channel(channel), taps_.begin() + std::ptrdiff_t{channel} * room_.max_taps);
}

void LiveConvolver::make_ring() {
  const auto state = handler_of(spec(), room_.max_taps);
  use(std::make_unique<RingPort>(RingPort::Spec{.handler = ConvolverHandler::kName,
                                                .device = device(),
                                                .channels = spec().channels,
                                                .max_block_frames = spec().max_block_frames,
                                                .deadline = spec().deadline,
                                                .threads = ConvolverHandler::kThreads,
                                                .max_parameter_bytes = kPieceBytes,
                                                .reset_type = ConvolverHandler::kReset},
                                 std::as_bytes(std::span(state.get(), 1))));
  send_responses(0);
}

void LiveConvolver::send_responses(int fade_frames) {
  constexpr std::size_t kPiece = kPieceBytes / sizeof(float);
  for (std::size_t done = 0; done < taps_.size(); done += kPiece) {
    const auto piece = std::span(taps_).subspan(done, std::min(kPiece, taps_.size() - done));
    ring()->ask(ConvolverHandler::kTaps, static_cast<std::uint32_t>(done), std::as_bytes(piece));
  }
  ring()->ask(ConvolverHandler::kSwap, static_cast<std::uint32_t>(fade_frames), {});
}

std::vector<dsp::Convolver::Path> LiveConvolver::paths() const {
  std::vector<dsp::Convolver::Path> paths;
  const auto taps = static_cast<std::size_t>(room_.max_taps);
  paths.reserve(static_cast<std::size_t>(spec().channels));
  for (int channel = 0; channel < spec().channels; ++channel)
    paths.push_back(
        {{channel, channel}, std::span(taps_).subspan(static_cast<std::size_t>(channel) * taps, taps)});
  return paths;
}

void LiveConvolver::set_responses(BlockView<const float> responses) {
  require_responses(responses);
  keep(responses);
  if (ring() != nullptr)
    send_responses(room_.fade_frames);
  else
    (queued_ != nullptr ? queued_->op() : direct_->op()).set_responses(paths());
}

void LiveConvolver::recover() {
  if (ring() == nullptr) return;
  const auto state = handler_of(spec(), room_.max_taps);
  ring()->begin_again(std::as_bytes(std::span(state.get(), 1)));
  send_responses(0);
}

backend::OpInfo LiveConvolver::info(Way way) {
  const auto make = []<Way kWay>() {
    return [](Device device, int size, int batch) {
      constexpr int kTaps = 2048;
      std::vector<float> taps(static_cast<std::size_t>(kTaps) * static_cast<std::size_t>(batch),
                              1.0F / kTaps);
      return make_live_trial<LiveConvolver>(device, kWay, size, batch,
                                            BlockView<const float>(taps.data(), batch, kTaps));
    };
  };
  return live_info(kName, "responses of 2048 taps, live", way,
                   {make.template operator()<Way::launch>(), make.template operator()<Way::graph>(),
                    make.template operator()<Way::ring>()});
}

}  // namespace ringwave::live
