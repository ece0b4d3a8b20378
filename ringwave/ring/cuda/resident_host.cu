// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/cuda/resident_host.cuh"

#include <algorithm>
#include <array>
#include <atomic>
#include <optional>
#include <utility>

#include "ringwave/core/cuda/cuda_runtime.cuh"
#include "ringwave/core/cuda/device_scope.cuh"
#include "ringwave/core/cuda/memory.cuh"
#include "ringwave/core/cuda/stream.cuh"
#include "ringwave/core/residents.hpp"
#include "ringwave/ring/cuda/host_inbox.cuh"
#include "ringwave/ring/cuda/peers.cuh"
#include "ringwave/ring/cuda/resident_arguments.hpp"
#include "ringwave/ring/far_box.hpp"
#include "ringwave/ring/far_fence.hpp"
#include "ringwave/ring/kernel_table.hpp"
#include "ringwave/ring/parcel_ledger.hpp"
#include "ringwave/ring/patience.hpp"
#include "ringwave/ring/request_ledger.hpp"
#include "ringwave/ring/slot_ring.hpp"
#include "ringwave/ring/verdict.hpp"

namespace ringwave::ring::cuda {
namespace {

using ringwave::cuda::CudaRuntime;
using ringwave::cuda::DeviceArray;
using ringwave::cuda::DeviceScope;
using ringwave::cuda::Stream;

/// What a kernel and its host show each other, in host memory.
struct Papers {
  ControlBlock control;
  TelemetryBlock telemetry;
  LatencyBuckets latency;
};

/// What clear() wants to know of the inbox for other kernels.
struct PeerboxState {
  std::uint64_t next[kBands];
  std::uint64_t tail[kBands];
  alignas(16) std::byte slot[Slot::kPayload];
};

/// A kernel that is resident on a GPU.
class ResidentHost final : public KernelHost {
 public:
  ResidentHost(Device device, HostRequest request)
      : request_(std::move(request)),
        device_(CudaRuntime::of(device)),
        scope_(std::in_place, device_.index()),
        stride_(Slot::stride(request_.spec.max_payload_bytes)),
        capacity_(request_.spec.inbox_capacity),
        papers_memory_(device, sizeof(Papers)),
        inbox_(device, capacity_, request_.spec.max_payload_bytes),
        requests_(capacity_),
        parcels_(capacity_),
        outbox_(device, request_.spec.outbox_capacity, request_.spec.max_payload_bytes),
        dead_(device, request_.spec.outbox_capacity, request_.spec.max_payload_bytes),
        far_(device, request_.spec.max_payload_bytes),
        first_state_(device, std::max<std::size_t>(1, request_.state.size())),
        saved_state_(device, std::max(sizeof(PeerboxState), request_.state.size())),
        state_(std::max<std::size_t>(1, request_.state.size())),
        payload_((request_.spec.max_payload_bytes + 15) / 16 * 16),
        memory_(1),
        blocks_memory_(1),
        peerbox_(kBands * capacity_ * stride_),
        peers_(peers_of(request_.table.get(), device_.index())) {
    require_fitting(device);
    std::ranges::copy(request_.state, first_state_.data());
    device_.require(static_cast<cudaError_t>(request_.handler.cuda.load()),
                    "loading the kernel of handler '" + request_.handler.name + "'");
    is_cluster_ = request_.handler.cuda.fits_cluster(static_cast<std::uint32_t>(request_.spec.blocks),
                                                     request_.spec.threads);
    introduce();
    scope_.reset();
  }

  ~ResidentHost() override {
    ResidentHost::command(Command::end);
    constexpr std::int64_t kPatienceNs = 1'000'000'000;
    if (started_) (void)ResidentHost::join(ring_now_ns() + kPatienceNs);
  }

  void connect(std::span<const std::uint16_t> targets) override {
    constexpr std::size_t kMost = std::size(ResidentArguments{}.target);
    if (targets.size() > kMost)
      throw InvalidArgument("a kernel was to be connected to " + std::to_string(targets.size()) +
                            " others; on a GPU it may have " + std::to_string(kMost));
    request_.targets.assign(targets.begin(), targets.end());
  }

