// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/parity/signal.hpp"

namespace ringwave::golden {

/// tests/data/<op> in the source tree; packaged tests say with RINGWAVE_TEST_DATA where it went.
[[nodiscard]] inline std::filesystem::path data_folder(const std::string& op) {
  const char* moved = std::getenv("RINGWAVE_TEST_DATA");
  return std::filesystem::path(moved != nullptr && *moved != '\0' ? moved : RINGWAVE_TEST_DATA) / op;
}

/// What make_<op>.py wrote down beside its files; null where it is missing.
[[nodiscard]] inline nlohmann::json read_index(const std::string& op) {
  std::ifstream file(data_folder(op) / "index.json");
  return file ? nlohmann::json::parse(file) : nlohmann::json();
}

/// All floats of a file, which must be `count`.
[[nodiscard]] inline std::vector<float> read_floats(const std::string& op, const std::string& name,
                                                    std::size_t count) {
  std::vector<float> values(count);
  const auto path = data_folder(op) / (name + ".f32");
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(count * sizeof(float)));
  if (!file || file.peek() != std::ifstream::traits_type::eof())
    throw std::runtime_error(path.string() + " is missing or has another length; run make_" + op + ".py");
  return values;
}

/// The same as channels that follow each other.
[[nodiscard]] inline parity::Signal read_signal(const std::string& op, const std::string& name, int channels,
                                                int frames) {
  parity::Signal signal(channels, frames);
  std::ranges::copy(read_floats(op, name, signal.memory().size()), signal.memory().begin());
  return signal;
}

}  // namespace ringwave::golden
