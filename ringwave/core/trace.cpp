// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/trace.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <locale>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "ringwave/core/atomic_file.hpp"
#include "ringwave/core/error.hpp"

namespace ringwave::trace {
namespace {

struct Record {
  std::atomic<const char*> name{nullptr};
  std::atomic<std::uint64_t> begin{0};
  std::atomic<std::uint64_t> end{0};
};

/// One thread writes, the exporter reads: `count` is published after its record.
struct Ring {
  explicit Ring(std::size_t events) : records(events) {}
  std::vector<Record> records;
  std::atomic<std::uint64_t> count{0};
  std::atomic<const char*> thread_name{nullptr};
};

struct Session {
  explicit Session(Spec spec) {
    for (std::size_t i = 0; i < spec.threads; ++i)
      rings.push_back(std::make_unique<Ring>(spec.events_per_thread));
  }
  std::vector<std::unique_ptr<Ring>> rings;
  std::atomic<std::size_t> claimed{0};
  std::chrono::steady_clock::time_point begin_time = std::chrono::steady_clock::now();
  std::uint64_t begin_ticks = detail::ticks();
};

std::mutex sessions_mutex;
// Ended sessions stay: a thread may still hold a pointer into one, even while the program ends. They are as
// few as the calls of start().
auto& sessions = *new std::vector<std::unique_ptr<Session>>;
std::atomic<Session*> current{nullptr};
std::atomic<std::uint64_t> dropped{0};

struct ThreadRing {
  Session* session = nullptr;
  Ring* ring = nullptr;
  const char* name = nullptr;
};
// Constant-initialised and with no destructor, so that the first use in a thread allocates nothing.
constinit thread_local ThreadRing this_thread;

Ring* ring_of_this_thread() noexcept {
  Session* session = current.load(std::memory_order_acquire);
  if (this_thread.session == session) return this_thread.ring;
  this_thread.session = session;
  this_thread.ring = nullptr;
  if (session == nullptr) return nullptr;
  const std::size_t index = session->claimed.fetch_add(1, std::memory_order_relaxed);
  if (index >= session->rings.size()) return nullptr;
  this_thread.ring = session->rings[index].get();
  this_thread.ring->thread_name.store(this_thread.name, std::memory_order_release);
  return this_thread.ring;
}

/// Numbers as JSON wants them, whatever the stream's locale, and as they were afterwards.
class PlainNumbers {
 public:
  explicit PlainNumbers(std::ostream& out)
      : out_(out),
        locale_(out.imbue(std::locale::classic())),
        flags_(out.flags(std::ios::dec)),
        precision_(out.precision(15)) {}
  ~PlainNumbers() {
    out_.precision(precision_);
    out_.flags(flags_);
    out_.imbue(locale_);
  }
  PlainNumbers(const PlainNumbers&) = delete;  // it belongs to one scope
  PlainNumbers& operator=(const PlainNumbers&) = delete;

 private:
  std::ostream& out_;
  std::locale locale_;
  std::ios::fmtflags flags_;
  std::streamsize precision_;
};

/// Nanoseconds a tick, from the two clocks at start and now; a short session waits until they can be told
/// apart.
double nanoseconds_per_tick(const Session& session) {
  using namespace std::chrono_literals;
  const auto elapsed = std::chrono::steady_clock::now() - session.begin_time;
  if (elapsed < 10ms) std::this_thread::sleep_for(10ms - elapsed);
  const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - session.begin_time;
  return time.count() / static_cast<double>(detail::ticks() - session.begin_ticks);
}

void write_string(std::ostream& out, const char* text) {
  out << '"';
  for (; *text != '\0'; ++text) {
    const auto character = static_cast<unsigned char>(*text);
    if (character == '"' || character == '\\')
      out << '\\' << *text;
    else if (character >= 0x20)
      out << *text;
  }
  out << '"';
}

void write_ring(std::ostream& out, const Ring& ring, std::size_t thread, const Session& session,
                double scale) {
  const std::uint64_t count = ring.count.load(std::memory_order_acquire);
  const std::uint64_t size = ring.records.size();
  // The oldest record of a full ring is the one that its thread overwrites next: leave it out.
  for (std::uint64_t i = count > size ? count - size + 1 : 0; i < count; ++i) {
    const Record& record = ring.records[i % size];
    const auto begin = record.begin.load(std::memory_order_acquire);
    const auto end = record.end.load(std::memory_order_acquire);
    const char* name = record.name.load(std::memory_order_acquire);
    // Overwritten meanwhile: reading a new field, by acquire, has made the count before it visible too.
    if (ring.count.load(std::memory_order_relaxed) >= i + size) continue;
    if (name == nullptr || end < begin || begin < session.begin_ticks) continue;
    out << ",\n{\"ph\":\"X\",\"pid\":1,\"tid\":" << thread
        << ",\"ts\":" << static_cast<double>(begin - session.begin_ticks) * scale * 1e-3
        << ",\"dur\":" << static_cast<double>(end - begin) * scale * 1e-3 << ",\"name\":";
    write_string(out, name);
    out << '}';
  }
}

}  // namespace

void start(Spec spec) {
  if (spec.threads == 0 || spec.events_per_thread < 2)
    throw InvalidArgument("a trace needs at least one thread and two events a thread");
  const std::scoped_lock lock(sessions_mutex);
  sessions.push_back(std::make_unique<Session>(spec));
  dropped.store(0, std::memory_order_relaxed);
  current.store(sessions.back().get(), std::memory_order_release);
  detail::enabled.store(true, std::memory_order_release);
}

void stop() noexcept {
  detail::enabled.store(false, std::memory_order_release);
}

void name_thread(const char* name) noexcept {
  this_thread.name = name;
  if (this_thread.ring != nullptr) this_thread.ring->thread_name.store(name, std::memory_order_release);
}

std::uint64_t dropped_spans() noexcept {
  return dropped.load(std::memory_order_relaxed);
}

void detail::record(const char* name, std::uint64_t begin, std::uint64_t end) noexcept {
  Ring* ring = ring_of_this_thread();
  if (ring == nullptr) {
    dropped.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  const std::uint64_t count = ring->count.load(std::memory_order_relaxed);
  Record& record = ring->records[count % ring->records.size()];
  record.name.store(name, std::memory_order_release);
  record.begin.store(begin, std::memory_order_release);
  record.end.store(end, std::memory_order_release);
  ring->count.store(count + 1, std::memory_order_release);
}

void write(std::ostream& out) {
  const std::scoped_lock lock(sessions_mutex);
  const PlainNumbers plain(out);
  out << R"({"displayTimeUnit":"ns","traceEvents":[{"ph":"M","pid":1,"tid":0,"name":"process_name","args":{"name":"ringwave"}})";
  if (const Session* session = current.load(std::memory_order_acquire); session != nullptr) {
    const double scale = nanoseconds_per_tick(*session);
    const std::size_t claimed =
        std::min(session->claimed.load(std::memory_order_acquire), session->rings.size());
    for (std::size_t thread = 0; thread < claimed; ++thread) {
      const Ring& ring = *session->rings[thread];
      if (const char* name = ring.thread_name.load(std::memory_order_acquire); name != nullptr) {
        out << ",\n{\"ph\":\"M\",\"pid\":1,\"tid\":" << thread << R"(,"name":"thread_name","args":{"name":)";
        write_string(out, name);
        out << "}}";
      }
      write_ring(out, ring, thread, *session, scale);
    }
  }
  out << "]}\n";
}

void write(const std::string& path) {
  AtomicFile file(path);
  write(file.stream());
  file.commit();
}

}  // namespace ringwave::trace
