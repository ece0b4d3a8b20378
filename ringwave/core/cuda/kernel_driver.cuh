// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace ringwave::cuda {

/// NVIDIA's kernel driver, below CUDA, as far as a HostWindow needs it: it takes memory that CUDA has given
/// out as a file, and maps it for the host.
///
/// The driver's headers are public, and these few calls have been the same for years. It checks the size of
/// everything that it is handed; what another version refuses is an Error.
class KernelDriver {
 public:
  /// Memory that the driver knows by a number, on a GPU.
  struct Object {
    std::uint32_t device = 0;
    std::uint32_t number = 0;
  };
  /// Where the host sees it, and the file that this hangs on.
  struct Mapping {
    std::byte* data = nullptr;
    std::size_t bytes = 0;
    int file = -1;
  };

  /// Of this process. Throws Error where it does not answer. [setup]
  [[nodiscard]] static KernelDriver& instance();

  /// The memory behind a file of cuMemExportToShareableHandle(), for this process as well. Throws Error.
  /// [setup]
  [[nodiscard]] Object adopt(int file);
  /// Of the GPU in that slot of the bus: "0000:00:06.0". Throws Error. [setup]
  [[nodiscard]] Mapping map(const Object& object, std::size_t bytes, const std::string& bus);

  void unmap(const Mapping& mapping) noexcept;
  void release(const Object& object) noexcept;

 private:
  KernelDriver();
  std::uint32_t allocate(std::uint32_t parent, std::uint32_t kind, void* parameters, std::size_t bytes);
  void control(std::uint32_t command, void* parameters, std::size_t bytes);

  int file_;
  std::uint32_t client_ = 0;
};

}  // namespace ringwave::cuda
