// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/ring_top.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "apps/cli/interruption.hpp"
#include "apps/cli/keyboard.hpp"
#include "apps/cli/ring_list.hpp"
#include "apps/cli/standard_output.hpp"
#include "apps/cli/text_table.hpp"
#include "bench/duration.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/core/number_text.hpp"
#include "ringwave/ring/board_folder.hpp"

namespace ringwave::cli {
namespace {

using ring::BoardPage;
using ring::Boards;
using ring::Telemetry;

/// Messages a second of each kernel, from what it had processed when its process wrote last.
class Rates {
 public:
  /// None where there was no other time yet. Every kernel is asked for once for each table. [setup]
  std::optional<double> update(const BoardPage& page, const Telemetry& kernel) {
    const Moment now{page.written_ns, kernel.counts.processed};
    const auto [place, is_new] =
        known_.try_emplace({page.process, page.started, kernel.runtime, kernel.kernel}, Known{now, {}});
    Known& known = place->second;
    if (is_new) return {};
    const Moment before = known.at;
    if (now.processed < before.processed) {
      known.rate.reset();  // it is another kernel of the same name
    } else if (now.written_ns > before.written_ns) {
      const double seconds = static_cast<double>(now.written_ns - before.written_ns) * 1e-9;
      known.rate = static_cast<double>(now.processed - before.processed) / seconds;
    }
    known.at = now;
    return known.rate;
  }

 private:
  struct Moment {
    std::int64_t written_ns;
    std::uint64_t processed;
  };
  struct Known {
    Moment at;
    std::optional<double> rate;
  };
  std::map<std::tuple<std::int64_t, std::uint64_t, std::uint32_t, std::string>, Known> known_;
};

std::string rate_text(std::optional<double> rate) {
  if (!rate) return "-";
  char text[48];
  std::snprintf(text, sizeof text, "%.0f", *rate);
  return text;
}

std::string latency_text(const Telemetry& kernel, std::int64_t ns) {
  return kernel.latency.count == 0 ? "-" : bench::format_duration(static_cast<double>(ns));
}

std::string percent_text(double ratio) {
  char text[48];
  std::snprintf(text, sizeof text, "%.1f %%", ratio * 100);
  return text;
}

/// The titles and a line for each kernel.
std::vector<std::string> lines_of(const Boards& boards, Rates& rates) {
  constexpr auto kRight = TextTable::Side::right;
  TextTable table({{"process"},
                   {"kernel"},
                   {"device"},
                   {"state"},
                   {"msg/s", kRight},
                   {"inbox", kRight},
                   {"peak", kRight},
                   {"p50", kRight},
                   {"p99", kRight},
                   {"max", kRight},
                   {"busy", kRight},
                   {"drops", kRight},
                   {"errors", kRight},
                   {"restarts", kRight},
                   {"last error"}});
  for (const BoardPage& page : boards.pages)
    for (const Telemetry& kernel : page.kernels)
      table.add({process_text(page), kernel.kernel, kernel.device, std::string(to_string(kernel.state)),
                 rate_text(rates.update(page, kernel)), std::to_string(inbox_of(kernel)),
                 std::to_string(peak_of(kernel)), latency_text(kernel, kernel.latency.p50_ns),
                 latency_text(kernel, kernel.latency.p99_ns), latency_text(kernel, kernel.latency.max_ns),
                 percent_text(kernel.busy_ratio), std::to_string(drops_of(kernel)),
                 std::to_string(kernel.counts.errors), std::to_string(kernel.restarts), kernel.last_error});
  return table.lines();
}

/// A terminal's whole screen, or the end of a file.
class Display {
 public:
  void show(const Boards& boards, Rates& rates) {
    const std::vector<std::string> lines = lines_of(boards, rates);
    on_terminal_ ? fill_screen(boards, lines) : append(lines);
    std::fflush(stdout);
  }

  [[nodiscard]] bool on_terminal() const noexcept { return on_terminal_; }

 private:
  void fill_screen(const Boards& boards, std::vector<std::string> lines) const {
    if (lines.size() == 1) lines = {kNoKernels};
    for (std::string& remark : remarks_on(boards)) lines.push_back(std::move(remark));
    for (const std::string& fault : boards.faults) lines.push_back(harmless(fault));
    const winsize size = window();
    if (lines.size() >= size.ws_row) {
      const std::size_t more = lines.size() - (size.ws_row - 2U);
      lines.resize(size.ws_row - 2U);
      lines.push_back(std::to_string(more) + " lines more than fit here");
    }
    std::fputs("\033[H\033[2J", stdout);
    for (const std::string& line : lines) std::printf("%s\n", cut_to(line, size.ws_col).c_str());
  }

  /// Titles stand before rows where there were none; that there are none is said once.
  void append(std::span<const std::string> lines) {
    if (lines.size() == 1) {
      if (last_ != Last::sentence) std::printf("%s\n", kNoKernels);
      last_ = Last::sentence;
      return;
    }
    for (const std::string& line : lines.subspan(last_ == Last::rows ? 1 : 0))
      std::printf("%s\n", line.c_str());
    last_ = Last::rows;
  }

  static winsize window() {
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row < 4 || size.ws_col < 10)
      return {.ws_row = 24, .ws_col = 80, .ws_xpixel = 0, .ws_ypixel = 0};
    return size;
  }

  const bool on_terminal_ = isatty(STDOUT_FILENO) != 0;
  enum class Last : std::uint8_t { nothing, sentence, rows } last_ = Last::nothing;
};

}  // namespace

void watch_kernels(double interval_seconds, int count) {
  constexpr double kLeastSeconds = 0.1;
  constexpr double kMostSeconds = 3600;
  if (!(interval_seconds >= kLeastSeconds && interval_seconds <= kMostSeconds))
    throw InvalidArgument("an interval of " + number_text(interval_seconds) +
                          " s was asked for; use 0.1 to 3600");
  if (count < 0)
    throw InvalidArgument("a count of " + std::to_string(count) +
                          " was asked for; use 1 or more, or 0 for no end");
  const Interruption interruption;
  Keyboard keyboard;
  Display display;
  Rates rates;
  std::set<std::string> told;
  for (int shown = 0;;) {
    Boards boards = ring::read_boards(ring::BoardFolder::usual());
    if (!display.on_terminal()) {
      std::erase_if(boards.faults, [&](const std::string& fault) { return !told.insert(fault).second; });
      report_faults(boards);
    }
    display.show(boards, rates);
    require_printed();
    if (++shown == count) return;
    if (keyboard.wait_for_end(std::chrono::duration<double>(interval_seconds), *Interruption::flag()) ||
        Interruption::flag()->load())
      return;
  }
}

}  // namespace ringwave::cli
