// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/cuda/cuda_runtime.cuh"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>

#include "ringwave/core/cuda/check.cuh"
#include "ringwave/core/cuda/contexts.cuh"
#include "ringwave/core/cuda/cuda_queue.cuh"
#include "ringwave/core/cuda/device_scope.cuh"
#include "ringwave/core/cuda/host_window.cuh"
#include "ringwave/core/cuda/memory.cuh"
#include "ringwave/core/cuda/stream.cuh"
#include "ringwave/core/cuda/stream_event.cuh"
#include "ringwave/core/nvml.hpp"

namespace ringwave::cuda {
namespace {

std::string uuid_text(const cudaUUID_t& uuid) {
  std::string text = "GPU-";
  constexpr char kDigits[] = "0123456789abcdef";
  for (int i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    const auto byte = static_cast<unsigned char>(uuid.bytes[i]);
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

DeviceProfile read_profile(int index) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, index),
        "reading the properties of cuda:" + std::to_string(index));
  DeviceProfile profile;
  profile.name = properties.name;
  profile.memory_bytes = properties.totalGlobalMem;
  profile.cores = properties.multiProcessorCount;
  profile.instruction_set = "sm_" + std::to_string(properties.major * 10 + properties.minor);
  profile.cache_bytes = {properties.sharedMemPerMultiprocessor,
                         static_cast<std::uint64_t>(properties.l2CacheSize)};
  profile.driver = read_gpu_driver_version();
  profile.uuid = uuid_text(properties.uuid);
  char bus[32] = {};
  if (cudaDeviceGetPCIBusId(bus, sizeof bus, index) == cudaSuccess) profile.pci_bus = bus;
  std::ranges::transform(profile.pci_bus, profile.pci_bus.begin(),
                         [](unsigned char c) { return std::tolower(c); });
  return profile;
}

/// Gigabytes a second that the best of five copies moves; each byte counts `times`.
double copy_rate(void* to, const void* from, std::size_t bytes, double times, cudaStream_t stream) {
  const StreamEvent begin = StreamEvent::with_time();
  const StreamEvent end = StreamEvent::with_time();
  float best_ms = 1e9F;
  for (int round = 0; round < 6; ++round) {
    check(cudaEventRecord(begin.get(), stream), "recording an event");
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream), "copying");
    check(cudaEventRecord(end.get(), stream), "recording an event");
    check(cudaEventSynchronize(end.get()), "waiting for a copy");
    float ms = 0;
    check(cudaEventElapsedTime(&ms, begin.get(), end.get()), "timing a copy");
    if (round > 0) best_ms = std::min(best_ms, ms);
  }
  return times * static_cast<double>(bytes) / (static_cast<double>(best_ms) * 1e6);
}

}  // namespace

CudaRuntime::CudaRuntime(int index, int gpu) : index_(index), gpu_(gpu), profile_(read_profile(gpu)) {}

CudaRuntime& CudaRuntime::of(Device device) {
  if (device.lost())
    throw DeviceLost(device.name() + " has failed earlier in this process; prepare on another device");
  return static_cast<CudaRuntime&>(device.runtime());
}

Bandwidth CudaRuntime::measure_bandwidth() {
  const DeviceScope scope(index_);
  constexpr std::size_t kHostBytes = std::size_t{64} << 20;
  constexpr std::size_t kDeviceBytes = std::size_t{1} << 30;  // many times the second-level cache
  const std::size_t device_bytes = std::min<std::size_t>(kDeviceBytes, memory().free_bytes / 8);
  const DeviceArray<std::byte> a(device_bytes);
  const DeviceArray<std::byte> b(device_bytes);
  const PinnedArray<std::byte> host(std::min(kHostBytes, device_bytes));
  const Stream stream;
  return {.memory_gbs = copy_rate(b.data(), a.data(), device_bytes, 2, stream.get()),
          .host_to_device_gbs = copy_rate(a.data(), host.data(), host.size(), 1, stream.get()),
          .device_to_host_gbs = copy_rate(host.data(), a.data(), host.size(), 1, stream.get())};
}

MemoryInfo CudaRuntime::memory() const {
  const DeviceScope scope(index_);
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total), "asking cuda:" + std::to_string(index_) + " for its memory");
  return {free, total};
}

Sensors CudaRuntime::sensors() const {
  return read_gpu_sensors(profile_.pci_bus);
}

std::string CudaRuntime::why_no_window() {
  const DeviceScope scope(index_);
  std::string why_none;
  (void)HostWindow::open(*this, 1, why_none);
  return why_none;
}

void* CudaRuntime::allocate(std::size_t bytes) {
  const DeviceScope scope(index_);
  void* memory = nullptr;
  require(cudaMalloc(&memory, bytes),
          "allocating " + std::to_string(bytes) + " bytes on cuda:" + std::to_string(index_));
  return memory;
}

void CudaRuntime::release(void* memory) noexcept {
  const DeviceScope scope(index_);
  free_device(memory);
}

void* CudaRuntime::allocate_pinned(std::size_t bytes) {
  const DeviceScope scope(index_);
  void* memory = nullptr;
  require(cudaHostAlloc(&memory, bytes, cudaHostAllocMapped | cudaHostAllocPortable),
          "pinning " + std::to_string(bytes) + " bytes for cuda:" + std::to_string(index_));
  return memory;
}

void CudaRuntime::release_pinned(void* memory) noexcept {
  free_pinned(memory);
}

std::unique_ptr<QueueRuntime> CudaRuntime::make_queue(std::size_t depth) {
  const DeviceScope scope(index_);
  return std::make_unique<CudaQueue>(*this, depth);
}

Status CudaRuntime::note(cudaError_t error) noexcept {
  if (error == cudaSuccess) return Status::ok;
  (void)cudaGetLastError();
  if (is_fatal(error)) lost_.store(true, std::memory_order_release);
  return Status::device_lost;
}

void CudaRuntime::require(cudaError_t error, const std::string& asked) {
  (void)note(error);
  check(error, asked);
}

std::vector<std::unique_ptr<DeviceRuntime>> open_devices(std::string& why_none) {
  std::vector<std::unique_ptr<DeviceRuntime>> devices;
  if (void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL); driver == nullptr) {
    why_none = "there is no NVIDIA driver on this machine (libcuda.so.1 is not installed)";
    return devices;
  }
  // To load a kernel at its first use CUDA waits for all work of the device, which never ends where a ring
  // kernel is resident. Loading all of them now takes no time that one could measure.
  (void)setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  int count = 0;
  if (const cudaError_t error = cudaGetDeviceCount(&count); error != cudaSuccess) {
    why_none =
        std::string("the NVIDIA driver offers no GPU that this build can use: ") + cudaGetErrorString(error);
    return devices;
  }
  try {
    const Contexts& contexts = Contexts::instance();
    for (int index = 0; index < contexts.devices(); ++index)
      devices.push_back(std::make_unique<CudaRuntime>(index, contexts.gpu(index)));
  } catch (const Error& error) {
    why_none = error.what();
    return {};
  }
  if (devices.empty()) why_none = "the NVIDIA driver is there, but it sees no GPU";
  return devices;
}

}  // namespace ringwave::cuda
