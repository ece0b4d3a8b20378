// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ringwave::io {

/// The bytes of an input: of a file, or of a pipe.
///
/// A file can be read anywhere. Of a pipe the first kHeadBytes are kept, so that a header can be read back
/// and forth; after them it is only read on. spool() makes a file of a pipe.
class ByteSource {
 public:
  static constexpr std::int64_t kHeadBytes = 1 << 20;

  /// Opens `path`; "-" is standard input. Once `stop` is set, a wait for a pipe ends with Interrupted. Throws
  /// BadFile. [setup]
  explicit ByteSource(const std::string& path, const std::atomic<bool>* stop = nullptr);
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;  // it owns a descriptor
  ByteSource& operator=(const ByteSource&) = delete;

  /// What messages call it. [any]
  [[nodiscard]] const std::string& name() const noexcept { return name_; }

  /// Bytes in all; nothing where it is a pipe. [any]
  [[nodiscard]] std::optional<std::int64_t> size() const noexcept { return size_; }

  [[nodiscard]] std::int64_t position() const noexcept { return position_; }

  /// Goes to a byte. False, and nothing changed, where a pipe cannot. Throws as read(). [setup]
  bool seek(std::int64_t position);

  /// Reads until `bytes` is full or the end is there; how many it read. Throws BadFile, Interrupted. [setup]
  std::size_t read(std::span<std::byte> bytes);

  /// Copies the rest of a pipe into a temporary file without a name. Throws BadFile, Interrupted. [setup]
  void spool();

 private:
  void fill_head(std::int64_t bytes);
  std::size_t read_descriptor(std::span<std::byte> bytes);
  std::size_t read_head(std::span<std::byte> bytes);

  std::string name_;
  const std::atomic<bool>* stop_;
  int descriptor_;
  std::int64_t begin_ = 0;  // where in its descriptor the source begins
  std::optional<std::int64_t> size_;
  std::int64_t position_ = 0;
  std::vector<std::byte> head_;  // of a pipe
};

}  // namespace ringwave::io
