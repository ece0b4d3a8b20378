// SPDX-License-Identifier: Apache-2.0
#include "bench/mailbox.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>
#include <thread>

#include "ringwave/core/error.hpp"
#include "ringwave/core/opened_library.hpp"
#include "ringwave/core/spsc_ring.hpp"

namespace ringwave::bench {
namespace {

using SteadyClock = std::chrono::steady_clock;

/// What ends the kernel: no number gets there.
constexpr std::uint64_t kEnd = ~std::uint64_t{0};

/// Looks without a new number after which the kernel ends on its own, should the bench have died. One takes
/// the bus about a microsecond: half a minute.
constexpr std::uint32_t kMostLooks = 30'000'000;

/// Longer than a small machine holds a thread up, and shorter than the kernel waits.
constexpr std::chrono::seconds kLong{5};

/// Relaxed: the number is all there is to the message. The driver compiles it for its GPU.
constexpr const char* kKernel = R"(
.version 6.4
.target sm_70
.address_size 64

.visible .entry mailbox_kernel(.param .u64 there, .param .u64 back, .param .u64 end, .param .u32 most_looks)
{
  .reg .u64 %there, %back, %end, %last, %now;
  .reg .u32 %most_looks, %looks;
  .reg .pred %is_new, %is_end, %may_look;

  ld.param.u64 %there, [there];
  ld.param.u64 %back, [back];
  ld.param.u64 %end, [end];
  ld.param.u32 %most_looks, [most_looks];
  cvta.to.global.u64 %there, %there;
  cvta.to.global.u64 %back, %back;
  mov.u64 %last, 0;

WAIT:
  mov.u32 %looks, 0;
LOOK:
  ld.relaxed.sys.global.u64 %now, [%there];
  setp.ne.u64 %is_new, %now, %last;
  @%is_new bra ANSWER;
  add.u32 %looks, %looks, 1;
  setp.lt.u32 %may_look, %looks, %most_looks;
  @%may_look bra LOOK;
  ret;

ANSWER:
  setp.eq.u64 %is_end, %now, %end;
  @%is_end ret;
  st.relaxed.sys.global.u64 [%back], %now;
  mov.u64 %last, %now;
  bra WAIT;
}
)";

/// A word each way, each in lines of its own.
struct Words {
  alignas(kCacheLinePair) std::atomic<std::uint64_t> there;
  alignas(kCacheLinePair) std::atomic<std::uint64_t> back;
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "the kernel sees the number and nothing else");

void require(int result, const std::string& asked) {
  if (result != 0)
    throw DeviceUnavailable("the NVIDIA driver refused " + asked + " with error " + std::to_string(result));
}

}  // namespace

/// The part of the library's C interface that is used here.
struct Mailbox::Driver {
  using Handle = void*;  // of a context, a module, a function, a stream

  static constexpr int kNotReady = 600;
  static constexpr unsigned kPortableAndMapped = 0x01 | 0x02;
  static constexpr unsigned kNonBlocking = 0x01;

  Driver() {
    const OpenedLibrary library("libcuda.so.1", "there is no NVIDIA driver on this machine",
                                "a newer NVIDIA driver");
    library.load("cuInit", init);
    library.load("cuDevicePrimaryCtxRetain", retain);
    library.load("cuDevicePrimaryCtxRelease_v2", release);
    library.load("cuCtxPushCurrent_v2", push);
    library.load("cuCtxPopCurrent_v2", pop);
    library.load("cuModuleLoadData", load_module);
    library.load("cuModuleUnload", unload_module);
    library.load("cuModuleGetFunction", find_function);
    library.load("cuMemHostAlloc", allocate);
    library.load("cuMemFreeHost", free);
    library.load("cuStreamCreate", make_stream);
    library.load("cuStreamDestroy_v2", destroy_stream);
    library.load("cuStreamQuery", query);
    library.load("cuLaunchKernel", launch);
  }

  static const Driver& instance() {
    static const Driver driver;
    return driver;
  }

  int (*init)(unsigned flags) = nullptr;
  int (*retain)(Handle* context, int device) = nullptr;
  int (*release)(int device) = nullptr;
  int (*push)(Handle context) = nullptr;
  int (*pop)(Handle* context) = nullptr;
  int (*load_module)(Handle* module, const void* image) = nullptr;
  int (*unload_module)(Handle module) = nullptr;
  int (*find_function)(Handle* function, Handle module, const char* name) = nullptr;
  int (*allocate)(void** memory, std::size_t bytes, unsigned flags) = nullptr;
  int (*free)(void* memory) = nullptr;
  int (*make_stream)(Handle* stream, unsigned flags) = nullptr;
  int (*destroy_stream)(Handle stream) = nullptr;
  int (*query)(Handle stream) = nullptr;
  int (*launch)(Handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                unsigned block_y, unsigned block_z, unsigned shared_bytes, Handle stream, void** arguments,
                void** extra) = nullptr;
};

