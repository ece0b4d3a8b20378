// SPDX-License-Identifier: Apache-2.0
#include "apps/server/server.hpp"

#include <unistd.h>

#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <thread>

#include "apps/server/acceptor.hpp"
#include "apps/server/admin_token.hpp"
#include "apps/server/data_folder.hpp"
#include "apps/server/descriptors.hpp"
#include "apps/server/icecast_feed.hpp"
#include "apps/server/serve.hpp"
#include "apps/server/supervision.hpp"
#include "ringwave/core/error.hpp"

namespace ringwave::server {
namespace {

using Timer = asio::basic_waitable_timer<std::chrono::steady_clock,
                                         asio::wait_traits<std::chrono::steady_clock>, Executor>;
using Seconds = std::chrono::duration<double>;

constexpr double kFadeSeconds = 0.75;    // of a fade-out, until the last listener has got it
constexpr double kGoodbyeSeconds = 1.5;  // for those who close their connections properly
constexpr std::chrono::milliseconds kGlance{50};

int threads_of(const ServerConfig& config) {
  return config.threads > 0 ? config.threads
                            : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

/// The descriptors for connections and the files that are sent to them; says where they are fewer than was
/// wished.
int descriptors_of(const ServerConfig& config, const Log& log) {
  const int count = descriptors_for(config.max_connections);
  if (count < config.max_connections)
    log.warn("the system allows so few open files that there is room for " + std::to_string(count) +
             " connections at once, instead of " + std::to_string(config.max_connections) +
             "; raise it with `ulimit -n`, or LimitNOFILE of systemd");
  return count;
}

bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

stream::Studio::Spec studio_of(const ServerConfig& config, const Log& log, Shards& shards) {
  return {.device = Device::find(config.device.empty() ? "auto" : config.device),
          .most_stations = config.max_stations,
          .most_playing = config.max_playing,
          .most_load = config.max_load,
          .linger_seconds = config.linger_seconds,
          .expire_days = config.expire_days,
          .opus_bitrate = config.opus_bitrate,
          .mp3_bitrate = config.mp3_bitrate,
          .state_path = DataFolder(config.data_folder).stations(),
          .published = [&shards] { shards.wake(); },
          .report = [&log](const std::string& sentence) { log.warn(sentence); }};
}

/// Where none is configured, the one in the data folder.
std::string made_admin_token(const ServerConfig& config, const DataFolder& folder) {
  return config.admin_tokens.empty() ? admin_token_in(folder.admin_token()) : "";
}

/// A station counts as playing from its first listener on.
bool is_heard(const stream::Studio& studio, const std::string& id) {
  try {
    const stream::StationInfo station = studio.find(id);
    return station.is_playing || station.listeners > 0;
  } catch (const stream::Refusal&) {
    return false;
  }
}

bool is_awaited(const RenderDesk& desk, const std::string& id) {
  try {
    const RenderDesk::State state = desk.find(id).state;
    return state == RenderDesk::State::waiting || state == RenderDesk::State::running;
  } catch (const stream::Refusal&) {
    return false;
  }
}

}  // namespace

/// Everything, in the order in which it needs each other.
class Server::House {
 public:
  explicit House(const ServerConfig& config)
      : config_(config),
        log_(log_level_of_name(config.log_level)),
        access_log_(access_log_format_of_name(config.access_log), STDOUT_FILENO,
                    [this](const std::string& sentence) { log_.warn(sentence); }),
        folder_(config.data_folder),
        lock_(folder_.lock()),
        page_(config.web_folder),
        access_(config, made_admin_token(config, folder_)),
        addresses_({.connections = config.max_connections_per_address,
                    .requests_per_second = config.requests_per_second,
                    .hold_loopback = config.limit_loopback}),
        acceptor_(control_, config),
        shards_(threads_of(config)),
        studio_(studio_of(config, log_, shards_)),
        presets_(folder_.presets(), [this](const std::string& sentence) { log_.warn(sentence); }),
        changes_(studio_, presets_,
                 {.reserved = config.icecast_station,
                  .most_of_an_address = config.max_stations_per_address,
                  .hold_loopback = config.limit_loopback}),
        renders_({.folder = folder_.renders(),
                  .device = Device::find(config.device.empty() ? "auto" : config.device),
                  .most_waiting = static_cast<std::size_t>(config.max_render_jobs),
                  .report = [this](const std::string& sentence) { log_.warn(sentence); }}),
        playing_({.most = config.max_playing_per_address,
                  .hold_loopback = config.limit_loopback,
                  .what = "stations play",
                  .is_held = [this](const std::string& id) { return is_heard(studio_, id); }}),
        rendering_({.most = config.max_renders_per_address,
                    .hold_loopback = config.limit_loopback,
                    .what = "files are rendered",
                    .is_held = [this](const std::string& id) { return is_awaited(renders_, id); }}),
        counters_(shards_.counters()) {
    counters_.push_back(&acceptor_.counters());
    for (const int signal : {SIGINT, SIGTERM}) signals_.add(signal);
    if (!is_ignored(SIGHUP)) signals_.add(SIGHUP);  // nohup's wish is kept
    if (!config.icecast.empty())
      icecast_.emplace(
          studio_, IcecastFeed::Spec{.address = io::IcecastAddress::parse(config.icecast),
                                     .station = config.icecast_station,
                                     .report = [this](const std::string& sentence) { log_.say(sentence); }});
  }

  ~House() {
    shards_.join();
    office_.close();
    shards_.clear();
  }

