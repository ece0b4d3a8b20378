// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/runtime.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <new>
#include <thread>

#include "ringwave/core/device_list.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/core/thread_name.hpp"
#include "ringwave/ring/board.hpp"
#include "ringwave/ring/cpu/doorbell.hpp"
#include "ringwave/ring/fork_watch.hpp"
#include "ringwave/ring/forwarder.hpp"
#include "ringwave/ring/handlers.hpp"
#include "ringwave/ring/kernel_core.hpp"
#include "ringwave/ring/kernel_table.hpp"
#include "ringwave/ring/ring_clock.hpp"

namespace ringwave::ring {
namespace {

Runtime::Spec checked(const Runtime::Spec& spec) {
  start_ring_clock();
  if (spec.requests < 1 || spec.requests > 65535)
    throw InvalidArgument("a runtime for " + std::to_string(spec.requests) +
                          " requests at a time was asked for; use 1 to 65535");
  if (spec.max_reply_bytes > kMostPayloadBytes)
    throw InvalidArgument("a runtime for replies of " + std::to_string(spec.max_reply_bytes) +
                          " bytes was asked for; use at most 65536");
  return spec;
}

Device concrete(Device device) {
  if (!device.is_automatic()) return device;
  for (const Device candidate : Device::all())
    if (candidate.kind() == DeviceKind::cuda && !candidate.lost()) return candidate;
  return Device::cpu();
}

}  // namespace

/// What all kernels share.
struct Runtime::Inside {
  explicit Inside(const Spec& spec)
      : device(concrete(spec.device)),
        desk(device, spec.requests, spec.max_reply_bytes),
        whereabouts(device),
        sends_by_host(spec.sends_by_host) {}

  void require_own_process() const {
    if (fork_generation() != generation)
      throw InvalidState(
          "a runtime of ring kernels was used in a forked process, where its threads are not; make a Runtime "
          "in the child");
  }

  /// Has what kernels on a GPU send to others elsewhere forwarded, from the first time that there are both.
  /// With the mutex held.
  void forward_for(const std::shared_ptr<KernelCore>& made) {
    const auto is_on_gpu = [](const auto& kernel) { return kernel->place() != Whereabouts::kCpu; };
    if (forwards) {
      if (is_on_gpu(made)) forwarder.add(made);
      return;
    }
    const auto is_elsewhere = [&](const auto& kernel) { return kernel->place() != made->place(); };
    if (std::ranges::none_of(kernels, is_on_gpu) ||
        (!sends_by_host && std::ranges::none_of(kernels, is_elsewhere)))
      return;
    forwarder.start();
    forwards = true;
    for (const auto& kernel : kernels)
      if (is_on_gpu(kernel)) forwarder.add(kernel);
  }

  void supervise() {
    name_thread("ring supervisor");
    constexpr std::int64_t kLookNs = 2'000'000;
    BoardPlace place;
    while (!stopping.load(std::memory_order_acquire)) {
      for (const auto& kernel : snapshot()) kernel->supervise();
      bin->empty();
      forwarder.let_go();
      if (place.is_due()) place.post(telemetry(place.posted()));
      const std::uint32_t ticket = bell.listen();
      if (stopping.load(std::memory_order_seq_cst))
        bell.leave();
      else
        bell.sleep(ticket, ring_now_ns() + kLookNs);
    }
  }

  [[nodiscard]] std::vector<std::shared_ptr<KernelCore>> snapshot() const {
    const std::lock_guard lock(mutex);
    return kernels;
  }

  /// Of all that are not terminated, without a wait for any of them; `before` is what they told last.
  [[nodiscard]] std::vector<Telemetry> telemetry(const std::vector<Telemetry>& before) const {
    std::vector<Telemetry> told;
    for (const auto& kernel : snapshot()) {
      if (kernel->state() == State::terminated) continue;
      Telemetry& last = told.emplace_back();
      if (auto now = kernel->try_telemetry()) {
        last = std::move(*now);
        continue;
      }
      // Somebody waits for it to begin, to pause or to end: its counts can be read nevertheless.
      const auto known = std::ranges::find(before, kernel->spec().name, &Telemetry::kernel);
      if (known != before.end()) last = *known;
      last.kernel = kernel->spec().name;
      last.handler = kernel->spec().handler;
      last.device = kernel->device();
      last.state = kernel->state();
      last.counts = kernel->counts();
    }
    return told;
  }

