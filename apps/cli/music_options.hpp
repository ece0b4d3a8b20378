// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ringwave/music/preset.hpp"

namespace ringwave::cli {

/// The options that say what is to be composed: a preset, what is changed of it, and a seed.
class MusicOptions {
 public:
  void add_to(CLI::App& command);

  /// What they say together. Throws InvalidArgument and BadFile. [setup]
  [[nodiscard]] music::Preset preset() const;
  [[nodiscard]] std::uint64_t seed() const noexcept { return seed_; }

 private:
  std::string preset_ = "focus";
  std::uint64_t seed_ = 1;
  std::optional<std::string> key_;
  std::optional<std::string> mode_;
  std::optional<double> bpm_;
  std::optional<double> intensity_;
  std::optional<double> complexity_;
  std::optional<double> variety_;
  std::optional<double> density_;
  std::vector<std::string> layers_;
};

}  // namespace ringwave::cli
