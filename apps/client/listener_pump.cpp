// SPDX-License-Identifier: Apache-2.0
#include "apps/client/listener_pump.hpp"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <utility>

#include "ringwave/core/error.hpp"
#include "ringwave/core/thread_name.hpp"

namespace ringwave::client {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kRound{1};
constexpr milliseconds kNap{10};
constexpr milliseconds kSweep{100};
constexpr std::size_t kReportSweeps = 30;  // every listener reports every three seconds
constexpr std::size_t kBufferBytes = 1 << 16;
constexpr int kMostEvents = 1024;

}  // namespace

ListenerPump::ListenerPump() : epoll_(epoll_create1(EPOLL_CLOEXEC)), buffer_(kBufferBytes) {
  if (epoll_.number() < 0)
    throw Error("the system gives no epoll: " + std::generic_category().message(errno));
  thread_ = std::thread([this] { run(); });
}

ListenerPump::~ListenerPump() {
  stops_ = true;
  if (thread_.joinable()) thread_.join();
}

void ListenerPump::add(SocketHandle socket, std::vector<std::byte> first, LoadFormat format,
                       LoadListener::Time asked_at) {
  const std::scoped_lock lock(mutex_);
  newcomers_.push_back({std::move(socket), std::move(first), format, asked_at});
  has_newcomers_ = true;
}

StreamCounts ListenerPump::counts() const {
  const std::scoped_lock lock(mutex_);
  return shown_;
}

StreamCounts ListenerPump::finish() {
  stops_ = true;
  thread_.join();
  for (const auto& listener : listeners_) listener->finish();
  count();
  listeners_.clear();
  return counts_;
}

void ListenerPump::run() {
  name_thread("listeners");
  std::array<epoll_event, kMostEvents> events{};
  auto next_sweep = steady_clock::now();
  while (!stops_) {
    const auto begun = steady_clock::now();
    if (begun >= next_sweep) {
      next_sweep = begun + kSweep;
      sweep(begun);
    }
    if (has_newcomers_.exchange(false)) take_in();
    const int ready = epoll_wait(epoll_.number(), events.data(), kMostEvents, static_cast<int>(kNap.count()));
    for (int i = 0; i < ready; ++i) read(events[static_cast<std::size_t>(i)].data.u64);
    if (ready < kMostEvents) std::this_thread::sleep_until(begun + kRound);
  }
}

void ListenerPump::take_in() {
  std::vector<Newcomer> newcomers;
  {
    const std::scoped_lock lock(mutex_);
    newcomers.swap(newcomers_);
  }
  for (Newcomer& newcomer : newcomers) {
    const int socket = newcomer.socket.number();
    listeners_.push_back(std::make_unique<LoadListener>(std::move(newcomer.socket), newcomer.format,
                                                        lateness_, newcomer.asked_at));
    is_over_.push_back(false);
    ++counts_.joined;
    const std::size_t index = listeners_.size() - 1;
    if (!listeners_[index]->take(newcomer.first, steady_clock::now())) {
      drop(index, listeners_[index]->fault());
      continue;
    }
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = index;
    if (epoll_ctl(epoll_.number(), EPOLL_CTL_ADD, socket, &event) != 0)
      drop(index, "the system cannot watch another socket");
  }
}

void ListenerPump::read(std::size_t index) {
  LoadListener& listener = *listeners_[index];
  const ssize_t bytes = recv(listener.socket(), buffer_.data(), buffer_.size(), MSG_DONTWAIT);
  if (bytes < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (bytes < 0) return drop(index, std::generic_category().message(errno));
  if (bytes == 0) return drop(index, "the server ended it");
  if (!listener.take(std::span(buffer_).first(static_cast<std::size_t>(bytes)), steady_clock::now()))
    drop(index, listener.fault().empty() ? "the server said goodbye" : listener.fault());
}

void ListenerPump::drop(std::size_t index, const std::string& fault) {
  epoll_ctl(epoll_.number(), EPOLL_CTL_DEL, listeners_[index]->socket(), nullptr);
  is_over_[index] = true;
  if (counts_.fault.empty()) counts_.fault = fault;
}

void ListenerPump::sweep(LoadListener::Time now) {
  if (begins_measuring_.exchange(false)) lateness_ = {};
  turn_ = (turn_ + 1) % kReportSweeps;
  for (std::size_t index = turn_; index < listeners_.size(); index += kReportSweeps)
    if (!is_over_[index]) listeners_[index]->report(now);
  count();
  const std::scoped_lock lock(mutex_);
  shown_ = counts_;
}

void ListenerPump::count() {
  StreamCounts sum{.joined = counts_.joined, .fault = std::move(counts_.fault)};
  for (std::size_t index = 0; index < listeners_.size(); ++index) {
    const stream::Reception& reception = listeners_[index]->reception();
    const double jitter = reception.jitter_seconds();
    const auto first = std::chrono::duration<double>(reception.first_frame_delay().value_or(milliseconds(0)));
    const bool hears = listeners_[index]->hears();
    sum += {.held = is_over_[index] ? 0U : 1U,
            .hearing = !is_over_[index] && hears ? 1U : 0U,
            .frames = reception.frames(),
            .lost = reception.lost(),
            .repeated = reception.repeated(),
            .bytes = listeners_[index]->bytes(),
            .jitter_sum_seconds = jitter,
            .most_jitter_seconds = jitter,
            .most_first_frame_seconds = first.count()};
  }
  counts_ = std::move(sum);
}

}  // namespace ringwave::client
