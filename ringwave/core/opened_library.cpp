// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/opened_library.hpp"

#include <dlfcn.h>

#include <utility>

#include "ringwave/core/error.hpp"

namespace ringwave {

OpenedLibrary::OpenedLibrary(const char* file, const std::string& absent, std::string wanted)
    : file_(file), wanted_(std::move(wanted)), handle_(dlopen(file, RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ == nullptr) throw DeviceUnavailable(absent);
}

void* OpenedLibrary::find(const char* name) const {
  void* function = dlsym(handle_, name);
  if (function == nullptr)
    throw DeviceUnavailable("the " + file_ + " of this machine has no " + name + "; install " + wanted_);
  return function;
}

}  // namespace ringwave