  const Device device;
  ReplyDesk desk;
  Whereabouts whereabouts;
  KernelTable table;
  Forwarder forwarder{desk, table};
  bool forwards = false;
  const bool sends_by_host;
  const std::shared_ptr<ParcelBin> bin = std::make_shared<ParcelBin>();
  const std::uint32_t generation = fork_generation();
  mutable std::mutex mutex;
  std::vector<std::shared_ptr<KernelCore>> kernels;
  std::atomic<bool> stopping{false};
  Doorbell bell;
  std::thread supervisor;
};

Runtime::Runtime(Spec spec) : inside_(std::make_shared<Inside>(checked(spec))) {
  inside_->supervisor = std::thread([inside = inside_.get()] { inside->supervise(); });
}

Runtime::~Runtime() {
  if (fork_generation() != inside_->generation) {
    // Its thread and whatever its kernels would wait for stayed in the parent: nothing of it is destroyed.
    inside_->supervisor.detach();
    inside_->forwarder.abandon();
    using Kept = std::shared_ptr<Inside>;
    alignas(Kept) static std::byte kept[sizeof(Kept)];
    ::new (kept) Kept(inside_);
    return;
  }
  (void)shut_down(Kernel::kPatience);
  inside_->forwarder.stop();
  inside_->stopping.store(true, std::memory_order_seq_cst);
  inside_->bell.ring();
  inside_->supervisor.join();
  inside_->bin->close();
  // Kernels keep the inside alive, for handles and for handlers that were left behind; it does not keep them.
  std::vector<std::shared_ptr<KernelCore>> kernels;
  const std::lock_guard lock(inside_->mutex);
  kernels.swap(inside_->kernels);
  for (const auto& kernel : kernels) inside_->table.clear(kernel->number());
}

Kernel Runtime::create(KernelSpec spec, std::span<const std::byte> state) {
  inside_->require_own_process();
  const HandlerEntry entry = Handlers::instance().find(spec.handler);
  if (spec.name.empty()) spec.name = spec.handler;
  require_valid(spec);
  if (!state.empty() && state.size() != entry.state_bytes)
    throw InvalidArgument("handler '" + entry.name + "' has a state of " + std::to_string(entry.state_bytes) +
                          " bytes; " + std::to_string(state.size()) + " were given");
  Device device = spec.device.is_automatic() ? inside_->device : spec.device;
  if (spec.device.is_automatic() && device.kind() == DeviceKind::cuda &&
      (entry.cuda.launch == nullptr || device.lost()))
    device = Device::cpu();
  if (device.kind() == DeviceKind::cuda && inside_->device.kind() != DeviceKind::cuda)
    throw InvalidArgument("kernel '" + spec.name + "' was asked for on " + device.name() +
                          ", but its runtime is on " + inside_->device.name() +
                          ", and no GPU reaches its memory; make a Runtime for a GPU");
  if (device.kind() == DeviceKind::cuda && entry.cuda.launch == nullptr)
    throw DeviceUnavailable("handler '" + entry.name + "' was asked for on " + device.name() +
                            ", but it was compiled without nvcc; use auto or cpu");

  const std::lock_guard lock(inside_->mutex);
  auto& kernels = inside_->kernels;
  std::erase_if(kernels, [&](const auto& kernel) {
    const bool gone = kernel->state() == State::terminated;
    if (gone) inside_->table.clear(kernel->number());
    return gone;
  });
  for (const auto& kernel : kernels)
    if (kernel->spec().name == spec.name)
      throw InvalidArgument("there already is a kernel '" + spec.name +
                            "'; give the second one another name");
  const std::uint16_t number = inside_->table.free_number();
  if (number == 0)
    throw InvalidArgument("a runtime holds at most " + std::to_string(KernelTable::kMostKernels) +
                          " kernels; terminate one, or make a second Runtime");

  HostRequest request{.spec = spec,
                      .handler = entry,
                      .number = number,
                      .desk = std::shared_ptr<ReplyDesk>(inside_, &inside_->desk),
                      .table = std::shared_ptr<KernelTable>(inside_, &inside_->table),
                      .whereabouts = std::shared_ptr<Whereabouts>(inside_, &inside_->whereabouts),
                      .place = Whereabouts::place_of(device),
                      .sends_by_host = inside_->sends_by_host};
  if (state.empty()) state = entry.initial();
  request.state.assign(state.begin(), state.end());
  auto host = device.kind() == DeviceKind::cuda
                  ? DeviceList::instance().cuda_module()->interface().make_ring_host(device, request)
                  : make_thread_host(request);
  kernels.push_back(std::make_shared<KernelCore>(std::move(request), device.name(), std::move(host)));
  inside_->table.set(number, *kernels.back());
  inside_->forward_for(kernels.back());
  return Kernel(kernels.back());
}

Parcel Runtime::wrap(std::shared_ptr<const void> owner, std::span<const std::byte> bytes, bool is_mapped) {
  constexpr std::size_t kMostBytes = ~std::uint32_t{0};
  if (bytes.size() > kMostBytes)
    throw InvalidArgument(std::to_string(bytes.size()) +
                          " bytes were to be wrapped for ring kernels; use at most " +
                          std::to_string(kMostBytes));
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % 16 != 0)
    throw InvalidArgument(
        "memory was to be wrapped for ring kernels that does not begin at a multiple of 16 bytes; use a "
        "Buffer, which does");
  return Parcel(new ParcelBlock(inside_->bin, std::move(owner), bytes, is_mapped));
}

Kernel Runtime::find(std::string_view name) const {
  inside_->require_own_process();
  std::string known;
  for (const auto& kernel : inside_->snapshot()) {
    if (kernel->spec().name == name) return Kernel(kernel);
    known += (known.empty() ? "" : ", ") + kernel->spec().name;
  }
  throw InvalidArgument("kernel '" + std::string(name) + "' was asked for; there " +
                        (known.empty() ? std::string("is none") : "are: " + known));
}

std::vector<Kernel> Runtime::kernels() const {
  inside_->require_own_process();
  std::vector<Kernel> all;
  for (auto& kernel : inside_->snapshot()) all.push_back(Kernel(std::move(kernel)));
  return all;
}

Device Runtime::device() const noexcept {
  return inside_->device;
}

bool Runtime::shut_down(Kernel::Duration timeout) noexcept {
  if (fork_generation() != inside_->generation) return true;  // they are the parent's
  const std::int64_t deadline = ring_deadline_ns(timeout);
  bool all = true;
  for (const auto& kernel : inside_->snapshot())
    all = kernel->terminate(std::chrono::nanoseconds{std::max<std::int64_t>(0, deadline - ring_now_ns())}) &&
          all;
  return all;
}

}  // namespace ringwave::ring