  void start() override {
    const DeviceScope scope(device_.index());
    if (!ResidentHost::join(ring_now_ns()))
      throw InvalidState("ring kernel '" + request_.spec.name + "' was to be launched on " +
                         device_.profile().name + " while it is still there; terminate it");
    ControlBlock& control = this->control();
    poke(control.command, static_cast<std::uint32_t>(Command::hold));
    poke(control.phase, static_cast<std::uint32_t>(Phase::absent));
    poke(control.busy_since_ns, std::int64_t{0});
    reason_.clear();
    device_.require(cudaMemcpyAsync(state_.data(), first_state_.data(), request_.state.size(),
                                    cudaMemcpyHostToDevice, stream_.get()),
                    "copying a handler's state");
    device_.require(cudaMemsetAsync(blocks_memory_.data(), 0, sizeof(BlocksMemory), stream_.get()),
                    "preparing the blocks of a kernel");
    launch();
    Patience patience(ring_deadline_ns(std::chrono::seconds{2}));
    while (phase() == Phase::absent)
      if (!patience.wait())
        throw TimedOut("ring kernel '" + request_.spec.name + "' was launched on " + device_.profile().name +
                       " and did not begin within 2 s; other work fills every SM: let it end first");
    compare_clocks(100'000'000);
  }

  void command(Command command) noexcept override {
    poke_release(control().command, static_cast<std::uint32_t>(command));
  }

  [[nodiscard]] Phase phase() const noexcept override {
    return static_cast<Phase>(peek_acquire(control().phase) & 0xffffU);
  }

  void examine() noexcept override {
    for (std::size_t band = 0; band < kBands; ++band)
      parcels_.sweep(band, peek_acquire(control().settled[band]));
    if (!started_) return;
    const DeviceScope scope(device_.index());
    const cudaError_t error = cudaStreamQuery(stream_.get());
    if (error == cudaErrorNotReady || error == cudaSuccess) {
      // Two clocks drift apart by some microseconds in a second.
      constexpr std::int64_t kSecondNs = 1'000'000'000;
      if (error == cudaErrorNotReady && ring_now_ns() - compared_ns_ > kSecondNs) compare_clocks(1'000'000);
      return;
    }
    (void)device_.note(error);
    blame(std::string("the device failed: ") + cudaGetErrorString(error) +
          "; make a Runtime on another device ('cpu' always works)");
    poke_release(control().phase, static_cast<std::uint32_t>(Phase::failed));
  }

  [[nodiscard]] bool device_lost() const noexcept override { return device_.lost(); }

  bool join(std::int64_t deadline_ns) noexcept override {
    if (!started_) return true;
    const DeviceScope scope(device_.index());
    Patience patience(deadline_ns);
    for (;;) {
      const cudaError_t error = cudaStreamQuery(stream_.get());
      if (error == cudaSuccess) break;
      if (error != cudaErrorNotReady) {
        (void)device_.note(error);
        break;
      }
      if (!patience.wait()) return false;
    }
    started_ = false;
    Residents::instance().leave();
    return true;
  }

  /// What the cells hold is there sooner inside.
  [[nodiscard]] bool takes(const BufferReference& reference) const noexcept override {
    return reference.block->is_mapped &&
           reference.bytes > std::min(Slot::kMostCellBytes, request_.spec.max_payload_bytes);
  }
  Delivery try_send(const MessageHead& head, const void* payload) noexcept override {
    const std::size_t band = band_of(head.priority);
    std::atomic<std::uint64_t>& claims = tail_[band];
    std::uint64_t index = claims.load(std::memory_order_relaxed);
    do {
      if (is_full(index, freed_[band].load(std::memory_order_relaxed))) {
        const std::uint64_t freed = peek_acquire(control().settled[band]);
        freed_[band].store(freed, std::memory_order_relaxed);
        if (is_full(index, freed)) return Delivery::full;
      }
      if (!requests_.is_free(band, index)) return Delivery::full;
    } while (!claim(claims, index));
    if (is_by_reference(head)) parcels_.hold(band, index, reference_in(payload).block);
    inbox_.write(band, index, head, payload);
    requests_.note(band, index, head);
    return Delivery::ok;
  }

  bool drop_oldest(std::size_t band) noexcept override {
    // The kernel drops what is below; it looks every microsecond. Whether it was handled instead, it knows.
    // The floor makes room for one message behind those that were claimed, not behind those that are there
    // now: in a ring that has emptied meanwhile it drops nothing.
    std::atomic_ref<std::uint64_t> floor(control().floors[band]);
    std::uint64_t below = floor.load(std::memory_order_relaxed);
    const std::uint64_t wanted = tail_[band].load(std::memory_order_relaxed) + 1 - capacity_;
    while (below < wanted && !floor.compare_exchange_weak(below, wanted, std::memory_order_relaxed)) {
    }
    return false;
  }

