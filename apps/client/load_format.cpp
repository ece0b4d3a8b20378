// SPDX-License-Identifier: Apache-2.0
#include "apps/client/load_format.hpp"

#include "ringwave/core/error.hpp"

namespace ringwave::client {

LoadFormat load_format_of_name(std::string_view name) {
  for (const LoadFormat format : {LoadFormat::socket, LoadFormat::ogg_opus, LoadFormat::mp3})
    if (name == to_string(format)) return format;
  throw InvalidArgument("'" + std::string(name.substr(0, 80)) +
                        "' is no way to listen; use ws, http-opus or http-mp3");
}

std::string_view to_string(LoadFormat format) noexcept {
  switch (format) {
    case LoadFormat::ogg_opus:
      return "http-opus";
    case LoadFormat::mp3:
      return "http-mp3";
    case LoadFormat::socket:
      break;
  }
  return "ws";
}

}  // namespace ringwave::client
