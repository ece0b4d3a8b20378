// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "ringwave/io/playback_ring.hpp"

namespace ringwave::io {

/// A stereo output of this machine, through a JACK server or PipeWire, which offers the same library.
///
///   JackOutput output("ringwave", 0.2);
///   …                                    // another thread fills output.ring()
///   output.start();
///
/// The server's own thread takes frames from the ring and does nothing else.
class JackOutput {
 public:
  /// Joins the server that runs; never starts one. The ring's lead is so many seconds. Throws
  /// DeviceUnavailable where there is no library or no server. [setup]
  JackOutput(const std::string& client_name, double lead_seconds);
  ~JackOutput();
  JackOutput(const JackOutput&) = delete;  // the server's thread holds its address
  JackOutput& operator=(const JackOutput&) = delete;

  /// What is to be played. [any]
  [[nodiscard]] PlaybackRing& ring() noexcept;

  /// Connects to the first playback ports and begins to play. False where the server has no such ports: it
  /// plays all the same, and can be connected by name(). Once. Throws DeviceUnavailable where the server
  /// refuses. [setup]
  bool start();

  /// By which the server knows it; the ports are NAME:left and NAME:right. [any]
  [[nodiscard]] std::string name() const;
  [[nodiscard]] int sample_rate_hz() const noexcept;
  /// The server has gone away, and nothing is played any more. [any]
  [[nodiscard]] bool is_gone() const noexcept;
  /// Blocks that the server or one of its clients was late for, since start(). [any]
  [[nodiscard]] std::int64_t xruns() const noexcept;

 private:
  struct Client;
  std::unique_ptr<Client> client_;
};

}  // namespace ringwave::io
