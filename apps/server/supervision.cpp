// SPDX-License-Identifier: Apache-2.0
#include "apps/server/supervision.hpp"

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <utility>

namespace ringwave::server {
namespace {

using Timer = asio::basic_waitable_timer<std::chrono::steady_clock,
                                         asio::wait_traits<std::chrono::steady_clock>, Executor>;
using std::chrono::microseconds;

constexpr microseconds kRest = std::chrono::seconds(1);
constexpr microseconds kLeastRest = std::chrono::milliseconds(10);

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

Supervision::Supervision(asio::io_context& context, const Shards& shards, const stream::Studio& studio,
                         const Log& log)
    : context_(context), studio_(studio), log_(log), watch_(loops(shards)) {}

std::vector<Watch::Loop> Supervision::loops(const Shards& shards) const {
  std::vector<Watch::Loop> made;
  for (const TickStamp* const stamp : shards.stamps())
    made.push_back({"network " + std::to_string(made.size() + 1), stamp});
  made.push_back({"control", &own_});
  made.push_back({"rendering", &rendering_});
  return made;
}

Task<> Supervision::run() {
  // A sign of life twice in the time that the manager gives.
  const microseconds rest = std::clamp(watchdog_.value_or(2 * kRest) / 2, kLeastRest, kRest);
  Timer timer(context_.get_executor());
  while (true) {
    timer.expires_after(rest);
    if (const auto [error] = co_await timer.async_wait(as_result); error) co_return;
    look();
  }
}

void Supervision::look() {
  const auto now = std::chrono::steady_clock::now();
  own_.set(now);
  const stream::StudioStats stats = studio_.stats();
  const bool has_rendered = stats.blocks != std::exchange(blocks_, stats.blocks);
  if (has_rendered || stats.playing == 0) rendering_.set(now);
  const std::vector<std::string> before = std::exchange(hanging_, watch_.hanging());
  for (const std::string& name : hanging_)
    if (!has(before, name)) log_.warn(name + " hangs: it should come round every second");
  for (const std::string& name : before)
    if (!has(hanging_, name)) log_.warn(name + " goes on again");
  if (hanging_.empty() && watchdog_) tell("WATCHDOG=1");
}

void Supervision::tell(const char* state) {
  if (manager_.send(state) || std::exchange(is_deaf_, true)) return;
  log_.warn("the service manager is not to be reached by NOTIFY_SOCKET, and will not know how the server is");
}

}  // namespace ringwave::server
