// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/module.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "ringwave/core/error.hpp"
#include "ringwave/core/version.hpp"

namespace ringwave {

Module::Module(const std::string& path) {
  std::error_code ignored;  // a path that cannot be looked at is not there either
  if (!std::filesystem::exists(path, ignored))
    throw DeviceUnavailable(
        "the CUDA module " + path +
        " is not there; build where nvcc is installed, or use a package that contains it");
  // Absolute, because dlopen() looks for a bare name in the system's folders instead.
  void* handle = dlopen(std::filesystem::absolute(path).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr)
    throw DeviceUnavailable("the CUDA module cannot be opened: " + std::string(dlerror()));
  using Entry = const ModuleInterface* (*)();
  const auto entry = reinterpret_cast<Entry>(dlsym(handle, "ringwave_module"));
  const ModuleInterface* found = entry != nullptr ? entry() : nullptr;
  if (found == nullptr || found->magic != ModuleInterface::kMagic || found->version == nullptr)
    throw DeviceUnavailable(path + " is not a Ringwave module; remove it, or correct RINGWAVE_CUDA_MODULE");
  if (found->version != std::string_view(kVersion))
    throw DeviceUnavailable("the CUDA module " + path + " is of Ringwave " + found->version + ", this is " +
                            kVersion + "; install both from the same package");
  interface_ = found;
}

std::string Module::cuda_path() {
  constexpr const char* kFile = "libringwave_cuda.so";
  if (const char* path = std::getenv("RINGWAVE_CUDA_MODULE"); path != nullptr && *path != '\0') return path;
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&Module::cuda_path), &info) == 0 || info.dli_fname == nullptr)
    return kFile;
  return std::filesystem::path(info.dli_fname).parent_path() / kFile;
}

}  // namespace ringwave
