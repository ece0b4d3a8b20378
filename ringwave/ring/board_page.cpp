// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/board_page.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "ringwave/core/error.hpp"

namespace ringwave::ring {
namespace {

/// Raised with every change of Head or Record.
constexpr std::uint32_t kFormat = 2;

struct Head {
  char magic[8] = {'R', 'W', 'B', 'O', 'A', 'R', 'D', '\n'};
  std::uint32_t format = kFormat;
  std::uint32_t kernels = 0;
  std::int64_t process = 0;
  std::uint64_t started = 0;
  std::int64_t written_ns = 0;
  std::uint32_t left_out = 0;
  std::uint32_t unused = 0;
  char program[32]{};
};

struct Record {
  char kernel[64];
  char handler[64];
  char device[16];
  std::uint32_t runtime;
  std::uint32_t state;
  std::uint64_t processed, expired, duplicates, dropped, errors, polls, busy_ns;
  std::int64_t last_ns;
  std::uint64_t sent, rejected, dropped_newest, dropped_oldest, dropped_at_end, undelivered, restarts;
  std::uint64_t depth[kBands];
  std::uint64_t peak[kBands];
  std::uint64_t uptime_ns;
  std::uint64_t busy_millionths;
  std::uint64_t latency_count;
  std::int64_t min_ns, p50_ns, p99_ns, max_ns;
  char last_error[256];
};
static_assert(std::is_trivially_copyable_v<Head> && std::is_trivially_copyable_v<Record>);
static_assert(std::has_unique_object_representations_v<Head> &&
                  std::has_unique_object_representations_v<Record>,
              "no padding: every byte of a page is written");
static_assert(sizeof(Head) + BoardPage::kMostKernels * sizeof(Record) <= BoardPage::kMostBytes);

template <std::size_t size>
void put(char (&place)[size], std::string_view text) {
  std::memcpy(place, text.data(), std::min(size - 1, text.size()));
}

template <std::size_t size>
std::string text_of(const char (&place)[size]) {
  return {place, std::find(place, place + size, '\0')};
}

/// What is a time or a share in a page; never below 0, and never too large to be an integer.
std::uint64_t scaled(double value, double scale) {
  constexpr double kMost = 1e18;
  return value > 0 ? static_cast<std::uint64_t>(std::min(value * scale, kMost)) : 0;
}

Record record_of(const Telemetry& t) {
  Record r{};
  put(r.kernel, t.kernel);
  put(r.handler, t.handler);
  put(r.device, t.device);
  put(r.last_error, t.last_error);
  r.runtime = t.runtime;
  r.state = static_cast<std::uint32_t>(t.state);
  r.processed = t.counts.processed;
  r.expired = t.counts.expired;
  r.duplicates = t.counts.duplicates;
  r.dropped = t.counts.dropped;
  r.errors = t.counts.errors;
  r.polls = t.counts.polls;
  r.busy_ns = t.counts.busy_ns;
  r.last_ns = t.counts.last_ns;
  r.sent = t.sent;
  r.rejected = t.rejected;
  r.dropped_newest = t.dropped_newest;
  r.dropped_oldest = t.dropped_oldest;
  r.dropped_at_end = t.dropped_at_end;
  r.undelivered = t.undelivered;
  r.restarts = t.restarts;
  std::ranges::copy(t.depth, r.depth);
  std::ranges::copy(t.peak, r.peak);
  r.uptime_ns = scaled(t.uptime_s, 1e9);
  r.busy_millionths = scaled(t.busy_ratio, 1e6);
  r.latency_count = t.latency.count;
  r.min_ns = t.latency.min_ns;
  r.p50_ns = t.latency.p50_ns;
  r.p99_ns = t.latency.p99_ns;
  r.max_ns = t.latency.max_ns;
  return r;
}

Telemetry telemetry_of(const Record& r) {
  if (r.state > static_cast<std::uint32_t>(State::failed))
    throw BadFile("has a kernel in state " + std::to_string(r.state) + ", which there is not; remove it");
  Telemetry t{
      .kernel = text_of(r.kernel),
      .handler = text_of(r.handler),
      .device = text_of(r.device),
      .runtime = r.runtime,
      .state = static_cast<State>(r.state),
      .counts = {r.processed, r.expired, r.duplicates, r.dropped, r.errors, r.polls, r.busy_ns, r.last_ns},
      .sent = r.sent,
      .rejected = r.rejected,
      .dropped_newest = r.dropped_newest,
      .dropped_oldest = r.dropped_oldest,
      .dropped_at_end = r.dropped_at_end,
      .undelivered = r.undelivered,
      .restarts = r.restarts,
      .uptime_s = static_cast<double>(r.uptime_ns) * 1e-9,
      .busy_ratio = static_cast<double>(r.busy_millionths) * 1e-6,
      .latency = {r.latency_count, r.min_ns, r.p50_ns, r.p99_ns, r.max_ns},
      .last_error = text_of(r.last_error)};
  std::ranges::copy(r.depth, t.depth.begin());
  std::ranges::copy(r.peak, t.peak.begin());
  return t;
}

/// The beginning of a page whose records are all there.
Head head_of(std::string_view bytes) {
  Head head;
  if (bytes.size() < sizeof head || std::memcmp(bytes.data(), head.magic, sizeof head.magic) != 0)
    throw BadFile("is no board of ring kernels; remove it");
  std::memcpy(&head, bytes.data(), sizeof head);
  if (head.format != kFormat)
    throw BadFile("is of another version of Ringwave (format " + std::to_string(head.format) + ", known is " +
                  std::to_string(kFormat) + "); use the `ringwave` of that program");
  const std::size_t wanted = sizeof head + std::size_t{head.kernels} * sizeof(Record);
  if (head.kernels > BoardPage::kMostKernels || bytes.size() != wanted)
    throw BadFile("is torn: it has " + std::to_string(bytes.size()) + " bytes, and its " +
                  std::to_string(head.kernels) + " kernels need " + std::to_string(wanted) + "; remove it");
  if (head.process <= 0) throw BadFile("is of a process that there cannot be; remove it");
  return head;
}

}  // namespace

std::string write_board_page(const BoardPage& page) {
  const std::size_t count = std::min(page.kernels.size(), BoardPage::kMostKernels);
  Head head;
  head.kernels = static_cast<std::uint32_t>(count);
  head.process = page.process;
  head.started = page.started;
  head.written_ns = page.written_ns;
  head.left_out = page.left_out + static_cast<std::uint32_t>(page.kernels.size() - count);
  put(head.program, page.program);
  std::string bytes(sizeof head + count * sizeof(Record), '\0');
  std::memcpy(bytes.data(), &head, sizeof head);
  for (std::size_t i = 0; i < count; ++i) {
    const Record record = record_of(page.kernels[i]);
    std::memcpy(bytes.data() + sizeof head + i * sizeof record, &record, sizeof record);
  }
  return bytes;
}

BoardPage read_board_page(std::string_view bytes) {
  const Head head = head_of(bytes);
  BoardPage page{.process = head.process,
                 .started = head.started,
                 .written_ns = head.written_ns,
                 .program = text_of(head.program),
                 .left_out = head.left_out};
  page.kernels.reserve(head.kernels);
  for (std::size_t i = 0; i < head.kernels; ++i) {
    Record record;
    std::memcpy(&record, bytes.data() + sizeof head + i * sizeof record, sizeof record);
    page.kernels.push_back(telemetry_of(record));
  }
  return page;
}

}  // namespace ringwave::ring
