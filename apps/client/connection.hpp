// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <chrono>
#include <exception>
#include <string>

#include "ringwave/stream/stream_url.hpp"

namespace ringwave::client {

inline constexpr std::chrono::seconds kAnswerWithin{10};

using Endpoints = boost::asio::ip::tcp::resolver::results_type;

/// Where a server is. Throws DeviceUnavailable for a name that nobody knows.
[[nodiscard]] boost::asio::awaitable<Endpoints> find(const stream::StreamUrl& server);

/// Connects, or throws DeviceUnavailable. The stream's limit is left running for what is asked next.
boost::asio::awaitable<void> connect(boost::beast::tcp_stream& stream, const Endpoints& endpoints,
                                     const std::string& authority);

/// The program's name and version, as HTTP says it. [any]
[[nodiscard]] const char* user_agent() noexcept;

/// What a system's error means for a user, as the end of a sentence. [any]
[[nodiscard]] std::string reason_of(const boost::system::error_code& error);

}  // namespace ringwave::client
