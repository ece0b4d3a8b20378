// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/loudness.hpp"

#include <cmath>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "apps/cli/audio_job.hpp"
#include "apps/cli/commands.hpp"
#include "ringwave/core/trace.hpp"

namespace ringwave::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  AudioInput input;
  bool json = false;
};

/// JSON has no infinity: what has no value, as silence or too short, is null.
Json finite_or_null(double value) {
  return std::isfinite(value) ? Json(std::round(value * 100) / 100) : Json(nullptr);
}

/// What there is no whole window of: 0.4 s for a loudness, 3 s for the short-term one and the range, which is
/// made of those.
struct TooShort {
  bool integrated;
  bool short_term;

  TooShort(const dsp::Loudness& loudness, int sample_rate_hz)
      : integrated(loudness.seconds(sample_rate_hz) < dsp::Loudness::kMomentarySeconds),
        short_term(loudness.seconds(sample_rate_hz) < dsp::Loudness::kShortTermSeconds) {}

  [[nodiscard]] Json names() const {
    Json list = Json::array();
    if (integrated) list.push_back("integrated_lufs");
    if (short_term) list.insert(list.end(), {"range_lu", "max_short_term_lufs"});
    return list;
  }
};

/// Of less than one window, what a meter shows at its end: silence before it counts.
double highest_momentary(const dsp::Loudness& loudness, const TooShort& too_short) {
  return too_short.integrated ? loudness.momentary_lufs() : loudness.max_momentary_lufs();
}

void print_json(const io::AudioReader& reader, const dsp::Loudness& loudness, const TooShort& too_short) {
  const double range_lu = too_short.short_term ? NAN : loudness.range_lu();
  std::cout << Json{{"input", reader.name()},
                    {"channels", reader.channels()},
                    {"sample_rate_hz", reader.sample_rate_hz()},
                    {"frames", loudness.frames()},
                    {"integrated_lufs", finite_or_null(loudness.integrated_lufs())},
                    {"range_lu", finite_or_null(range_lu)},
                    {"max_momentary_lufs", finite_or_null(highest_momentary(loudness, too_short))},
                    {"max_short_term_lufs", finite_or_null(loudness.max_short_term_lufs())},
                    {"sample_peak_dbfs", finite_or_null(loudness.sample_peak_dbfs())},
                    {"true_peak_dbtp", finite_or_null(loudness.true_peak_dbtp())},
                    {"too_short_for", too_short.names()},
                    {"nonfinite_samples", loudness.nonfinite_samples()}}
                   .dump(2)
            << '\n';
}

void print_line(const char* name, double value, const char* unit, bool too_short = false) {
  if (too_short)
    std::printf("%-22s %s\n", name, "too short");
  else if (std::isfinite(value))
    std::printf("%-22s %7.1f %s\n", name, value, unit);
  else
    std::printf("%-22s %7s\n", name, "silence");
}

void print_text(const dsp::Loudness& loudness, const TooShort& too_short) {
  print_line("integrated", loudness.integrated_lufs(), "LUFS", too_short.integrated);
  print_line("range", loudness.range_lu(), "LU", too_short.short_term);
  print_line("highest momentary", highest_momentary(loudness, too_short), "LUFS");
  print_line("highest short-term", loudness.max_short_term_lufs(), "LUFS", too_short.short_term);
  print_line("sample peak", loudness.sample_peak_dbfs(), "dBFS");
  print_line("true peak", loudness.true_peak_dbtp(), "dBTP");
  if (loudness.nonfinite_samples() > 0)
    std::fprintf(stderr, "ringwave: %lld samples were not finite and were taken as silence\n",
                 static_cast<long long>(loudness.nonfinite_samples()));
}

ExitCode measure(const Options& options) {
  const trace::Span span("loudness");
  AudioJob job(options.input);
  dsp::Loudness loudness({job.reader().channels(), job.reader().sample_rate_hz()});
  job.analyse("measuring", [&](BlockView<float> block) { loudness.add(block); });
  const TooShort too_short(loudness, job.reader().sample_rate_hz());
  if (options.json)
    print_json(job.reader(), loudness, too_short);
  else
    print_text(loudness, too_short);
  return ExitCode::ok;
}

}  // namespace

void add_loudness(CLI::App& app, Common& common, Run& run) {
  CLI::App& command = add_command(app, common, "loudness",
                                  "Measure the loudness of an audio file by EBU R 128, and its peaks");
  const auto options = std::make_shared<Options>();
  options->input.add_to(command);
  command.add_flag("--json", options->json, "Print JSON");
  command.callback([&run, options] { run = [options] { return measure(*options); }; });
}

}  // namespace ringwave::cli
