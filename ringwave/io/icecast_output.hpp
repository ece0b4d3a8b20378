// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "ringwave/io/stream_format.hpp"

namespace ringwave::io {

/// Where a stream is sent: a mount point of an Icecast server.
struct IcecastAddress {
  std::string user = "source";
  std::string password;
  std::string host;
  int port = 8000;
  std::string mount;  ///< with the slash: "/night.opus"
  StreamFormat format = StreamFormat::ogg_opus;

  /// From icecast://[USER:]PASSWORD@HOST[:PORT]/MOUNT, whose mount ends in .opus or .mp3. Throws
  /// InvalidArgument, without the password in its sentence. [setup]
  [[nodiscard]] static IcecastAddress parse(std::string_view url);

  /// What people may see: icecast://HOST:PORT/MOUNT. [any]
  [[nodiscard]] std::string text() const;
};

/// A stream to an Icecast 2 server.
class IcecastOutput {
 public:
  /// Connects, for at most kConnectSeconds. Throws Error that says why it cannot. [setup]
  IcecastOutput(const IcecastAddress& address, const std::string& title);
  ~IcecastOutput();
  IcecastOutput(const IcecastOutput&) = delete;  // one connection
  IcecastOutput& operator=(const IcecastOutput&) = delete;

  /// Whole pages or frames; waits for nothing. Throws Error where the server has gone, or is kMostWaiting
  /// bytes behind. [setup]
  void send(std::span<const std::byte> bytes);

  static constexpr double kConnectSeconds = 5;
  static constexpr long kMostWaiting = 1 << 20;

 private:
  struct Connection;
  std::unique_ptr<Connection> connection_;
};

}  // namespace ringwave::io
