// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "ringwave/stream/buffer_tier.hpp"
#include "ringwave/stream/frame_header.hpp"
#include "ringwave/stream/stream_url.hpp"

namespace ringwave::client {

/// What a server says first.
struct Hello {
  std::string version;
  double target_seconds = 0.5;
  std::uint32_t frame_frames = 960;
};

/// What a StreamClient tells its owner, all on the thread that runs it. What these throw ends the client.
class StreamEvents {
 public:
  using Time = std::chrono::steady_clock::time_point;

  virtual ~StreamEvents() = default;
  virtual void connecting() = 0;
  virtual void greeted(const Hello& hello) = 0;
  /// One message of audio; the payload is gone afterwards.
  virtual void frame(const stream::FrameHeader& header, std::span<const std::byte> payload, Time at) = 0;
  /// How much is to be kept in hand from now on.
  virtual void set_target(double seconds) = 0;
  /// A sentence for the user: a warning of the server's, a connection that was lost.
  virtual void say(const std::string& sentence) = 0;
  /// What the server is told about the buffer.
  virtual stream::BufferControl::Report report() = 0;
};

/// One listener of a station, over a WebSocket. A connection that is lost is made again after 100 ms, then
/// 200 and so on up to 5 s; one that could not be made at all, or that the server refuses, is not.
class StreamClient {
 public:
  struct Spec {
    stream::StreamUrl station;  ///< and the token
    stream::FrameHeader::Codec codec = stream::FrameHeader::Codec::opus;
    bool reconnects = true;
  };

  /// Nothing happens before run_for(). `events` outlives it. [setup]
  StreamClient(Spec spec, StreamEvents& events);
  ~StreamClient();
  StreamClient(const StreamClient&) = delete;  // its coroutine holds its address
  StreamClient& operator=(const StreamClient&) = delete;

  /// Works for that long, and not longer than until it is over. Throws DeviceUnavailable where the server is
  /// not reached or goes, InvalidArgument where it refuses, and what the events throw. [setup]
  void run_for(std::chrono::milliseconds time);
  [[nodiscard]] bool is_over() const noexcept;

  /// Says goodbye; is_over() soon afterwards. [setup]
  void stop();

 private:
  class Session;
  std::unique_ptr<Session> session_;
};

}  // namespace ringwave::client
