// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ringwave::ring {

/// The ids of the last messages, to tell one that comes again.
class DuplicateWindow {
 public:
  /// Remembers so many; 0: none, and then nothing is a duplicate. [setup]
  explicit DuplicateWindow(std::size_t size) : ids_(size) {}

  /// True for an id that is remembered; any other is from now on. 0 is no id. [ring]
  [[nodiscard]] bool is_duplicate(std::uint64_t id) noexcept {
    if (ids_.empty()) return false;
    for (const std::uint64_t known : ids_)
      if (known == id) return true;
    ids_[next_] = id;
    next_ = next_ + 1 == ids_.size() ? 0 : next_ + 1;
    return false;
  }

 private:
  std::vector<std::uint64_t> ids_;
  std::size_t next_ = 0;
};

}  // namespace ringwave::ring
