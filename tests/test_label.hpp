// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cctype>
#include <ostream>
#include <string>

#include "ringwave/core/device.hpp"

namespace ringwave {

/// A text as GoogleTest takes it for the name of a test: "cuda:0" as "cuda_0".
[[nodiscard]] inline std::string test_label(std::string text) {
  for (char& letter : text)
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
  return text;
}

/// As GoogleTest shows a device in a message.
inline void PrintTo(const Device& device, std::ostream* out) {
  *out << device.name();
}

[[nodiscard]] inline std::string device_label(const Device& device) {
  return test_label(device.name());
}

}  // namespace ringwave
