// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/stream_format.hpp"

namespace ringwave::io {

std::string_view to_string(StreamFormat format) noexcept {
  switch (format) {
    case StreamFormat::pcm:
      return "pcm";
    case StreamFormat::opus:
      return "opus";
    case StreamFormat::ogg_opus:
      return "ogg_opus";
    case StreamFormat::mp3:
      return "mp3";
    case StreamFormat::flac:
      return "flac";
    case StreamFormat::wav:
      return "wav";
  }
  return "unknown";
}

std::optional<StreamFormat> stream_format_of_ending(std::string_view ending) noexcept {
  if (ending == "opus") return StreamFormat::ogg_opus;
  if (ending == "mp3") return StreamFormat::mp3;
  if (ending == "flac") return StreamFormat::flac;
  if (ending == "wav") return StreamFormat::wav;
  return std::nullopt;
}

std::string_view content_type(StreamFormat format) noexcept {
  switch (format) {
    case StreamFormat::ogg_opus:
      return "audio/ogg";
    case StreamFormat::mp3:
      return "audio/mpeg";
    case StreamFormat::flac:
      return "audio/flac";
    case StreamFormat::wav:
      return "audio/wav";
    case StreamFormat::pcm:
    case StreamFormat::opus:
      break;  // not for players: what they are is agreed upon elsewhere
  }
  return "application/octet-stream";
}

}  // namespace ringwave::io
