// SPDX-License-Identifier: Apache-2.0
#include "apps/client/load_run.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>
#include <memory>
#include <utility>

#include "apps/client/listener_pump.hpp"
#include "apps/client/nuisance.hpp"
#include "apps/client/open_files.hpp"
#include "apps/client/own_station.hpp"
#include "apps/client/stream_opening.hpp"
#include "ringwave/core/error.hpp"

namespace ringwave::client {
namespace {

namespace asio = boost::asio;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kTurn{50};
constexpr std::chrono::seconds kFirstSound{10};
constexpr std::chrono::seconds kSettling{3};  // until every listener knows what is late
constexpr std::uint64_t kOtherFiles = 64;

double seconds_since(steady_clock::time_point time) {
  return std::chrono::duration<double>(steady_clock::now() - time).count();
}

void require_files(const LoadSpec& spec) {
  const auto needed = static_cast<std::uint64_t>(spec.listeners) + static_cast<std::uint64_t>(spec.silent) +
                      static_cast<std::uint64_t>(spec.garbage) +
                      static_cast<std::uint64_t>(spec.reconnecting) + kOtherFiles;
  const std::uint64_t allowed = raise_open_files();
  if (needed > allowed)
    throw InvalidArgument(std::to_string(needed) +
                          " connections and files are needed, and the system allows " + "this process " +
                          std::to_string(allowed) + "; raise that with 'ulimit -n', or ask for fewer");
}

/// Stations that are there as long as this is.
class Stations {
 public:
  explicit Stations(const LoadSpec& spec) : ids_(spec.station_ids) {
    if (!ids_.empty() || !spec.http_path.empty()) return;
    for (int number = 0; number < spec.stations; ++number) {
      made_.emplace_back(spec.server, OwnStation::Wish{.seed = static_cast<std::uint64_t>(number + 1)});
      ids_.push_back(made_.back().id());
    }
  }

  [[nodiscard]] const std::vector<std::string>& ids() const noexcept { return ids_; }

 private:
  std::vector<std::string> ids_;
  std::vector<OwnStation> made_;
};

std::string target_of(const LoadSpec& spec, const std::string& id) {
  if (spec.format == LoadFormat::ogg_opus) return "/stream/" + id + ".opus";
  if (spec.format == LoadFormat::mp3) return "/stream/" + id + ".mp3";
  stream::StreamUrl url = spec.server;
  url.station = id;
  return url.socket_target(spec.codec);
}

class LoadRun {
 public:
  LoadRun(const LoadSpec& spec, const std::function<void(const LoadProgress&)>& show)
      : spec_(spec), show_(show), stations_(spec) {
    for (int thread = 0; thread < spec.threads; ++thread) pumps_.push_back(std::make_unique<ListenerPump>());
    const StreamWish wish{.authority = spec.server.authority(),
                          .target = spec.http_path,
                          .token = spec.server.token,
                          .is_socket = spec.format == LoadFormat::socket};
    if (!spec.http_path.empty()) wishes_.push_back(wish);
    for (const std::string& id : stations_.ids()) {
      wishes_.push_back(wish);
      wishes_.back().target = target_of(spec, id);
    }
    find_server();
  }

  LoadReport run() {
    report_.asked = spec_.listeners;
    if (spec_.server_pid) report_.server.emplace().before = ProcessUsage::of(*spec_.server_pid);
    come();
    measure();
    finish();
    return std::move(report_);
  }

 private:
  void find_server() {
    auto found = asio::co_spawn(context_, find(spec_.server), asio::use_future);
    context_.run();
    endpoints_ = found.get();
  }

  [[nodiscard]] bool is_stopped() const noexcept { return spec_.stop != nullptr && *spec_.stop; }

  [[nodiscard]] StreamCounts counts() const {
    StreamCounts sum;
    for (const auto& pump : pumps_) sum += pump->counts();
    return sum;
  }

  /// Works until it is over, which is asked now and then, or a signal comes.
  template <class IsOver>
  void work(bool measures, IsOver is_over) {
    const auto begun = steady_clock::now();
    context_.restart();  // it has stopped where nothing was left to do
    const auto guard = asio::make_work_guard(context_);
    while (!is_stopped()) {
      const LoadProgress progress{.measures = measures, .seconds = seconds_since(begun), .counts = counts()};
      show_(progress);
      if (is_over(progress)) break;
      context_.run_for(kTurn);
    }
  }

