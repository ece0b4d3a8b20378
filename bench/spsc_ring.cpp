// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/spsc_ring.hpp"

#include <cstdint>
#include <memory>
#include <string>

#include "bench/keep.hpp"
#include "bench/race.hpp"
#include "bench/table.hpp"

#if __has_include(<boost/lockfree/spsc_queue.hpp>)
#include <boost/lockfree/spsc_queue.hpp>
#define RW_BENCH_BOOST 1
#endif
#if __has_include(<concurrentqueue/concurrentqueue.h>)
#include <concurrentqueue/concurrentqueue.h>
#define RW_BENCH_MOODYCAMEL 1
#endif

namespace ringwave::bench {
namespace {

constexpr std::size_t kCapacity = 1024;
constexpr std::size_t kPairs = 1024;
constexpr std::size_t kItems = 20'000;

/// 64 bytes, a cache line: the size of a message.
struct Message {
  std::int64_t number;
  std::int64_t payload[7];
};

std::int64_t number_of(std::int64_t item) noexcept {
  return item;
}
std::int64_t number_of(const Message& item) noexcept {
  return item.number;
}

template <class Item>
Item make_item(std::int64_t number) noexcept {
  if constexpr (std::is_same_v<Item, Message>)
    return {number, {number, number, number, number, number, number, number}};
  else
    return number;
}

template <class Item>
class Ours {
 public:
  bool push(const Item& item) noexcept { return ring_.try_push(item); }
  bool pop(Item& item) noexcept { return ring_.try_pop(item); }

 private:
  SpscRing<Item> ring_{kCapacity};
};

#ifdef RW_BENCH_BOOST
template <class Item>
class Boost {
 public:
  bool push(const Item& item) { return queue_.push(item); }
  bool pop(Item& item) { return queue_.pop(item); }

 private:
  // Its capacity as a constant is its fastest form.
  boost::lockfree::spsc_queue<Item, boost::lockfree::capacity<kCapacity>> queue_;
};
#endif

#ifdef RW_BENCH_MOODYCAMEL
template <class Item>
class Moodycamel {
 public:
  bool push(const Item& item) { return queue_.try_enqueue(producer_, item); }
  bool pop(Item& item) { return queue_.try_dequeue_from_producer(producer_, item); }

 private:
  moodycamel::ConcurrentQueue<Item> queue_{kCapacity};
  moodycamel::ProducerToken producer_{queue_};
};
#endif

/// A queue and whether everything came out of it, in order.
template <class RingQueue, class Item>
class Line {
 public:
  /// Items 0, 1, … offset by the round, so that no two rounds carry the same.
  double through_two_threads(std::size_t round) {
    const auto first = static_cast<std::int64_t>(round * kItems);
    return race([&] { consume(first); }, [&] { produce(first); });
  }

  void in_turn(std::size_t round) noexcept {
    const auto first = static_cast<std::int64_t>(round * kPairs);
    Item item{};
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(kPairs); ++i) {
      wrong_ += queue_.push(make_item<Item>(first + i)) ? 0U : 1U;
      wrong_ += queue_.pop(item) && number_of(item) == first + i ? 0U : 1U;
      keep(item);
    }
  }

  [[nodiscard]] Check check() const {
    if (wrong_ == 0) return {};
    return {false, static_cast<double>(wrong_), std::to_string(wrong_) + " items lost or out of order"};
  }

 private:
  void produce(std::int64_t first) {
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(kItems); ++i)
      for (SpinWait wait; !queue_.push(make_item<Item>(first + i)); wait()) {
      }
  }

  void consume(std::int64_t first) {
    Item item{};
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(kItems); ++i) {
      for (SpinWait wait; !queue_.pop(item); wait()) {
      }
      wrong_ += number_of(item) == first + i ? 0U : 1U;
    }
  }

  RingQueue queue_;
  std::uint64_t wrong_ = 0;
};

template <class RingQueue, class Item>
Contender contender(const char* name, bool two_threads) {
  auto line = std::make_shared<Line<RingQueue, Item>>();
  Contender made{name, two_threads ? kItems : kPairs, {}, [line] { return line->check(); }};
  if (two_threads)
    made.sample = [line](std::size_t round) { return line->through_two_threads(round); };
  else
    made.sample = timed([line](std::size_t round) { line->in_turn(round); });
  return made;
}

template <class Item>
Duel duel(bool two_threads) {
  Duel made;
  made.ours = contender<Ours<Item>, Item>("ring", two_threads);
#ifdef RW_BENCH_BOOST
  made.peers.push_back(contender<Boost<Item>, Item>("boost::lockfree::spsc_queue", two_threads));
#else
  made.notes.emplace_back("boost::lockfree was not there when this was built (libboost-dev)");
#endif
#ifdef RW_BENCH_MOODYCAMEL
  made.peers.push_back(contender<Moodycamel<Item>, Item>("moodycamel::ConcurrentQueue", two_threads));
#else
  made.notes.emplace_back("moodycamel was not there when this was built (libconcurrentqueue-dev)");
#endif
  made.least_samples = 200;
  made.goal.times_fastest_peer = 1 / 1.15;
  return made;
}

}  // namespace

std::vector<Case> spsc_ring_cases(Devices devices) {
  if (!has_cpu(devices)) return {};
  const Device cpu = Device::cpu();
  return {{"spsc_ring/one-thread-8B/cpu", "push and pop an int64 in turn", cpu,
           [] { return duel<std::int64_t>(false); }},
          {"spsc_ring/one-thread-64B/cpu", "push and pop 64 bytes in turn", cpu,
           [] { return duel<Message>(false); }},
          {"spsc_ring/two-threads-8B/cpu", "int64 from one thread to another; for each item", cpu,
           [] { return duel<std::int64_t>(true); }},
          {"spsc_ring/two-threads-64B/cpu", "64 bytes from one thread to another; for each item", cpu,
           [] { return duel<Message>(true); }}};
}

}  // namespace ringwave::bench
