// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "bench/keep.hpp"
#include "bench/mailbox.hpp"
#include "bench/ping_pong.hpp"
#include "bench/table.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/ring/runtime.hpp"

namespace ringwave::bench {
namespace {

using ring::Delivery;
using ring::Kernel;
using ring::KernelScope;
using ring::Letter;
using ring::Outgoing;
using ring::Runtime;

/// 64 bytes, the message of every claim.
struct Payload {
  std::int64_t number = 0;
  std::int64_t rest[7]{};
};

/// Longer than a small machine holds a thread up.
constexpr std::chrono::seconds kLong{20};

/// An echo kernel, and whether every answer was the right one.
class Echoes {
 public:
  explicit Echoes(Device device, bool one_sender = false)
      : runtime_({.device = device}),
        kernel_(runtime_.create({.handler = "echo",
                                 .inbox_capacity = 8192,
                                 .outbox_capacity = 16384,
                                 .one_sender = one_sender,
                                 .wait = ring::Wait::spin})) {
    reply_.reserve(4096);
  }

  [[nodiscard]] const Kernel& kernel() const { return *kernel_; }

  void request(std::uint8_t priority = ring::kNormal) {
    const Payload payload{.number = ++number_};
    const Delivery delivery = kernel().request(Outgoing::of(0, payload, priority), reply_, kLong);
    if (delivery != Delivery::ok || reply_.as<Payload>().number != number_) ++wrong_;
  }

  /// Sends numbered messages, and receives them all back, in order.
  void stream(std::int64_t count) {
    const std::int64_t first = number_ + 1;
    std::int64_t sent = 0;
    std::int64_t received = 0;
    while (received < count) {
      for (int i = 0; i < 64 && sent < count && sent - received < 4096; ++i, ++sent) {
        const Payload payload{.number = first + sent};
        if (kernel().try_send(Outgoing::of(0, payload)) != Delivery::ok) break;
      }
      for (int i = 0; i < 64 && kernel().try_receive(reply_) == Delivery::ok; ++i, ++received)
        if (reply_.as<Payload>().number != first + received) ++wrong_;
    }
    number_ += count;
  }

  /// Sends without waiting for anything; the answers are taken by drain().
  void fill(std::int64_t count, std::uint8_t priority = ring::kNormal) {
    for (std::int64_t i = 0; i < count; ++i) {
      const Payload payload{.number = ++number_};
      if (kernel().try_send(Outgoing::of(0, payload, priority)) != Delivery::ok) ++wrong_;
    }
  }
  void drain(std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i)
      if (kernel().receive(reply_, kLong) != Delivery::ok) ++wrong_;
  }

  [[nodiscard]] Check check() const {
    if (wrong_ == 0) return {};
    return {false, static_cast<double>(wrong_), std::to_string(wrong_) + " lost, repeated or out of order"};
  }

 private:
  Runtime runtime_;
  KernelScope kernel_;
  Letter reply_;
  std::int64_t number_ = 0;
  std::uint64_t wrong_ = 0;
};

/// Keeps another kernel busy as long as it lives.
class Neighbour {
 public:
  explicit Neighbour(Device device)
      : echoes_(device), thread_([this] {
          while (!stop_.load(std::memory_order_relaxed)) echoes_.stream(4096);
        }) {}
  ~Neighbour() {
    stop_ = true;
    thread_.join();
  }
  Neighbour(const Neighbour&) = delete;  // a thread knows it
  Neighbour& operator=(const Neighbour&) = delete;

 private:
  Echoes echoes_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

/// Null on the CPU, which has round_trips_beside_bare(), and where there can be none, which a note explains.
std::unique_ptr<Mailbox> make_mailbox(Device device, std::vector<std::string>& notes) {
  if (device.kind() == DeviceKind::cpu) return nullptr;
  try {
    return std::make_unique<Mailbox>(device);
  } catch (const DeviceUnavailable& error) {
    notes.push_back(std::string("there is no bare mailbox beside it: ") + error.what());
    return nullptr;
  }
}

/// Who takes part in round trips, in the order in which they can be there: a mailbox is made, and goes, while
/// nothing is resident; its kernel is the last to begin and the first to end, because those of the ring free
/// memory after theirs.
///
/// Both sides' kernels look for messages while the other is measured: one thread that reads a word over the
/// bus about once a microsecond, on one of many multiprocessors, is in nobody's way.
struct Trips {
  Trips(Device device, bool with_neighbour, std::vector<std::string>& notes)
      : mailbox(make_mailbox(device, notes)), echoes(device) {
    if (with_neighbour) neighbour.emplace(device);
    if (mailbox != nullptr) awake.emplace(*mailbox);
  }

