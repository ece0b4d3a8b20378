// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apps/server/config.hpp"

namespace ringwave::server {

/// `ringwave serve`: stations over HTTP and WebSocket, and the page to listen to them.
///
///   Server server(config);
///   std::printf("listening on %s\n", server.url().c_str());
///   server.run();
class Server {
 public:
  /// Opens everything, and listens. Throws InvalidArgument where the port is taken, BadFile for the data
  /// folder, DeviceUnavailable. [setup]
  explicit Server(const ServerConfig& config);
  ~Server();
  Server(const Server&) = delete;  // its threads hold it by reference
  Server& operator=(const Server&) = delete;

  /// The port it listens at. [any]
  [[nodiscard]] int port() const noexcept;
  /// "http://127.0.0.1:8080". [any]
  [[nodiscard]] std::string url() const;

  /// Serves until drain() is through, or stop(). SIGTERM, SIGINT and SIGHUP drain; a second one stops.
  /// [setup]
  void run();
  /// Takes nobody more, tells those who listen, fades out after the configured time, and ends. [any]
  void drain();
  /// Ends at once. [any]
  void stop();

 private:
  class House;
  std::unique_ptr<House> house_;
};

/// Tries what a server with this configuration needs, without serving: the data folder, the port, the device,
/// the page. Gives what it would do, a line each. Throws as Server. [setup]
[[nodiscard]] std::vector<std::string> check(const ServerConfig& config);

}  // namespace ringwave::server
