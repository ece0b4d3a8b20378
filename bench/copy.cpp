// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include "bench/noise.hpp"
#include "bench/table.hpp"
#include "ringwave/core/buffer.hpp"
#include "ringwave/core/queue.hpp"

namespace ringwave::bench {
namespace {

enum class Way { to_device, to_host, inside };

/// One copy and the wait for it. The data is on its side before the clock starts, another each time.
class Haul {
 public:
  Haul(Device device, std::size_t bytes, HostMemory host_memory, Way way)
      : queue_(device),
        from_(make_buffers(device, bytes, host_memory)),
        to_(device, size(bytes), host_memory),
        bytes_(bytes),
        way_(way) {
    for (std::size_t set = 0; set < from_.size(); ++set)
      from_[set].copy_from(make_noise(static_cast<std::uint32_t>(set), size(bytes)));
    for (Buffer<float>& buffer : from_) (void)buffer.device(queue_);
    queue_.synchronize();
  }

  double copy(std::size_t round) {
    last_ = round % from_.size();
    const void* const from =
        way_ == Way::to_device ? from_[last_].host(queue_).data() : from_[last_].device(queue_).data();
    void* const to = way_ == Way::to_host ? to_.overwrite_host().data() : to_.overwrite_device().data();
    return timed([&](std::size_t) {
      queue_.copy(to, from, bytes_);
      queue_.synchronize();
    })(round);
  }

  [[nodiscard]] Check check() {
    const auto expected = from_[last_].host(queue_);
    const auto found = to_.host(queue_);
    const bool equal = std::equal(expected.begin(), expected.end(), found.begin(), found.end());
    return {equal, 0, equal ? "" : "the copy differs"};
  }

 private:
  static std::size_t size(std::size_t bytes) { return bytes / sizeof(float); }

  static std::vector<Buffer<float>> make_buffers(Device device, std::size_t bytes, HostMemory host_memory) {
    std::vector<Buffer<float>> made;
    made.reserve(2);
    for (int set = 0; set < 2; ++set) made.emplace_back(device, size(bytes), host_memory);
    return made;
  }

  Queue queue_;
  std::vector<Buffer<float>> from_;
  Buffer<float> to_;
  std::size_t bytes_;
  Way way_;
  std::size_t last_ = 0;
};

Duel duel(Device device, std::size_t bytes, HostMemory host_memory, Way way) {
  auto haul = std::make_shared<Haul>(device, bytes, host_memory, way);
  Duel made;
  made.ours = {"copy", 1, [haul](std::size_t round) { return haul->copy(round); },
               [haul] { return haul->check(); }};
  // Inside one memory every byte is read and written; over a bus it passes once.
  made.bytes = static_cast<double>(bytes) * (way == Way::inside ? 2 : 1);
  made.bound = way == Way::inside      ? Bound::memory
               : way == Way::to_device ? Bound::host_to_device
                                       : Bound::device_to_host;
  return made;
}

std::string in_words(std::size_t bytes) {
  return bytes >= 1U << 20 ? std::to_string(bytes >> 20) + "MiB" : std::to_string(bytes >> 10) + "KiB";
}

}  // namespace

std::vector<Case> copy_cases(Devices devices) {
  std::vector<Case> cases;
  for (const Device device : devices) {
    const auto add = [&](const char* name, std::size_t bytes, HostMemory memory, Way way) {
      cases.push_back({std::string("copy/") + name + "-" + in_words(bytes) + "/" + device.name(),
                       "copy through a queue and wait for it", device,
                       [=] { return duel(device, bytes, memory, way); }});
    };
    add("inside", std::size_t{64} << 20, HostMemory::pageable, Way::inside);
    if (device.kind() == DeviceKind::cpu) continue;
    for (const std::size_t bytes : {4U << 10, 64U << 10, 1U << 20, 64U << 20}) {
      add("pinned-to-device", bytes, HostMemory::pinned, Way::to_device);
      add("pinned-to-host", bytes, HostMemory::pinned, Way::to_host);
      add("pageable-to-device", bytes, HostMemory::pageable, Way::to_device);
      add("pageable-to-host", bytes, HostMemory::pageable, Way::to_host);
    }
  }
  return cases;
}

}  // namespace ringwave::bench