  /// By the mailbox, in nanoseconds; not a number where its kernel does not answer.
  [[nodiscard]] double bare() {
    const auto begin = std::chrono::steady_clock::now();
    const bool is_back = mailbox->round_trip();
    const std::chrono::duration<double, std::nano> elapsed = std::chrono::steady_clock::now() - begin;
    return is_back ? elapsed.count() : std::numeric_limits<double>::quiet_NaN();
  }

  std::unique_ptr<Mailbox> mailbox;
  Echoes echoes;
  std::optional<Neighbour> neighbour;
  std::optional<Mailbox::Awake> awake;
};

Duel round_trip(Device device, bool with_neighbour, std::chrono::microseconds gap, std::size_t samples) {
  Duel duel;
  const auto trips = std::make_shared<Trips>(device, with_neighbour, duel.notes);
  duel.ours = {"Ringwave", 1, timed([trips](std::size_t) { trips->echoes.request(); }),
               [trips] { return trips->echoes.check(); }};
  if (trips->mailbox != nullptr)
    duel.peers.push_back({"bare mailbox, a word each way", 1, [trips](std::size_t) { return trips->bare(); },
                          [trips] { return trips->mailbox->check(); }});
  duel.idle_gap = gap;
  duel.least_samples = samples;
  if (device.kind() != DeviceKind::cpu && gap.count() == 0) {
    duel.goal.at_most_ns = 2500;
    duel.goal.at_most_p999_ns = 10000;
  }
  return duel;
}

/// Round trips beside the least that two threads need for one. Each side's thread sleeps while the other is
/// measured: a small machine has no cores for both.
Duel round_trips_beside_bare(Device device) {
  constexpr int kTrips = 2000;
  const auto echoes = std::make_shared<Echoes>(device);
  const auto bare = std::make_shared<PingPong>();
  echoes->kernel().pause(kLong);
  Duel duel;
  duel.ours = {"Ringwave", kTrips,
               [echoes](std::size_t) {
                 echoes->kernel().resume(kLong);
                 echoes->request();
                 const double ns = timed([&](std::size_t) {
                   for (int i = 0; i < kTrips; ++i) echoes->request();
                 })(0);
                 echoes->kernel().pause(kLong);
                 return ns;
               },
               [echoes] { return echoes->check(); }};
  duel.peers.push_back({"bare ring of 64-byte items each way", kTrips,
                        [bare](std::size_t round) {
                          const PingPong::Awake awake(*bare);
                          bare->round_trip(0);
                          return timed([&](std::size_t) {
                            for (int i = 0; i < kTrips; ++i)
                              bare->round_trip(round * kTrips + static_cast<std::size_t>(i));
                          })(0);
                        },
                        [bare] { return bare->check(); }});
  duel.least_samples = 100;
  duel.goal.times_fastest_peer = 1 / 1.3;
  return duel;
}

Duel throughput(Device device) {
  constexpr std::int64_t kMessages = 100'000;
  const auto echoes = std::make_shared<Echoes>(device);
  Duel duel;
  duel.ours = {"Ringwave", kMessages, timed([echoes](std::size_t) { echoes->stream(kMessages); }),
               [echoes] { return echoes->check(); }};
  duel.least_samples = 20;
  duel.goal.at_most_ns = device.kind() == DeviceKind::cpu ? 200 : 250;
  return duel;
}

/// The same through several kernels, each with a thread of the host.
Duel throughput_of_several(Device device, std::size_t kernels) {
  constexpr std::int64_t kMessages = 100'000;
  auto all = std::make_shared<std::vector<std::unique_ptr<Echoes>>>();
  for (std::size_t i = 0; i < kernels; ++i) all->push_back(std::make_unique<Echoes>(device));
  Duel duel;
  duel.ours = {"Ringwave", kernels * kMessages, timed([all](std::size_t) {
                 std::vector<std::jthread> threads;
                 for (const auto& one : *all) threads.emplace_back([&one] { one->stream(kMessages); });
               }),
               [all] {
                 for (const auto& one : *all)
                   if (Check check = one->check(); !check.ok) return check;
                 return Check{};
               }};
  constexpr std::size_t kMinute = 600;  // of samples of a tenth of a second
  duel.least_samples = kMinute;
  duel.goal.at_most_ns = 250;
  return duel;
}

/// Kernels of the handler that measures ways, of which the first is asked how long one was.
class Ways {
 public:
  explicit Ways(Device device, bool by_host = false)
      : runtime_({.device = device, .sends_by_host = by_host}) {}

