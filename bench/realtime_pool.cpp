// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/realtime_pool.hpp"

#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>

#include "bench/keep.hpp"
#include "bench/race.hpp"
#include "bench/table.hpp"

namespace ringwave::bench {
namespace {

constexpr std::size_t kBlockBytes = 4096;
constexpr std::size_t kHeld = 16;
constexpr std::size_t kPairs = 1024;
constexpr std::size_t kContendedPairs = 5'000;

/// The pool, and what went wrong with its blocks.
class FromPool {
 public:
  using Block = RealtimePool::Handle;
  Block take() noexcept { return pool_.acquire(); }
  bool give_back(const Block& block) noexcept { return pool_.release(block) == RealtimePool::Release::ok; }
  static void* memory_of(const Block& block) noexcept { return block.bytes().data(); }

  [[nodiscard]] Check check() const {
    const RealtimePool::Statistics statistics = pool_.statistics();
    if (pool_.in_use() != 0) return {false, 0, std::to_string(pool_.in_use()) + " blocks are lost"};
    if (statistics.exhausted + statistics.foreign_blocks + statistics.released_twice != 0)
      return {false, 0, "the pool counted misuse where there was none"};
    return {};
  }

 private:
  RealtimePool pool_{{.block_bytes = kBlockBytes, .blocks = 64}};
};

class FromMalloc {
 public:
  using Block = void*;
  static Block take() noexcept { return std::malloc(kBlockBytes); }
  static bool give_back(Block block) noexcept {
    std::free(block);
    return true;
  }
  static void* memory_of(Block block) noexcept { return block; }
  [[nodiscard]] static Check check() { return {}; }
};

/// Takes and gives back, and counts what cannot be: no block, one that somebody else has, one not taken back.
/// The counters are local in the loops, so that the bench adds little to what it measures.
template <class Source>
class Customer {
 public:
  explicit Customer(Source& source) : source_(source) {}

  void pairs(std::size_t count, char tag) noexcept {
    std::uint64_t wrong = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const auto block = source_.take();
      wrong += touch(block, tag) == nullptr ? 1U : 0U;
      wrong += source_.give_back(block) ? 0U : 1U;
    }
    wrong_ += wrong;
  }

  /// The same, and looks whether its mark is still there before it gives the block back.
  void guarded_pairs(std::size_t count, char tag) noexcept {
    std::uint64_t wrong = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const auto block = source_.take();
      const char* const memory = touch(block, tag);
      wrong += memory == nullptr || *memory != tag ? 1U : 0U;
      wrong += source_.give_back(block) ? 0U : 1U;
    }
    wrong_ += wrong;
  }

  void held(std::size_t count, char tag) noexcept {
    std::array<typename Source::Block, kHeld> blocks{};
    std::uint64_t wrong = 0;
    for (std::size_t i = 0; i < count; i += kHeld) {
      for (auto& block : blocks) {
        block = source_.take();
        wrong += touch(block, tag) == nullptr ? 1U : 0U;
      }
      for (const auto& block : blocks) wrong += source_.give_back(block) ? 0U : 1U;
    }
    wrong_ += wrong;
  }

  [[nodiscard]] std::uint64_t wrong() const noexcept { return wrong_; }

 private:
  static char* touch(const typename Source::Block& block, char tag) noexcept {
    auto* const memory = static_cast<char*>(Source::memory_of(block));
    if (memory != nullptr) *memory = tag;
    keep(memory);
    return memory;
  }

  Source& source_;
  std::uint64_t wrong_ = 0;
};

/// A source and its two customers, who are apart in memory so that their counters do not disturb each other.
template <class Source>
struct Shop {
  Source source;
  alignas(kCacheLinePair) Customer<Source> first{source};
  alignas(kCacheLinePair) Customer<Source> second{source};

  [[nodiscard]] Check check() const {
    if (const auto wrong = first.wrong() + second.wrong(); wrong != 0)
      return {false, static_cast<double>(wrong), std::to_string(wrong) + " blocks were absent or shared"};
    return source.check();
  }
};

enum class Pattern { pair, held, contended };

template <class Source>
Contender contender(const char* name, Pattern pattern) {
  auto shop = std::make_shared<Shop<Source>>();
  Contender made{name, kPairs, {}, [shop] { return shop->check(); }};
  switch (pattern) {
    case Pattern::pair:
      made.sample = timed([shop](std::size_t round) { shop->first.pairs(kPairs, static_cast<char>(round)); });
      break;
    case Pattern::held:
      made.sample = timed([shop](std::size_t round) { shop->first.held(kPairs, static_cast<char>(round)); });
      break;
    case Pattern::contended:
      made.operations = kContendedPairs;
      made.sample = [shop](std::size_t round) {
        const char tag = static_cast<char>(2 * round);
        return race([&] { shop->first.guarded_pairs(kContendedPairs, tag); },
                    [&] { shop->second.guarded_pairs(kContendedPairs, static_cast<char>(tag + 1)); });
      };
      break;
  }
  return made;
}

Duel duel(Pattern pattern) {
  // The C library's malloc takes no locks until the first thread is made; a program with audio has several.
  std::thread([] {}).join();
  Duel made;
  made.ours = contender<FromPool>("pool", pattern);
  made.peers.push_back(contender<FromMalloc>("malloc+free", pattern));
  if (pattern == Pattern::pair) {
    made.goal.at_most_ns = 25;
    made.goal.times_fastest_peer = 2.5;
  }
  return made;
}

}  // namespace

std::vector<Case> realtime_pool_cases(Devices devices) {
  if (!has_cpu(devices)) return {};
  return {{"realtime_pool/pair/cpu", "take a 4 KiB block, touch it and give it back", Device::cpu(),
           [] { return duel(Pattern::pair); }},
          {"realtime_pool/hold-16/cpu", "take 16 blocks, then give them back; for each block", Device::cpu(),
           [] { return duel(Pattern::held); }},
          {"realtime_pool/two-threads/cpu", "the pair on two threads at once; for each pair of a thread",
           Device::cpu(), [] { return duel(Pattern::contended); }}};
}

}  // namespace ringwave::bench
