// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ringwave/io/stream_encoder.hpp"

namespace ringwave::io {

/// What make_stream_encoder() chooses from, one for each library. The spec's block, title and bitrate are in
/// range; each looks for itself whether its format has that rate, those packets and just that bitrate. Throw
/// InvalidArgument where not, Error where the library fails. [setup]
[[nodiscard]] std::unique_ptr<StreamEncoder> make_opus_stream_encoder(const StreamEncoder::Spec& spec);
[[nodiscard]] std::unique_ptr<StreamEncoder> make_ogg_opus_stream_encoder(const StreamEncoder::Spec& spec);
[[nodiscard]] std::unique_ptr<StreamEncoder> make_mp3_stream_encoder(const StreamEncoder::Spec& spec);
[[nodiscard]] std::unique_ptr<StreamEncoder> make_flac_stream_encoder(const StreamEncoder::Spec& spec);

/// Throws InvalidArgument for a block that has not the spec's length. [any]
void require_block(std::span<const std::int16_t> block, const StreamEncoder::Spec& spec);

/// Appends what a library made. [any]
inline void append(std::vector<std::byte>& out, std::span<const std::byte> bytes) {
  out.insert(out.end(), bytes.begin(), bytes.end());
}

}  // namespace ringwave::io
