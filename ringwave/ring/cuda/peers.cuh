// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "ringwave/core/cuda/memory.cuh"
#include "ringwave/ring/cuda/resident_arguments.hpp"
#include "ringwave/ring/kernel_table.hpp"

namespace ringwave::ring::cuda {

/// The kernels of one runtime on one device, the current one, as they see each other. One on another device
/// is none that they could send to. [setup]
inline std::shared_ptr<ringwave::cuda::DeviceArray<Peer>> peers_of(const KernelTable* table, int device) {
  using ringwave::cuda::DeviceArray;
  static std::mutex mutex;
  static std::map<std::pair<const KernelTable*, int>, std::weak_ptr<DeviceArray<Peer>>> all;
  const std::lock_guard lock(mutex);
  std::erase_if(all, [](const auto& entry) { return entry.second.expired(); });
  std::weak_ptr<DeviceArray<Peer>>& known = all[{table, device}];
  auto peers = known.lock();
  if (peers == nullptr) {
    peers = std::make_shared<DeviceArray<Peer>>(std::size_t{KernelTable::kMostKernels} + 1);
    known = peers;
  }
  return peers;
}

}  // namespace ringwave::ring::cuda
