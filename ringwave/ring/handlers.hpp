// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "ringwave/ring/handler.hpp"

namespace ringwave::ring {

/// The handlers of this process, by name. Thread-safe.
class Handlers {
 public:
  /// Those of the library, with their CUDA parts where the module fits, and those that were added. [setup]
  [[nodiscard]] static Handlers& instance();

  /// Adds a handler. The same source may be compiled by two compilers: of two entries of one name and state,
  /// where nvcc made one of them, the first gets the CUDA part. Throws InvalidArgument for an empty name and
  /// for one that is taken. [setup]
  void add(HandlerEntry entry);

  /// The handler of that name. Throws InvalidArgument, with the names there are. [setup]
  [[nodiscard]] HandlerEntry find(std::string_view name) const;

  /// [setup]
  [[nodiscard]] std::vector<HandlerEntry> all() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, HandlerEntry, std::less<>> entries_;
};

}  // namespace ringwave::ring
