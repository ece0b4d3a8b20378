// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>

#include "apps/server/handover.hpp"
#include "apps/server/http_words.hpp"
#include "apps/server/office.hpp"
#include "apps/server/request_head.hpp"
#include "apps/server/shard.hpp"

namespace ringwave::server {

/// A connection that speaks HTTP: requests one after another, each with a bounded size and time, until one of
/// them is for a stream. Nobody holds it open by being slow.
class HttpConnection final : public Member {
 public:
  static constexpr std::chrono::seconds kHeadTime{10};
  static constexpr std::chrono::seconds kBodyTime{30};
  static constexpr std::chrono::seconds kIdleTime{60};  ///< between requests
  static constexpr std::chrono::seconds kWriteTime{10};

  HttpConnection(Shard& shard, Services& services, Office& office, Socket socket, ConnectionSlot slot);

  /// Answers until the connection is over, or a stream. [server]
  Task<std::optional<Handover>> run();

  void on_second(Time now) override;
  void on_end() override;

 private:
  enum class Next : unsigned char { request, close, stream };

  /// One request and its answer. Nothing of it is there for the next one.
  struct Exchange {
    HttpParser parser{};
    Request request{};
    Match match{};
    AccessEntry::Time began{};  ///< when its head had come
    Time began_ticks{};
    bool keeps_open = false;  ///< the client wants to go on, and it is clear where its next request begins
  };

  Task<Next> exchange(std::optional<Handover>& handover);
  Task<error_code> receive_head(HeadScanner& scanner, std::optional<HeadFault>& fault);
  std::optional<HeadFault> take_head(Exchange& now, const HeadScanner& scanner);
  Task<error_code> read_body(Exchange& now);
  /// The answer of a request that goes no further; nothing where it does.
  std::optional<Answer> turn_away(Exchange& now);
  std::optional<Answer> hand_over(Exchange& now, std::optional<Handover>& handover);
  void require_access(Exchange& now) const;
  Task<Next> refuse(const Exchange& now, const Answer& answer);
  Task<bool> reply(const Exchange& now, const Answer& answer);
  Task<bool> send_file(const Exchange& now, const Answer& answer);
  /// Tells the access log.
  void record(const Exchange& now, const Answer& answer, std::uint64_t bytes) const;
  /// Reads on for a moment, so that who still sends gets to read the answer before the connection is cut.
  Task<> linger();
  void set_deadline(std::chrono::seconds time) { deadline_ = std::chrono::steady_clock::now() + time; }

  Services& services_;
  Office& office_;
  Socket socket_;
  ConnectionSlot slot_;
  beast::flat_buffer buffer_;
  Time deadline_ = Time::max();
  bool is_new_ = true;
  bool is_ending_ = false;
};

}  // namespace ringwave::server
