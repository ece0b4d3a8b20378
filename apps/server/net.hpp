// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/error_code.hpp>

namespace ringwave::server {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

/// The words of the network side. All of a connection happens in one io_context, which one thread runs, so
/// that nothing here needs a lock or a strand, and no executor's type is erased.
using Executor = asio::io_context::executor_type;
using Socket = asio::basic_stream_socket<tcp, Executor>;

template <class T = void>
using Task = asio::awaitable<T, Executor>;

/// Waits for an operation; what went wrong is the first of what it gives.
inline constexpr asio::as_tuple_t<asio::use_awaitable_t<Executor>> as_result{};

}  // namespace ringwave::server
