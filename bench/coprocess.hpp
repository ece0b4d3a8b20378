// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace ringwave::bench {

/// Another program that answers line by line: we write to its standard input and read its standard output.
/// It ends with this object.
class Coprocess {
 public:
  /// Starts `command`, a path and its arguments, with `environment` added to ours. Throws InvalidState where
  /// it cannot be started. [setup]
  explicit Coprocess(const std::vector<std::string>& command,
                     const std::vector<std::string>& environment = {});
  ~Coprocess();
  Coprocess(const Coprocess&) = delete;  // one process, one owner
  Coprocess& operator=(const Coprocess&) = delete;

  /// Sends a line; false when the other side is gone. [setup]
  [[nodiscard]] bool write_line(const std::string& line) noexcept;

  /// Waits for a line; empty when the other side is gone. [setup]
  [[nodiscard]] std::string read_line();

  /// Closes our side, waits for its end and returns its exit status, or -1 where it did not exit by itself.
  /// [setup]
  int finish() noexcept;

 private:
  int socket_ = -1;
  pid_t process_ = -1;
  std::string unread_;
};

}  // namespace ringwave::bench
