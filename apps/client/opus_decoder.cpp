// SPDX-License-Identifier: Apache-2.0
#include "apps/client/opus_decoder.hpp"

#include <opus.h>

#include <algorithm>

#include "ringwave/core/error.hpp"

namespace ringwave::client {
namespace {

constexpr int kRateHz = 48000;
constexpr int kChannels = 2;
constexpr int kMostFrames = 5760;  // 120 ms, the longest packet

}  // namespace

void PacketDecoder::Destroy::operator()(OpusDecoder* decoder) const noexcept {
  opus_decoder_destroy(decoder);
}

PacketDecoder::PacketDecoder() : samples_(static_cast<std::size_t>(kMostFrames) * kChannels) {
  int error = OPUS_OK;
  decoder_.reset(opus_decoder_create(kRateHz, kChannels, &error));
  if (!decoder_) throw OutOfMemory(std::string("libopus gives no decoder: ") + opus_strerror(error));
}

std::span<const float> PacketDecoder::made(int frames) const noexcept {
  return std::span(samples_).first(static_cast<std::size_t>(std::max(0, frames)) * kChannels);
}

std::span<const float> PacketDecoder::decode(std::span<const std::byte> packet) noexcept {
  if (packet.empty() || packet.size() > samples_.size()) return {};
  return made(opus_decode_float(decoder_.get(), reinterpret_cast<const unsigned char*>(packet.data()),
                                static_cast<opus_int32>(packet.size()), samples_.data(), kMostFrames, 0));
}

std::span<const float> PacketDecoder::conceal(int frames) noexcept {
  constexpr int kStep = 120;  // 2.5 ms, of which it makes multiples
  const int whole = std::clamp(frames, 0, kMostFrames) / kStep * kStep;
  return whole == 0 ? std::span<const float>{}
                    : made(opus_decode_float(decoder_.get(), nullptr, 0, samples_.data(), whole, 0));
}

}  // namespace ringwave::client