  void add(ring::KernelSpec spec) {
    spec.handler = "hop";
    spec.wait = ring::Wait::spin;
    kernels_.push_back(runtime_.create(std::move(spec)));
  }

  /// The last one first: whoever sends finds the others there.
  void begin() {
    for (std::size_t i = 0; i + 1 < kernels_.size(); ++i) kernels_[i].connect(kernels_[i + 1]);
    for (std::size_t i = kernels_.size(); i-- > 0;) {
      kernels_[i].launch();
      kernels_[i].activate();
    }
  }

  double ask() {
    is_right_ =
        is_right_ && kernels_.front().request(Outgoing::of(0, Payload{}), reply_, kLong) == Delivery::ok;
    return static_cast<double>(reply_.as<std::int64_t>());
  }
  [[nodiscard]] Check check() const { return {is_right_, 0, is_right_ ? "" : "an answer is missing"}; }

 private:
  Runtime runtime_;
  std::vector<Kernel> kernels_;
  Letter reply_;
  bool is_right_ = true;
};

Duel way(const std::shared_ptr<Ways>& ways, std::optional<double> at_most_ns) {
  ways->begin();
  Duel duel;
  duel.ours = {"Ringwave", 1, [ways](std::size_t) { return ways->ask(); }, [ways] { return ways->check(); }};
  duel.least_samples = 10'000;
  duel.goal.at_most_ns = at_most_ns;
  return duel;
}

/// From one kernel to another, by the clock of where they are.
Duel hop(Device device) {
  const auto ways = std::make_shared<Ways>(device);
  ways->add({.name = "first"});
  ways->add({.name = "second"});
  return way(ways, device.kind() == DeviceKind::cuda ? std::optional(2000.0) : std::nullopt);
}

/// From one GPU to another, as far as one GPU can show it: what it hands the host comes back to it.
Duel hop_by_host(Device device) {
  const auto ways = std::make_shared<Ways>(device, true);
  ways->add({.name = "first"});
  ways->add({.name = "second"});
  return way(ways, std::nullopt);
}

/// From a GPU to the CPU, by the clocks of both.
Duel hop_to_cpu(Device device) {
  const auto ways = std::make_shared<Ways>(device);
  ways->add({.name = "first"});
  ways->add({.name = "second", .device = Device::cpu()});
  return way(ways, std::nullopt);
}

/// From the first block of a cluster to its last, by the device's clock.
Duel hop_in_cluster(Device device) {
  const auto ways = std::make_shared<Ways>(device);
  ways->add({.blocks = 8});
  return way(ways, 1000);
}

Duel behind_low_ones(Device device) {
  constexpr std::int64_t kLow = 4096;
  const auto echoes = std::make_shared<Echoes>(device);
  Duel duel;
  duel.ours = {"Ringwave", 1,
               [echoes](std::size_t) {
                 echoes->fill(kLow, ring::kLow);
                 const auto begin = std::chrono::steady_clock::now();
                 echoes->request(ring::kHigh);
                 const std::chrono::duration<double, std::nano> elapsed =
                     std::chrono::steady_clock::now() - begin;
                 echoes->drain(kLow);
                 return elapsed.count();
               },
               [echoes] { return echoes->check(); }};
  duel.least_samples = 1000;
  return duel;
}

Duel enqueue(Device device, bool one_sender) {
  constexpr std::int64_t kMessages = 1000;
  const auto echoes = std::make_shared<Echoes>(device, one_sender);
  Duel duel;
  duel.ours = {"Ringwave", kMessages,
               [echoes](std::size_t) {
                 const auto begin = std::chrono::steady_clock::now();
                 echoes->fill(kMessages);
                 const std::chrono::duration<double, std::nano> elapsed =
                     std::chrono::steady_clock::now() - begin;
                 echoes->drain(kMessages);
                 return elapsed.count();
               },
               [echoes] { return echoes->check(); }};
  duel.least_samples = 200;
  if (one_sender) duel.goal.at_most_ns = 80;
  return duel;
}

/// The lifecycle, step by step: one kernel after another, made before.
class Lives {
 public:
  explicit Lives(Device device) : runtime_({.device = device}) {}

