// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "ringwave/core/atomic_file.hpp"

namespace ringwave::io {

/// Where the bytes of an output go: a file that has its name only when it is whole, or a pipe.
class ByteSink {
 public:
  /// Opens `path`; "-" is standard output. A name that belongs to a pipe or a device is written to, not
  /// replaced; of a link, the file behind it is. Once `stop` is set, a wait for a pipe ends with Interrupted.
  /// Throws BadFile. [setup]
  explicit ByteSink(const std::string& path, const std::atomic<bool>* stop = nullptr);
  ~ByteSink();
  ByteSink(const ByteSink&) = delete;  // it owns a descriptor
  ByteSink& operator=(const ByteSink&) = delete;

  /// What messages call it. [any]
  [[nodiscard]] const std::string& name() const noexcept { return name_; }

  /// False for a pipe. [any]
  [[nodiscard]] bool seekable() const noexcept { return file_ != nullptr; }

  /// Writes at the place where it is. Throws BadFile that says why it cannot, Interrupted. [setup]
  void write(std::span<const std::byte> bytes);

  /// Goes to a byte, where seekable(). Throws BadFile. [setup]
  void seek(std::int64_t position);

  /// Gives a file its name. Throws BadFile. [setup]
  void commit();

 private:
  std::string name_;
  const std::atomic<bool>* stop_;
  std::unique_ptr<AtomicFile> file_;
  int descriptor_ = -1;  // of a pipe
};

}  // namespace ringwave::io
