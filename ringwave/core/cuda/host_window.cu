// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/cuda/host_window.cuh"

#include <cuda.h>
#include <cuda_runtime.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>

#include "ringwave/core/cpu_profile.hpp"
#include "ringwave/core/cuda/check.cuh"
#include "ringwave/core/cuda/cuda_runtime.cuh"
#include "ringwave/core/cuda/driver_function.cuh"
#include "ringwave/core/cuda/kernel_driver.cuh"
#include "ringwave/core/error.hpp"
#include "ringwave/core/residents.hpp"

namespace ringwave::cuda {
namespace {

struct MemoryFunctions {
  decltype(cuMemGetAllocationGranularity)* granularity =
      driver_function<decltype(cuMemGetAllocationGranularity)>("cuMemGetAllocationGranularity");
  decltype(cuMemCreate)* create = driver_function<decltype(cuMemCreate)>("cuMemCreate");
  decltype(cuMemRelease)* release = driver_function<decltype(cuMemRelease)>("cuMemRelease");
  decltype(cuMemAddressReserve)* reserve =
      driver_function<decltype(cuMemAddressReserve)>("cuMemAddressReserve");
  decltype(cuMemAddressFree)* unreserve = driver_function<decltype(cuMemAddressFree)>("cuMemAddressFree");
  decltype(cuMemMap)* map = driver_function<decltype(cuMemMap)>("cuMemMap");
  decltype(cuMemUnmap)* unmap = driver_function<decltype(cuMemUnmap)>("cuMemUnmap");
  decltype(cuMemSetAccess)* set_access = driver_function<decltype(cuMemSetAccess)>("cuMemSetAccess");
  decltype(cuMemExportToShareableHandle)* to_file =
      driver_function<decltype(cuMemExportToShareableHandle)>("cuMemExportToShareableHandle");

  static const MemoryFunctions& instance() {
    static const MemoryFunctions functions;
    return functions;
  }
};

void require(CUresult result, const char* asked) {
  if (result != CUDA_SUCCESS)
    throw Error(std::string(asked) + " failed with CUDA error " + std::to_string(static_cast<int>(result)));
}

/// A file that is open as long as this lives.
class File {
 public:
  ~File() {
    if (number >= 0) (void)close(number);
  }
  int number = -1;
};

}  // namespace

/// What a window is made of, in the order in which it is made.
struct HostWindow::Pieces {
  Pieces() = default;
  ~Pieces() {
    if (memory == 0) return;  // it is the first
    const MemoryFunctions& cuda = MemoryFunctions::instance();
    if (mapping.file >= 0) KernelDriver::instance().unmap(mapping);
    if (object.device != 0) KernelDriver::instance().release(object);
    if (is_mapped) (void)cuda.unmap(address, bytes);
    if (address != 0) (void)cuda.unreserve(address, bytes);
    (void)cuda.release(memory);
  }
  Pieces(const Pieces&) = delete;  // two sides know its addresses
  Pieces& operator=(const Pieces&) = delete;

  void make(const CudaRuntime& device, std::size_t wanted) {
    if (!stores_whole_lines()) throw Error("this CPU does not store 64 bytes at once (MOVDIR64B)");
    allocate(device.gpu(), wanted);
    File file;
    require(MemoryFunctions::instance().to_file(&file.number, memory,
                                                CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
            "sharing memory");
    KernelDriver& driver = KernelDriver::instance();
    object = driver.adopt(file.number);
    mapping = driver.map(object, bytes, device.profile().pci_bus);
    prove();
  }

  void allocate(int device, std::size_t wanted) {
    const MemoryFunctions& cuda = MemoryFunctions::instance();
    CUmemAllocationProp kind{};
    kind.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    kind.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
    kind.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    std::size_t grain = 0;
    require(cuda.granularity(&grain, &kind, CU_MEM_ALLOC_GRANULARITY_MINIMUM),
            "asking for the size of pages");
    bytes = (std::max<std::size_t>(wanted, 1) + grain - 1) / grain * grain;
    require(cuda.create(&memory, bytes, &kind, 0), "allocating memory that can be shared");
    require(cuda.reserve(&address, bytes, 0, 0, 0), "reserving addresses");
    require(cuda.map(address, bytes, 0, memory, 0), "mapping memory on the GPU");
    is_mapped = true;
    const CUmemAccessDesc access{kind.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    require(cuda.set_access(address, bytes, &access, 1), "mapping memory on the GPU");
    clear();
  }

  void clear() const {
    check(cudaMemset(reinterpret_cast<void*>(address), 0, bytes), "clearing GPU memory");
    check(cudaStreamSynchronize(nullptr), "clearing GPU memory");  // our streams do not wait for that one
  }

  /// What the host stores, the device has.
  void prove() const {
    constexpr std::uint64_t kMark = 0x52696e6777617665;
    auto* const last = reinterpret_cast<std::uint64_t*>(mapping.data + bytes) - 1;
    *const_cast<volatile std::uint64_t*>(last) = kMark;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    std::uint64_t found = 0;
    check(cudaMemcpy(&found, reinterpret_cast<const void*>(address + bytes - sizeof found), sizeof found,
                     cudaMemcpyDeviceToHost),
          "reading GPU memory");
    if (found != kMark) throw Error("what the host stored did not arrive in the memory of the GPU");
    clear();
  }

  CUmemGenericAllocationHandle memory = 0;
  CUdeviceptr address = 0;
  std::size_t bytes = 0;
  bool is_mapped = false;  // at the address
  KernelDriver::Object object{};
  KernelDriver::Mapping mapping{};
};

/// Now, or when nothing is resident any more.
void HostWindow::let_go(Pieces* pieces) noexcept {
  Residents::instance().release(reinterpret_cast<std::uintptr_t>(pieces),
                                [](std::uintptr_t thing) { delete reinterpret_cast<Pieces*>(thing); });
}

std::unique_ptr<HostWindow> HostWindow::open(const CudaRuntime& device, std::size_t bytes,
                                             std::string& why_none) {
  std::unique_ptr<Pieces, void (*)(Pieces*)> pieces(new Pieces, [](Pieces* made) { let_go(made); });
  try {
    pieces->make(device, bytes);
    return std::unique_ptr<HostWindow>(new HostWindow(pieces.release()));
  } catch (const DeviceLost&) {
    throw;
  } catch (const std::exception& error) {
    why_none = error.what();
    return nullptr;
  }
}

HostWindow::HostWindow(Pieces* pieces) noexcept
    : pieces_(pieces),
      host_(pieces->mapping.data),
      device_(reinterpret_cast<std::byte*>(pieces->address)),
      bytes_(pieces->bytes) {}

HostWindow::~HostWindow() {
  let_go(pieces_);
}

}  // namespace ringwave::cuda
