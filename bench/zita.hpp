// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>

namespace ringwave::bench {

/// zita-convolver, mono, with threads of its own for the long parts: the peer of our convolver.
class Zita {
 public:
  /// Null where it was not there when this was built, or refuses. [setup]
  [[nodiscard]] static std::unique_ptr<Zita> try_make(int block_frames, std::span<const float> taps);
  ~Zita();
  Zita(const Zita&) = delete;  // it owns threads
  Zita& operator=(const Zita&) = delete;

  /// One block, with what its threads owe. [any]
  void process(const float* in, float* out);

 private:
  struct Engine;
  Zita(int block_frames, std::unique_ptr<Engine> engine);

  int block_frames_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace ringwave::bench