/// What a mailbox is made of, in the order in which it is made.
struct Mailbox::Pieces {
  explicit Pieces(int index) : device(index) {}
  ~Pieces() {
    if (context == nullptr) return;  // it is the first
    {
      const Current current(*this);
      if (stream != nullptr) (void)driver.destroy_stream(stream);
      if (memory != nullptr) (void)driver.free(memory);
      if (module != nullptr) (void)driver.unload_module(module);
    }
    (void)driver.release(device);
  }
  Pieces(const Pieces&) = delete;  // one owner
  Pieces& operator=(const Pieces&) = delete;

  /// The device's context is the calling thread's current one while this lives.
  class Current {
   public:
    explicit Current(const Pieces& pieces) : driver_(pieces.driver) { (void)driver_.push(pieces.context); }
    ~Current() {
      Driver::Handle popped = nullptr;
      (void)driver_.pop(&popped);
    }
    Current(const Current&) = delete;  // it belongs to one scope of one thread
    Current& operator=(const Current&) = delete;

   private:
    const Driver& driver_;
  };

  void make() {
    require(driver.init(0), "to begin");
    require(driver.retain(&context, device), "the GPU's context");  // which CUDA's runtime has as well
    const Current current(*this);
    require(driver.load_module(&module, kKernel), "the mailbox's kernel");
    require(driver.find_function(&function, module, "mailbox_kernel"), "the mailbox's kernel");
    require(driver.allocate(&memory, sizeof(Words), Driver::kPortableAndMapped), "pinned memory");
    require(driver.make_stream(&stream, Driver::kNonBlocking), "a stream");
  }

  /// The device has the memory at the same address.
  [[nodiscard]] Words& words() const noexcept { return *static_cast<Words*>(memory); }

  /// `first` is what the kernel finds when it begins.
  [[nodiscard]] int launch(std::uint64_t first) const noexcept {
    const Current current(*this);
    words().there.store(first, std::memory_order_relaxed);
    words().back.store(0, std::memory_order_relaxed);
    std::uint64_t there = reinterpret_cast<std::uintptr_t>(&words().there);
    std::uint64_t back = reinterpret_cast<std::uintptr_t>(&words().back);
    std::uint64_t end = kEnd;
    std::uint32_t most_looks = kMostLooks;
    void* arguments[] = {&there, &back, &end, &most_looks};
    return driver.launch(function, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr);
  }

  /// Asks again and again: whoever waits in the driver may wait for other kernels, too. 0, an error of the
  /// kernel, or that it is still there after a while.
  [[nodiscard]] int join() const noexcept {
    const Current current(*this);
    const auto deadline = SteadyClock::now() + kLong;
    int result = driver.query(stream);
    while (result == Driver::kNotReady && SteadyClock::now() < deadline) {
      std::this_thread::yield();
      result = driver.query(stream);
    }
    return result;
  }

  const Driver& driver = Driver::instance();
  int device;
  Driver::Handle context = nullptr;
  Driver::Handle module = nullptr;
  Driver::Handle function = nullptr;
  Driver::Handle stream = nullptr;
  void* memory = nullptr;
};

Mailbox::Mailbox(Device device) : pieces_(std::make_unique<Pieces>(device.index())) {
  pieces_->make();
  require(pieces_->launch(kEnd), "to launch the mailbox's kernel");
  require(pieces_->join(), "to end the mailbox's kernel");
}

Mailbox::~Mailbox() = default;

Mailbox::Awake::Awake(Mailbox& owner) : owner_(owner) {
  owner_.number_ = 0;
  owner_.is_silent_ = owner_.pieces_->launch(0) != 0;
}

/// A kernel that has not begun, for want of room, finds that it shall end when it does.
Mailbox::Awake::~Awake() {
  owner_.pieces_->words().there.store(kEnd, std::memory_order_relaxed);
  (void)owner_.pieces_->join();
}

bool Mailbox::round_trip() noexcept {
  if (is_silent_) return false;
  Words& words = pieces_->words();
  const std::uint64_t number = ++number_;
  words.there.store(number, std::memory_order_relaxed);
  constexpr std::uint32_t kLooks = 1U << 16U;  // between looks at the clock
  auto deadline = SteadyClock::time_point::max();
  for (std::uint32_t looks = 1; words.back.load(std::memory_order_relaxed) != number; ++looks) {
    if (looks % kLooks != 0) continue;
    const auto now = SteadyClock::now();
    if (deadline == SteadyClock::time_point::max()) deadline = now + kLong;
    is_silent_ = now > deadline;
    if (is_silent_) return false;
  }
  return true;
}

Check Mailbox::check() const {
  return {!is_silent_, 0, is_silent_ ? "the kernel does not answer" : ""};
}

}  // namespace ringwave::bench
