// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace ringwave::cuda {

/// Which GPU and which context each device is: every GPU once, in the context that CUDA's runtime has of it.
///
/// With RINGWAVE_CUDA_CONTEXTS=N in the environment every GPU is N devices, each with a context of its own:
/// so what goes on between several GPUs is tried on one. Contexts share no memory, and take turns of a
/// millisecond or more, so that nothing is quick there.
class Contexts {
 public:
  /// Of this process. Throws InvalidArgument for a number that is none, Error where CUDA makes no context.
  /// [setup]
  [[nodiscard]] static const Contexts& instance();

  /// How many devices there are. [any]
  [[nodiscard]] int devices() const noexcept { return static_cast<int>(gpus_.size()); }
  /// True where there is one, in CUDA's own context. [any]
  [[nodiscard]] bool is_alone() const noexcept { return gpus_.size() == 1 && own_.empty(); }
  /// The number that CUDA has for a device's GPU. [any]
  [[nodiscard]] int gpu(int device) const noexcept { return gpus_[static_cast<std::size_t>(device)]; }

  /// Makes a device the calling thread's current one; returns which one was before. [audio]
  [[nodiscard]] void* enter(int device) const noexcept;
  /// Makes that the current one again. [audio]
  void leave(int device, void* before) const noexcept;

 private:
  Contexts();

  std::vector<int> gpus_;
  std::vector<void*> own_;  // contexts, in the order of devices; empty where CUDA's are used
};

}  // namespace ringwave::cuda
