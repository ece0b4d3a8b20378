// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "ringwave/io/icecast_output.hpp"
#include "ringwave/stream/studio.hpp"

namespace ringwave::server {

/// Sends one station to an Icecast server as long as it lives, on a thread of its own. When the server goes,
/// it comes back to it, after a pause that doubles from one second to a minute.
class IcecastFeed {
 public:
  struct Spec {
    io::IcecastAddress address;
    std::string station;                             ///< made where there is none
    std::function<void(const std::string&)> report;  ///< what happens, in a sentence
  };

  IcecastFeed(stream::Studio& studio, Spec spec);
  ~IcecastFeed();
  IcecastFeed(const IcecastFeed&) = delete;  // its thread holds it by reference
  IcecastFeed& operator=(const IcecastFeed&) = delete;

 private:
  void run();
  void claim();
  void feed();
  /// True where it is over.
  bool rest(double seconds);

  stream::Studio& studio_;
  Spec spec_;
  std::mutex mutex_;
  std::condition_variable over_changed_;
  bool is_over_ = false;
  bool has_fed_ = false;  // since it was last refused
  std::thread thread_;
};

}  // namespace ringwave::server
