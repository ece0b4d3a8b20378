// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/telemetry_text.hpp"

#include <array>
#include <charconv>
#include <string_view>

namespace ringwave::ring {
namespace {

std::string number(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

/// A label's value may hold anything; three letters of it must be written otherwise.
std::string quoted(std::string_view value) {
  std::string text = "\"";
  for (const char letter : value) {
    if (letter == '\\' || letter == '"') text += '\\';
    text += letter == '\n' ? std::string_view("\\n") : std::string_view(&letter, 1);
  }
  return text + '"';
}

class Page {
 public:
  explicit Page(std::span<const Telemetry> kernels) : kernels_(kernels) {}

  /// A family with a line for each kernel.
  template <class Value>
  void add(std::string_view name, std::string_view help, std::string_view type, const Value& value) {
    head(name, help, type);
    for (const Telemetry& kernel : kernels_) line(name, kernel, {}, value(kernel));
  }

  /// The same with a line for each of `kinds`, which are values of a further label.
  template <class Value>
  void add_by(std::string_view name, std::string_view help, std::string_view type, std::string_view label,
              std::span<const std::string_view> kinds, const Value& value) {
    head(name, help, type);
    for (const Telemetry& kernel : kernels_)
      for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
        std::string more = ",";
        more.append(label).append("=").append(quoted(kinds[kind]));
        line(name, kernel, more, value(kernel, kind));
      }
  }

  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  void head(std::string_view name, std::string_view help, std::string_view type) {
    text_.append("# HELP ringwave_ring_").append(name).append(" ").append(help).append("\n");
    text_.append("# TYPE ringwave_ring_").append(name).append(" ").append(type).append("\n");
  }

  void line(std::string_view name, const Telemetry& kernel, std::string_view more, double value) {
    text_.append("ringwave_ring_").append(name);
    text_.append("{kernel=").append(quoted(kernel.kernel));
    text_.append(",handler=").append(quoted(kernel.handler));
    text_.append(",device=").append(quoted(kernel.device));
    if (kernel.runtime != 0) text_.append(",runtime=").append(quoted(std::to_string(kernel.runtime)));
    text_.append(more);
    text_.append("} ").append(number(value)).append("\n");
  }

  std::span<const Telemetry> kernels_;
  std::string text_;
};

constexpr std::array<std::string_view, kBands> kBandNames{"low", "normal", "high", "system"};

double real(std::uint64_t count) {
  return static_cast<double>(count);
}

}  // namespace

std::string prometheus_text(std::span<const Telemetry> kernels) {
  using T = Telemetry;
  Page page(kernels);
  page.add("sent_total", "Messages that came into the inbox.", "counter",
           [](const T& t) { return real(t.sent); });
  page.add("processed_total", "Messages whose handler returned.", "counter",
           [](const T& t) { return real(t.counts.processed); });
  page.add("expired_total", "Messages whose deadline had passed.", "counter",
           [](const T& t) { return real(t.counts.expired); });
  page.add("duplicates_total", "Messages of an id that was handled a short while ago.", "counter",
           [](const T& t) { return real(t.counts.duplicates); });
  page.add("errors_total", "Handlers that failed or refused.", "counter",
           [](const T& t) { return real(t.counts.errors); });
  page.add("restarts_total", "Starts after a failure.", "counter",
           [](const T& t) { return real(t.restarts); });
  page.add("polls_total", "Looks into the inbox.", "counter",
           [](const T& t) { return real(t.counts.polls); });
  constexpr std::array<std::string_view, 6> kReasons{"full",   "newest", "oldest",
                                                     "kernel", "ended",  "undelivered"};
  page.add_by("dropped_total", "Messages that were not handled, by reason.", "counter", "reason", kReasons,
              [](const T& t, std::size_t reason) {
                const std::array counts{t.rejected,       t.dropped_newest, t.dropped_oldest,
                                        t.counts.dropped, t.dropped_at_end, t.undelivered};
                return real(counts[reason]);
              });
  page.add_by("inbox_messages", "Messages that wait.", "gauge", "band", kBandNames,
              [](const T& t, std::size_t band) { return real(t.depth[band]); });
  page.add_by("inbox_peak_messages", "The most that ever waited, as senders saw it.", "gauge", "band",
              kBandNames, [](const T& t, std::size_t band) { return real(t.peak[band]); });
  constexpr std::array<std::string_view, 4> kPoints{"0", "0.5", "0.99", "1"};
  page.add_by("latency_seconds", "From the send to the handler's beginning.", "gauge", "quantile", kPoints,
              [](const T& t, std::size_t point) {
                const std::array ns{t.latency.min_ns, t.latency.p50_ns, t.latency.p99_ns, t.latency.max_ns};
                return static_cast<double>(ns[point]) * 1e-9;
              });
  page.add("busy_ratio", "Share of the time inside handlers.", "gauge",
           [](const T& t) { return t.busy_ratio; });
  page.add("uptime_seconds", "Since the last launch.", "gauge", [](const T& t) { return t.uptime_s; });
  constexpr std::array kStates{State::created,     State::launched,   State::active, State::paused,
                               State::terminating, State::terminated, State::failed};
  std::array<std::string_view, kStates.size()> names{};
  for (std::size_t i = 0; i < kStates.size(); ++i) names[i] = to_string(kStates[i]);
  page.add_by("state", "1 for the state that the kernel is in.", "gauge", "state", names,
              [&](const T& t, std::size_t state) { return t.state == kStates[state] ? 1.0 : 0.0; });
  return page.take();
}

}  // namespace ringwave::ring