  Delivery try_receive(Letter& letter) noexcept override { return outbox_.try_receive(letter); }
  Delivery try_receive_dead(Letter& letter) noexcept override { return dead_.try_receive(letter); }
  bool try_take_far(std::size_t band, Letter& letter) noexcept override {
    return far_.try_take(band, letter);
  }

  std::uint64_t clear(Delivery why) noexcept override {
    std::uint64_t count = 0;
    // A sender claims a message and then looks whether the kernel is there: one of us sees the other. A lone
    // one has nothing in between; of a lost device this is called again and again.
    if (request_.spec.one_sender && !device_.lost()) far_fence();
    std::atomic_thread_fence(std::memory_order_seq_cst);
    std::uint64_t tails[kBands];
    std::uint64_t answered[kBands];  // all before it
    bool has_any = false;
    for (std::size_t band = 0; band < kBands; ++band) {
      tails[band] = answered[band] = tail_[band].load(std::memory_order_acquire);
      for (std::uint64_t index = peek(control().settled[band]); index < tails[band]; ++index) {
        // Who has claimed it is about to write it; the slot is not used again before.
        MessageHead request;
        Patience patience(ring_deadline_ns(std::chrono::seconds{1}));
        bool is_written = false;
        while (!(is_written = requests_.find(band, index, request)) && patience.wait()) {
        }
        // One that is held up for so long sees by itself that the kernel is gone, and clears from there.
        if (!is_written) answered[band] = std::min(answered[band], index);
        if (is_written) tell_verdict_again(*request_.desk, request, why);
        has_any = true;
        count += index >= skip_[0][band] ? 1 : 0;  // others were counted before
      }
    }
    if (has_any) far_fence();  // what senders have stored has left their CPUs before slots are used again
    for (std::size_t band = 0; band < kBands; ++band) {
      skip_[0][band] = tails[band];
      poke_release(control().settled[band], answered[band]);
      parcels_.release_below(band, answered[band]);
    }
    return count + clear_peerbox(why);
  }

  [[nodiscard]] std::uint64_t sent() const noexcept override {
    std::uint64_t sum = 0;
    for (const auto& tail : tail_) sum += tail.load(std::memory_order_acquire);
    return sum;
  }
  [[nodiscard]] std::uint64_t depth(std::size_t band) const noexcept override {
    const std::uint64_t settled = peek_acquire(control().settled[band]);
    const std::uint64_t tail = tail_[band].load(std::memory_order_acquire);
    return tail > settled ? tail - settled : 0;
  }
  [[nodiscard]] TelemetryBlock counts() const noexcept override {
    const std::uint64_t processed = peek_acquire(papers().telemetry.processed);
    TelemetryBlock block = copy_of(papers().telemetry);
    block.processed = processed;
    return block;
  }
  [[nodiscard]] LatencySummary latency() const noexcept override { return summary_of(papers().latency); }
  [[nodiscard]] std::int64_t busy_since_ns() const noexcept override {
    return peek_acquire(control().busy_since_ns);
  }

  [[nodiscard]] std::string failure() const override {
    if (!reason_.empty()) return reason_;
    switch (peek(control().phase) >> ControlBlock::kFailure) {
      case ControlBlock::by_handler:
        return "the handler failed with code " + std::to_string(peek(control().code));
      case ControlBlock::overrun:
        return "the handler went beyond the end of a payload; compare with view.size()";
      default:
        return "the handler took longer than its limit";
    }
  }

  void give_up(const std::string& reason) noexcept override {
    blame(reason);
    poke_release(control().command, ControlBlock::kGiveUp);
    // A handler that asks whether it should stop returns now; another one is ended by force, and with it all
    // that this process has on the device.
    constexpr std::int64_t kGraceNs = 200'000'000;
    if (join(ring_now_ns() + kGraceNs)) return;
    poke_release(control().command, ControlBlock::kKill);
    (void)join(ring_now_ns() + kGraceNs);
  }

  void save_state(std::span<std::byte> state) override {
    const DeviceScope scope(device_.index());
    copy(saved_state_.data(), state_.data(), state.size());
    std::copy_n(saved_state_.data(), state.size(), state.data());
  }

  void load_state(std::span<const std::byte> state) override {
    const DeviceScope scope(device_.index());
    std::ranges::copy(state, saved_state_.data());
    copy(state_.data(), saved_state_.data(), state.size());
  }

