// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <optional>
#include <utility>

#include "apps/server/answer.hpp"
#include "apps/server/net.hpp"
#include "ringwave/core/thread_name.hpp"

namespace ringwave::server {

/// One thread that makes answers. It may wait for a disk; the shards, which carry the music, may not.
class Office {
 public:
  /// Starts its thread. [setup]
  Office() {
    asio::post(*pool_, [] { name_thread("answers"); });
  }

  /// Ends after the answer that is being made; those who wait for others are forgotten. [setup]
  void close() { pool_.reset(); }

  /// What `make` gives, made by that thread; the caller goes on where it was. [server]
  template <class Make>
  Task<Answer> answer(Make make) {
    return asio::async_initiate<const asio::use_awaitable_t<Executor>, void(Answer)>(
        [this](auto handler, Make work) {
          auto executor = asio::get_associated_executor(handler);
          auto guard = asio::make_work_guard(executor);
          asio::post(*pool_, [handler = std::move(handler), work = std::move(work),
                              guard = std::move(guard)]() mutable {
            Answer made = work();
            asio::post(guard.get_executor(),
                       [handler = std::move(handler), made = std::move(made)]() mutable {
                         std::move(handler)(std::move(made));
                       });
          });
        },
        use_task_, std::move(make));
  }

 private:
  asio::use_awaitable_t<Executor> use_task_{};
  std::optional<asio::thread_pool> pool_{1};
};

}  // namespace ringwave::server
