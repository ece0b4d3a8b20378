// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/cuda/kernel_driver.cuh"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "ringwave/core/error.hpp"

namespace ringwave::cuda {
namespace {

// Calls of the driver's control file, and what they take.
constexpr int kFree = 0x29;
constexpr int kControl = 0x2a;
constexpr int kAllocate = 0x2b;
constexpr int kMap = 0x4e;
constexpr int kRegister = 201;

struct Free {
  std::uint32_t client, parent, object, status;
};
struct Control {
  std::uint32_t client, object, command, flags;
  std::uint64_t parameters;
  std::uint32_t bytes, status;
};
struct Allocate {
  std::uint32_t client, parent, object, kind;
  std::uint64_t parameters, rights;
  std::uint32_t bytes, flags, status;
};
struct Map {
  std::uint32_t client, device, memory;
  alignas(8) std::uint64_t offset;
  std::uint64_t length, address;
  std::uint32_t status, flags;
  std::int32_t file;
};
static_assert(sizeof(Control) == 32 && sizeof(Allocate) == 48 && sizeof(Map) == 56, "the driver's own sizes");

// Kinds of objects.
constexpr std::uint32_t kClient = 0x41;
constexpr std::uint32_t kDevice = 0x80;
constexpr std::uint32_t kSubdevice = 0x2080;

struct DeviceParameters {
  std::uint32_t instance, client_share, target_client, target_device, flags;
  alignas(8) std::uint64_t address_space[3];
  std::uint32_t mode;
};

// Controls of a client: what a file holds, and its objects for this client.
constexpr std::uint32_t kDescribeFile = 0x3d08;
constexpr std::uint32_t kImport = 0x3d0c;

struct FileDescription {
  std::int32_t file;
  std::uint32_t device, instance;
  std::uint16_t most_objects;
  std::uint8_t notes[64];
};
struct Import {
  std::int32_t file;
  std::uint32_t parent, objects[128];
  std::uint8_t kinds[128];
  std::uint16_t count, first;
};

template <class T>
bool call(int file, int number, T& parameters) noexcept {
  int result = 0;
  do result = ioctl(file, _IOC(_IOC_READ | _IOC_WRITE, 'F', number, sizeof(T)), &parameters);
  while (result < 0 && errno == EINTR);
  return result == 0;
}

[[noreturn]] void refuse(const std::string& asked, std::uint32_t status) {
  throw Error("the NVIDIA kernel driver refused " + asked + " with status " + std::to_string(status));
}

int open_file(const std::string& name) {
  const int file = open(name.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) throw Error(name + " cannot be opened: " + std::strerror(errno));
  return file;
}

/// The file of the GPU in that slot of the bus.
std::string device_file(const std::string& bus) {
  std::ifstream information("/proc/driver/nvidia/gpus/" + bus + "/information");
  for (std::string line; std::getline(information, line);) {
    constexpr std::string_view kMinor = "Device Minor:";
    if (line.rfind(kMinor, 0) != 0) continue;
    const std::size_t digits = line.find_first_of("0123456789");
    if (digits != std::string::npos) return "/dev/nvidia" + line.substr(digits);
  }
  throw Error("the NVIDIA kernel driver does not say which file is the GPU at " + bus);
}

}  // namespace

KernelDriver& KernelDriver::instance() {
  static KernelDriver& driver = *new KernelDriver;  // whatever is released last still finds it
  return driver;
}

KernelDriver::KernelDriver() : file_(open_file("/dev/nvidiactl")) {
  try {
    client_ = allocate(0, kClient, nullptr, 0);
  } catch (...) {
    (void)close(file_);
    throw;
  }
}

std::uint32_t KernelDriver::allocate(std::uint32_t parent, std::uint32_t kind, void* parameters,
                                     std::size_t bytes) {
  Allocate asked{};
  asked.client = client_;
  asked.parent = parent;
  asked.kind = kind;
  asked.parameters = reinterpret_cast<std::uint64_t>(parameters);
  asked.bytes = static_cast<std::uint32_t>(bytes);
  if (!call(file_, kAllocate, asked) || asked.status != 0)
    refuse("an object of kind " + std::to_string(kind), asked.status);
  return asked.object;
}

void KernelDriver::control(std::uint32_t command, void* parameters, std::size_t bytes) {
  Control asked{};
  asked.client = asked.object = client_;
  asked.command = command;
  asked.parameters = reinterpret_cast<std::uint64_t>(parameters);
  asked.bytes = static_cast<std::uint32_t>(bytes);
  if (!call(file_, kControl, asked) || asked.status != 0)
    refuse("command " + std::to_string(command), asked.status);
}

KernelDriver::Object KernelDriver::adopt(int file) {
  FileDescription description{};
  description.file = file;
  control(kDescribeFile, &description, sizeof description);
  DeviceParameters device{};
  device.instance = description.device;
  Object object;
  object.device = allocate(client_, kDevice, &device, sizeof device);
  try {
    std::uint32_t first = 0;
    (void)allocate(object.device, kSubdevice, &first, sizeof first);
    // Numbers of our choice, apart from those that the driver gives.
    static std::atomic<std::uint32_t> numbers{0x5c000000};
    Import asked{};
    asked.file = file;
    asked.parent = object.device;
    asked.objects[0] = ++numbers;
    asked.count = 1;
    control(kImport, &asked, sizeof asked);
    object.number = asked.objects[0];
  } catch (...) {
    release(object);
    throw;
  }
  return object;
}

KernelDriver::Mapping KernelDriver::map(const Object& object, std::size_t bytes, const std::string& bus) {
  Mapping mapping{.bytes = bytes, .file = open_file(device_file(bus))};
  try {
    std::int32_t ours = file_;
    if (!call(mapping.file, kRegister, ours)) refuse("a file of the GPU", 0);
    Map asked{};
    asked.client = client_;
    asked.device = object.device;
    asked.memory = object.number;
    asked.length = bytes;
    asked.file = mapping.file;
    if (!call(file_, kMap, asked) || asked.status != 0) refuse("to map memory", asked.status);
    void* const data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, mapping.file, 0);
    if (data == MAP_FAILED)
      throw Error(std::string("memory of the GPU cannot be mapped: ") + std::strerror(errno));
    mapping.data = static_cast<std::byte*>(data);
  } catch (...) {
    unmap(mapping);
    throw;
  }
  return mapping;
}

void KernelDriver::unmap(const Mapping& mapping) noexcept {
  if (mapping.data != nullptr) (void)munmap(mapping.data, mapping.bytes);
  if (mapping.file >= 0) (void)close(mapping.file);
}

void KernelDriver::release(const Object& object) noexcept {
  if (object.device == 0) return;
  // With the device goes what hangs on it.
  Free asked{client_, client_, object.device, 0};
  (void)call(file_, kFree, asked);
}

}  // namespace ringwave::cuda
