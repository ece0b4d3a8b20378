// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ringwave::io {

/// Which loudspeakers the channels are for, a bit for each as in WAVE's dwChannelMask; 0 where nobody knows.
///
/// Everywhere in Ringwave the channels of a frame lie in the order of these bits: front left and right,
/// front centre, low frequencies, back left and right, ..., side left and right. Files that have another
/// order are put right as they are read and written.
using Speakers = std::uint32_t;

inline constexpr Speakers kSideLeftAndRight = 0x600;
inline constexpr Speakers kBackLeftAndRight = 0x30;

/// What so many channels are taken for where nothing is said: mono, stereo, 3.0, quadraphonic, 5.0, 5.1, 6.1
/// and 7.1, as FLAC, Vorbis and Opus have them; 0 for more. [any]
[[nodiscard]] Speakers usual_speakers(int channels) noexcept;

/// Whether `speakers` are the usual ones, or have only the side where those have the back. [any]
[[nodiscard]] bool are_usual(Speakers speakers, int channels) noexcept;

/// Where the channels of a stream come from or go to: its channel c is our channel order[c].
using ChannelOrder = std::vector<int>;

/// The order that the Vorbis I specification (4.3.9) and RFC 7845 (5.1.1.2) give a stream; empty where it is
/// ours, and beyond 8 channels, which have none. [setup]
[[nodiscard]] ChannelOrder vorbis_order(int channels);

/// The order of a stream whose channels are for these single speakers, a bit each; nothing where one is
/// unknown or there twice. [setup]
[[nodiscard]] std::optional<ChannelOrder> order_of(std::span<const Speakers> stream);

/// From the stream's order to ours, in place. Nothing is done where `order` is empty. [setup]
void from_stream(const ChannelOrder& order, std::span<float> interleaved);

/// From our order to the stream's, in place. [setup]
void to_stream(const ChannelOrder& order, std::span<float> interleaved);

}  // namespace ringwave::io