  double launch() {
    const Kernel kernel = make();
    const auto begin = std::chrono::steady_clock::now();
    kernel.launch();
    kernel.activate();
    const std::chrono::duration<double, std::nano> elapsed = std::chrono::steady_clock::now() - begin;
    ended_ = kernel.terminate() && ended_;
    return elapsed.count();
  }
  double terminate() {
    const Kernel kernel = make();
    kernel.launch();
    kernel.activate();
    const auto begin = std::chrono::steady_clock::now();
    ended_ = kernel.terminate() && ended_;
    const std::chrono::duration<double, std::nano> elapsed = std::chrono::steady_clock::now() - begin;
    return elapsed.count();
  }
  [[nodiscard]] Check check() const { return {ended_, 0, ended_ ? "" : "a kernel did not end"}; }

 private:
  Kernel make() { return runtime_.create({.handler = "echo", .inbox_capacity = 64, .outbox_capacity = 64}); }

  Runtime runtime_;
  bool ended_ = true;
};

Duel life(Device device, double (Lives::*step)(), double goal_ns) {
  const auto lives = std::make_shared<Lives>(device);
  Duel duel;
  duel.ours = {"Ringwave", 1, [lives, step](std::size_t) { return ((*lives).*step)(); },
               [lives] { return lives->check(); }};
  duel.least_samples = 100;
  if (device.kind() == DeviceKind::cuda) duel.goal.at_most_ns = goal_ns;
  return duel;
}

Duel telemetry(Device device) {
  const auto echoes = std::make_shared<Echoes>(device);
  echoes->request();
  Duel duel;
  duel.ours = {"Ringwave", 100, timed([echoes](std::size_t) {
                 for (int i = 0; i < 100; ++i) keep(echoes->kernel().counts());
               }),
               [echoes] { return echoes->check(); }};
  duel.goal.at_most_ns = 200;
  return duel;
}

}  // namespace

std::vector<Case> ring_cases(Devices devices) {
  std::vector<Case> cases;
  for (const Device device : devices) {
    const std::string where = device.name();
    const bool is_cpu = device.kind() == DeviceKind::cpu;
    const auto add = [&](const std::string& name, const std::string& summary, std::function<Duel()> prepare) {
      std::string full = "ring_kernel/";
      full.append(name).append("/").append(where);
      cases.push_back({std::move(full), summary, device, std::move(prepare)});
    };
    add("round-trip", "64-byte request to a resident kernel and its reply",
        [device] { return round_trip(device, false, {}, 200'000); });
    if (is_cpu)
      add("round-trips", "one of 2,000 round trips, beside what two threads need at the least",
          [device] { return round_trips_beside_bare(device); });
    add("round-trip-busy", "the same while a second kernel is never idle",
        [device, is_cpu] { return round_trip(device, true, {}, is_cpu ? 200'000 : 10'000'000); });
    add("round-trip-idle", "the same with the pause of a block of 128 frames before each",
        [device] { return round_trip(device, false, kIdleGap, 1000); });
    add("stream", "64-byte messages through one kernel and back, one of them",
        [device] { return throughput(device); });
    if (!is_cpu)
      add("stream-8", "64-byte messages through eight kernels and back for a minute, one of them",
          [device] { return throughput_of_several(device, 8); });
    add("hop", "from one kernel to another, by their own clock", [device] { return hop(device); });
    if (!is_cpu) {
      add("hop-by-host", "the same as if they were on two devices: by way of the host",
          [device] { return hop_by_host(device); });
      add("hop-to-cpu", "from a kernel to one on the CPU, by both clocks",
          [device] { return hop_to_cpu(device); });
      add("hop-in-cluster", "from one block of a kernel to another and a barrier, by the device's clock",
          [device] { return hop_in_cluster(device); });
    }
    add("priority", "a high request behind 4,096 low messages", [device] { return behind_low_ones(device); });
    add("enqueue", "what sending takes a kernel's only sender, one message after the other",
        [device] { return enqueue(device, true); });
    add("enqueue-shared", "the same where several threads may send",
        [device] { return enqueue(device, false); });
    add("telemetry", "reading a kernel's counters", [device] { return telemetry(device); });
    add("launch", "from a kernel that was made to one that is active",
        [device] { return life(device, &Lives::launch, 100'000); });
    add("terminate", "from an active kernel to one that is gone",
        [device] { return life(device, &Lives::terminate, 1'000'000); });
  }
  return cases;
}

}  // namespace ringwave::bench