 private:
  /// False, and `index` is the next one, where another thread has claimed it.
  bool claim(std::atomic<std::uint64_t>& claims, std::uint64_t& index) const noexcept {
    if (!request_.spec.one_sender)
      return claims.compare_exchange_weak(index, index + 1, std::memory_order_relaxed);
    claims.store(index + 1, std::memory_order_relaxed);
    return true;
  }

  void blame(const std::string& reason) noexcept {
    try {
      reason_ = reason;
    } catch (const std::bad_alloc&) {
      reason_.clear();
    }
  }

  void launch() {
    const ResidentArguments arguments = this->arguments();
    Residents::instance().arrive();
    const auto error = static_cast<cudaError_t>(
        request_.handler.cuda.launch(arguments, request_.spec.threads, stream_.get()));
    if (error != cudaSuccess) Residents::instance().leave();
    device_.require(error, "launching ring kernel '" + request_.spec.name + "'");
    started_ = true;
  }

  /// Over a stream of its own: the kernel fills its stream as long as it lives.
  void copy(void* to, const void* from, std::size_t bytes) {
    device_.require(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, side_stream_.get()),
                    "copying a handler's state");
    device_.require(cudaStreamSynchronize(side_stream_.get()), "copying a handler's state");
  }

  /// The same for what other kernels have sent, who may be writing what they have claimed; where the device
  /// is lost, so is that.
  std::uint64_t clear_peerbox(Delivery why) noexcept {
    std::uint64_t count = 0;
    if (device_.lost()) return count;
    try {
      const DeviceScope scope(device_.index());
      auto& memory = *reinterpret_cast<PeerboxState*>(saved_state_.data());
      copy(&memory.next, memory_.data()->next[1], sizeof memory.next);
      copy(&memory.tail, memory_.data()->tail, sizeof memory.tail);
      const WireRing ring = ring_of(peerbox_.data());
      for (std::size_t band = 0; band < kBands; ++band) {
        const std::uint64_t tail = memory.tail[band] & ~Peer::kClosed;  // the last: nobody claims any more
        for (std::uint64_t index = std::max(memory.next[band], skip_[1][band]); index < tail;
             ++index, ++count) {
          MessageHead head;
          Patience patience(ring_deadline_ns(std::chrono::seconds{1}));
          bool is_whole = false;
          do copy(memory.slot, ring.slot(index, band), Slot::kPayload);
          while (!(is_whole = read_cells_at_kernel(memory.slot, ring.epoch(index), ring_now_ns(), head)) &&
                 patience.wait());
          if (is_whole) tell_verdict_again(*request_.desk, head, why);
        }
        skip_[1][band] = tail;
      }
    } catch (const std::exception&) {
      return count;
    }
    return count;
  }

  /// Tells other kernels of the runtime where this one's inbox is.
  void introduce() {
    Peer peer{.inbox = ring_of(peerbox_.data()),
              .tail = memory_.data()->tail,
              .freed = memory_.data()->freed,
              .max_payload = static_cast<std::uint32_t>(request_.spec.max_payload_bytes),
              .waits = request_.spec.backpressure == Backpressure::block ? 1U : 0U};
    copy(peers_->data() + request_.number, &peer, sizeof peer);
  }

  [[nodiscard]] ResidentArguments arguments() const {
    ControlBlock& control = this->control();
    ResidentArguments a;
    a.state = state_.data();
    a.payload = payload_.data();
    a.memory = memory_.data();
    a.blocks_memory = blocks_memory_.data();
    a.blocks = static_cast<std::uint32_t>(request_.spec.blocks);
    a.is_cluster = is_cluster_ ? 1 : 0;
    a.control = &control;
    a.telemetry = &papers().telemetry;
    a.latency = &papers().latency;
    for (std::size_t source = 0; source < 2; ++source) std::ranges::copy(skip_[source], a.skip[source]);
    a.inbox[0] = inbox_.at_device();
    a.mail = inbox_.mail();
    a.inbox[1] = ring_of(peerbox_.data());
    a.drops = request_.spec.backpressure == Backpressure::drop_oldest ? 1 : 0;
    a.outbox = outbox_.wire();
    a.outbox_taken = outbox_.taken();
    a.dead = dead_.wire();
    a.dead_taken = dead_.taken();
    a.desk = request_.desk->slots();
    a.desk_stride = static_cast<std::uint32_t>(request_.desk->stride());
    a.max_reply = static_cast<std::uint32_t>(request_.desk->max_payload_bytes());
    a.max_payload = static_cast<std::uint32_t>(request_.spec.max_payload_bytes);
    a.peers = peers_->data();
    a.whereabouts = request_.whereabouts->words();
    a.place = request_.sends_by_host ? Whereabouts::kNowhere : request_.place;
    a.far = far_.wire();
    a.far_taken = far_.taken();
    a.window = static_cast<std::uint32_t>(request_.spec.duplicate_window);
    a.waits = request_.spec.backpressure == Backpressure::block ? 1 : 0;
    a.tells_busy = request_.spec.handler_limit.count() > 0 ? 1 : 0;
    static std::atomic<std::uint32_t> launches{0};
    a.launch = ++launches;
    a.number = request_.number;
    a.targets = static_cast<std::uint16_t>(request_.targets.size());
    std::ranges::copy(request_.targets, a.target);
    return a;
  }