  House(const House&) = delete;  // its parts hold each other by reference
  House& operator=(const House&) = delete;

  void run();
  void drain();
  void stop();
  [[nodiscard]] int port() const noexcept { return acceptor_.port(); }
  [[nodiscard]] const ServerConfig& config() const noexcept { return config_; }

 private:
  Task<> watch_signals();
  Task<> end_gently();
  Task<> wait(double seconds, const std::function<bool()>& is_enough);
  void take(Shard& shard, Socket socket, ConnectionSlot slot);
  void abandon_what_hangs() const;

  const ServerConfig config_;
  const Log log_;
  AccessLog access_log_;
  const DataFolder folder_;
  const DataFolder::Lock lock_;
  const PageFiles page_;
  const Access access_;
  AddressLimits addresses_;
  std::atomic<int> connections_{0};
  std::atomic<bool> draining_{false};
  asio::io_context control_{1};
  Timer timer_{control_.get_executor()};
  asio::basic_signal_set<Executor> signals_{control_.get_executor()};
  Acceptor acceptor_;
  Shards shards_;
  stream::Studio studio_;
  PresetShelf presets_;
  StationChanges changes_;
  RenderDesk renders_;
  AddressQuota playing_;
  AddressQuota rendering_;
  std::vector<const Counters*> counters_;
  std::optional<IcecastFeed> icecast_;
  Office office_;
  Supervision supervision_{control_, shards_, studio_, log_};
  Descriptors descriptors_{descriptors_of(config_, log_)};  // of those that are not open by now
  Services services_{config_,     log_,         access_log_, studio_,
                     presets_,    changes_,     renders_,    page_,
                     access_,     addresses_,   playing_,    rendering_,
                     counters_,   connections_, draining_,   supervision_.watch(),
                     descriptors_};
};

void Server::House::run() {
  log_.say("serving " + std::to_string(studio_.stats().stations) + " stations on " + studio_.device().name() +
           ", with " + std::to_string(threads_of(config_)) + " threads for the network; data in " +
           config_.data_folder);
  if (config_.admin_tokens.empty())
    log_.say("who administers this server shows the token in " + folder_.admin_token().string());
  shards_.start();
  asio::co_spawn(control_, watch_signals(), asio::detached);
  asio::co_spawn(control_, supervision_.run(), asio::detached);
  asio::co_spawn(control_,
                 acceptor_.run(shards_, addresses_, descriptors_, connections_,
                               [this](Shard& shard, Socket socket, ConnectionSlot slot) {
                                 take(shard, std::move(socket), std::move(slot));
                               }),
                 asio::detached);
  supervision_.tell_ready();
  control_.run();
  studio_.save();
  abandon_what_hangs();
}

/// A thread that hangs would be waited for without an end; all that is to be kept has been saved.
void Server::House::abandon_what_hangs() const {
  if (supervision_.watch().hanging().empty()) return;
  log_.warn("ending without what hangs");
  std::_Exit(EXIT_FAILURE);
}

void Server::House::take(Shard& shard, Socket socket, ConnectionSlot slot) {
  asio::co_spawn(shard.context(), serve(shard, services_, office_, std::move(socket), std::move(slot)),
                 [this](const std::exception_ptr& fault) {
                   try {
                     if (fault) std::rethrow_exception(fault);
                   } catch (const std::exception& error) {
                     log_.warn(std::string("a connection failed: ") + error.what());
                   }
                 });
}

Task<> Server::House::watch_signals() {
  const auto [error, signal] = co_await signals_.async_wait(as_result);
  if (error) co_return;
  drain();
  (void)co_await signals_.async_wait(as_result);
  if (control_.stopped()) co_return;
  log_.say("a second signal came: ending at once");
  stop();
}

void Server::House::drain() {
  asio::post(control_, [this] {
    if (draining_.exchange(true)) return;
    supervision_.tell_stopping();
    asio::co_spawn(control_, end_gently(), asio::detached);
  });
}

void Server::House::stop() {
  control_.stop();
}

Task<> Server::House::end_gently() {
  const auto has_no_listener = [this] { return studio_.stats().listeners == 0; };
  log_.say(has_no_listener() ? "ending"
                             : "ending, when those who listen have been told and the music has faded");
  shards_.drain(config_.drain_seconds);
  co_await wait(config_.drain_seconds - kFadeSeconds, has_no_listener);
  studio_.fade_out();
  co_await wait(std::min(config_.drain_seconds, kFadeSeconds), has_no_listener);
  acceptor_.close();
  shards_.end();
  co_await wait(kGoodbyeSeconds, [this] { return connections_ == 0; });
  stop();
}

Task<> Server::House::wait(double seconds, const std::function<bool()>& is_enough) {
  const auto until = std::chrono::steady_clock::now() + Seconds(seconds);
  while (std::chrono::steady_clock::now() < until && !is_enough()) {
    timer_.expires_after(kGlance);
    (void)co_await timer_.async_wait(as_result);
  }
}

Server::Server(const ServerConfig& config) : house_(std::make_unique<House>(config)) {}

Server::~Server() = default;

int Server::port() const noexcept {
  return house_->port();
}

std::string Server::url() const {
  const std::string& host = house_->config().host;
  const bool is_v6 = host.find(':') != std::string::npos;
  return "http://" + (is_v6 ? "[" + host + "]" : host) + ":" + std::to_string(port());
}

void Server::run() {
  house_->run();
}

void Server::drain() {
  house_->drain();
}

void Server::stop() {
  house_->stop();
}

}  // namespace ringwave::server
