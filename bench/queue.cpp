// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/queue.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "bench/table.hpp"
#include "ringwave/core/buffer.hpp"

namespace ringwave::bench {
namespace {

constexpr std::size_t kBytes = 1024;
constexpr std::size_t kNodes = 20;

/// The smallest real work that every device knows, the filling of a kilobyte, so that what is measured is
/// the way there and back.
class Errand {
 public:
  explicit Errand(Device device) : queue_(device), memory_(device, kBytes) {
    for (const std::byte value : kGraphValues)
      graphs_.push_back(queue_.capture([this, value] { fill(kNodes, value); }));
  }

  void one(std::size_t round) {
    expected_ = static_cast<std::byte>(round % 251);
    fill(1, expected_);
    queue_.synchronize();
  }

  void one_by_one(std::size_t round) {
    expected_ = static_cast<std::byte>(round % 251);
    fill(kNodes, expected_);
    queue_.synchronize();
  }

  void replay(std::size_t round) {
    expected_ = kGraphValues[round % 2];
    const Status status = queue_.launch(graphs_[round % 2]);
    if (status != Status::ok) status_ = status;
    (void)memory_.overwrite_device();
    queue_.synchronize();
  }

  [[nodiscard]] Check check() {
    if (status_ != Status::ok) return {false, 0, std::string(to_string(status_))};
    const auto found = memory_.host(queue_);
    const bool right =
        std::all_of(found.begin(), found.end(), [this](std::byte b) { return b == expected_; });
    return {right, 0, right ? "" : "the memory was not filled"};
  }

 private:
  /// Two graphs take turns, so that each has to undo the other's work.
  static constexpr std::array<std::byte, 2> kGraphValues{std::byte{0xa5}, std::byte{0x5a}};

  void fill(std::size_t times, std::byte value) {
    for (std::size_t i = 0; i < times; ++i) queue_.fill(memory_.overwrite_device().data(), value, kBytes);
  }

  Queue queue_;
  Buffer<std::byte> memory_;
  std::vector<Graph> graphs_;
  std::byte expected_{0};
  Status status_ = Status::ok;
};

using Way = void (Errand::*)(std::size_t round);

Contender contender(const char* name, Device device, Way way) {
  auto errand = std::make_shared<Errand>(device);
  return {name, 1, timed([errand, way](std::size_t round) { ((*errand).*way)(round); }),
          [errand] { return errand->check(); }};
}

Duel duel(Device device, Way way, bool idle_gaps) {
  Duel made;
  made.ours = contender("queue", device, way);
  made.least_samples = 1000;
  if (idle_gaps) made.idle_gap = kIdleGap;
  if (way == &Errand::replay && !idle_gaps)
    made.peers.push_back(contender("the same 20 one by one", device, &Errand::one_by_one));
  return made;
}

}  // namespace

std::vector<Case> queue_cases(Devices devices) {
  std::vector<Case> cases;
  for (const Device device : devices)
    for (const bool idle_gaps : {false, true}) {
      const std::string where = (idle_gaps ? "-idle-gaps/" : "/") + device.name();
      const std::string when = idle_gaps ? ", with a real-time caller's pause before" : "";
      cases.push_back({"queue/submit" + where, "fill a kilobyte and wait for it" + when, device,
                       [=] { return duel(device, &Errand::one, idle_gaps); }});
      cases.push_back({"queue/graph-20" + where, "replay a graph of 20 such fills and wait" + when, device,
                       [=] { return duel(device, &Errand::replay, idle_gaps); }});
    }
  return cases;
}

}  // namespace ringwave::bench