  /// A kernel that took every SM would leave none to other work.
  void require_fitting(Device device) const {
    const int most = most_blocks(device);
    if (request_.spec.blocks > most)
      throw InvalidArgument("kernel '" + request_.spec.name + "' was asked for with " +
                            std::to_string(request_.spec.blocks) + " blocks; use at most " +
                            std::to_string(most) + " on " + device_.profile().name +
                            ", so that a quarter of it is left to other work");
  }

  /// An inbox in that memory.
  [[nodiscard]] WireRing ring_of(std::byte* slots) const { return WireRing::of(slots, capacity_, stride_); }

  /// How far the device's clock is from ours: of several looks the quickest. A device that takes longer than
  /// `most_ns` is asked again later.
  void compare_clocks(std::int64_t most_ns) noexcept {
    ControlBlock& control = this->control();
    std::int64_t least = INT64_MAX;
    std::int64_t offset = 0;
    compared_ns_ = ring_now_ns();
    for (int i = 0; i < 8; ++i) {
      const std::uint32_t ping = peek(control.ping) + 1;
      const std::int64_t before = ring_now_ns();
      poke_release(control.ping, ping);
      while (peek_acquire(control.pong) != ping)
        if (ring_now_ns() - before > most_ns) return;
      const std::int64_t after = ring_now_ns();
      if (after - before >= least) continue;
      least = after - before;
      offset = before + least / 2 - peek(control.pong_ns);
    }
    poke_release(control.clock_offset_ns, offset);
  }

  [[nodiscard]] Papers& papers() const noexcept { return *reinterpret_cast<Papers*>(papers_memory_.data()); }
  [[nodiscard]] ControlBlock& control() const noexcept { return papers().control; }
  /// Signed: a sender that was held up may know an index that was freed long ago.
  [[nodiscard]] bool is_full(std::uint64_t index, std::uint64_t freed) const noexcept {
    return static_cast<std::int64_t>(index - freed) >= static_cast<std::int64_t>(capacity_);
  }
  HostRequest request_;
  CudaRuntime& device_;
  std::optional<DeviceScope> scope_;  // while the members below are made
  std::size_t stride_;
  std::size_t capacity_;
  SharedMemory papers_memory_;
  HostInbox inbox_;
  RequestLedger requests_;
  ParcelLedger parcels_;
  SlotRing outbox_;
  SlotRing dead_;
  FarBox far_;
  SharedMemory first_state_;
  SharedMemory saved_state_;
  DeviceArray<std::byte> state_;
  DeviceArray<std::byte> payload_;
  DeviceArray<ResidentMemory> memory_;
  DeviceArray<BlocksMemory> blocks_memory_;
  DeviceArray<std::byte> peerbox_;
  std::shared_ptr<DeviceArray<Peer>> peers_;
  Stream stream_ = Stream::first();
  Stream side_stream_ = Stream::first();
  alignas(64)
      std::array<std::atomic<std::uint64_t>, kBands> tail_{};  // messages whose slots senders have claimed
  alignas(64) std::array<std::atomic<std::uint64_t>, kBands> freed_{};  // as senders last saw it
  std::array<std::array<std::uint64_t, kBands>, 2> skip_{};  // messages of each source that clear() answered
  std::string reason_;
  std::int64_t compared_ns_ = 0;  // the clocks
  bool is_cluster_ = false;
  bool started_ = false;
};

}  // namespace

std::unique_ptr<KernelHost> make_resident_host(Device device, HostRequest request) {
  return std::make_unique<ResidentHost>(device, std::move(request));
}

}  // namespace ringwave::ring::cuda