  void come() {
    const auto begun = steady_clock::now();
    asio::co_spawn(context_, connect_all(), asio::detached);
    const auto all = static_cast<std::uint64_t>(spec_.listeners);
    work(false, [&](const LoadProgress&) { return opened_ + report_.refused == all; });
    report_.connect_seconds = seconds_since(begun);
    if (opened_ == 0 && !is_stopped()) throw DeviceUnavailable("no listener was let in: " + report_.fault);
    const auto hearing_by = steady_clock::now() + kFirstSound;
    const auto settled_at = steady_clock::now() + kSettling;
    work(false, [&](const LoadProgress& progress) {
      const auto now = steady_clock::now();
      return now > hearing_by || (now > settled_at && progress.counts.hearing == progress.counts.held &&
                                  progress.counts.joined == opened_);
    });
  }

  asio::awaitable<void> connect_all() {
    asio::steady_timer pace(co_await asio::this_coro::executor);
    const auto begun = steady_clock::now();
    for (int number = 0; number < spec_.listeners; ++number) {
      const std::chrono::duration<double> wait(number / spec_.connects_per_second);
      pace.expires_at(begun + std::chrono::duration_cast<steady_clock::duration>(wait));
      co_await pace.async_wait(asio::use_awaitable);
      asio::co_spawn(context_, connect_one(static_cast<std::size_t>(number)), asio::detached);
    }
  }

  asio::awaitable<void> connect_one(std::size_t number) {
    const auto asked_at = steady_clock::now();
    try {
      OpenStream opened = co_await open_stream(endpoints_, wishes_[number % wishes_.size()]);
      pumps_[number % pumps_.size()]->add(SocketHandle(opened.socket.release()), std::move(opened.first),
                                          spec_.format, asked_at);
      ++opened_;
    } catch (const std::exception& error) {
      ++report_.refused;
      if (report_.fault.empty()) report_.fault = error.what();
    }
  }

  void measure() {
    nuisance_.emplace(context_, Nuisance::Spec{.endpoints = endpoints_,
                                               .wishes = wishes_,
                                               .silent = spec_.silent,
                                               .garbage = spec_.garbage,
                                               .reconnecting = spec_.reconnecting,
                                               .churn = spec_.churn,
                                               .seconds = spec_.seconds});
    const StreamCounts first = counts();
    const ProcessUsage own = ProcessUsage::of(0);
    if (report_.server) report_.server->begin = ProcessUsage::of(*spec_.server_pid);
    for (const auto& pump : pumps_) pump->begin_measuring();
    nuisance_->begin();
    work(true, [&](const LoadProgress& progress) {
      report_.seconds = progress.seconds;
      return progress.seconds >= spec_.seconds || progress.counts.held == 0;
    });
    const StreamCounts last = counts();
    report_.cpu_seconds = ProcessUsage::of(0).cpu_seconds - own.cpu_seconds;
    report_.measured_frames = last.frames - first.frames;
    report_.measured_bytes = last.bytes - first.bytes;
    measure_server();
  }

  /// One that has died meanwhile has no numbers; the listeners that it dropped say enough.
  void measure_server() {
    if (!report_.server) return;
    try {
      report_.server->end = ProcessUsage::of(*spec_.server_pid);
    } catch (const InvalidArgument&) {
      report_.server.reset();
      report_.fault = "the server's process has ended";
    }
  }

  void finish() {
    report_.nuisance = nuisance_->finish();
    for (const auto& pump : pumps_) {
      report_.counts += pump->finish();
      report_.lateness += pump->lateness();
    }
    if (report_.fault.empty()) report_.fault = report_.counts.fault;
  }

  const LoadSpec& spec_;
  const std::function<void(const LoadProgress&)>& show_;
  Stations stations_;
  std::vector<StreamWish> wishes_;
  std::vector<std::unique_ptr<ListenerPump>> pumps_;
  Endpoints endpoints_;
  std::uint64_t opened_ = 0;
  LoadReport report_;
  std::optional<Nuisance> nuisance_;
  asio::io_context context_{1};  // its end ends the coroutines, which use what is above
};

}  // namespace

LoadReport run_load(const LoadSpec& spec, const std::function<void(const LoadProgress&)>& show) {
  require_files(spec);
  return LoadRun(spec, show).run();
}

}  // namespace ringwave::client
