// SPDX-License-Identifier: Apache-2.0
#include "apps/server/outflow.hpp"

#include <algorithm>
#include <boost/asio/write.hpp>

namespace ringwave::server {

Outflow::Outflow(Socket& socket, Count& sent) : socket_(socket), sent_(sent) {
  error_code ignored;
  socket_.non_blocking(true, ignored);
}

bool Outflow::send(std::span<const asio::const_buffer> pieces) {
  error_code error;
  std::size_t taken = socket_.write_some(pieces, error);
  if (error && error != asio::error::would_block) return false;
  sent_.add(taken);
  bytes_ += taken;
  for (const asio::const_buffer& piece : pieces) {
    const std::size_t skipped = std::min(taken, piece.size());
    taken -= skipped;
    const auto* const bytes = static_cast<const std::byte*>(piece.data());
    rest_.insert(rest_.end(), bytes + skipped, bytes + piece.size());
  }
  return true;
}

Task<bool> Outflow::flush() {
  const auto [error, bytes] = co_await asio::async_write(socket_, asio::buffer(rest_), as_result);
  sent_.add(bytes);
  bytes_ += bytes;
  rest_ = {};  // it is seldom needed: its memory goes
  co_return !error;
}

}  // namespace ringwave::server
