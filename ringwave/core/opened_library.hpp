// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ringwave {

/// A library of the machine that is opened when it is first needed, and stays open: one that few need, or
/// that must be the machine's own.
class OpenedLibrary {
 public:
  /// `absent` is the sentence for where there is none; `wanted` says which one to install. Throws
  /// DeviceUnavailable. [setup]
  OpenedLibrary(const char* file, const std::string& absent, std::string wanted);

  /// Finds a function. Throws DeviceUnavailable where the library has none of that name. [setup]
  template <class Function>
  void load(const char* name, Function& function) const {
    function = reinterpret_cast<Function>(find(name));
  }

 private:
  [[nodiscard]] void* find(const char* name) const;

  std::string file_;
  std::string wanted_;
  void* handle_;
};

}  // namespace ringwave
