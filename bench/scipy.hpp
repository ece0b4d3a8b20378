// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bench/case.hpp"
#include "bench/coprocess.hpp"

namespace ringwave::bench {

/// SciPy in a Python beside us, on one core, with the noise of noise.hpp in and float32 out. It times itself,
/// so that talking to it is not in the figures.
class Scipy {
 public:
  /// What it does, in Python. `setup` runs once and sees `np` and `signal`; each of `works` is an expression
  /// of `x`, an input of channels x frames.
  struct Job {
    int channels = 1;
    int frames = 0;
    std::size_t sets = 1;  ///< of inputs
    std::string setup{};
    std::vector<std::string> works{};
  };

  /// Starts it and lets it make its inputs. Throws InvalidState where Debian's Python or SciPy is not there.
  /// [setup]
  explicit Scipy(const Job& job);

  /// Does a work with input set `round` modulo the sets; nanoseconds, or NaN when it died. [setup]
  [[nodiscard]] double run(std::size_t work, std::size_t round);

  /// The last values of the first row of what the last work made, complex ones as pairs. [any]
  [[nodiscard]] const std::vector<float>& tail() const noexcept { return tail_; }
  /// The input set of the last work. [any]
  [[nodiscard]] std::size_t last_set() const noexcept { return last_set_; }

 private:
  std::size_t sets_;
  Coprocess python_;
  std::size_t last_set_ = 0;
  std::vector<float> tail_;
};

}  // namespace ringwave::bench
