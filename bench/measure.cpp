// SPDX-License-Identifier: Apache-2.0
#include "bench/measure.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <thread>

#include "bench/duration.hpp"
#include "bench/stolen_time.hpp"

namespace ringwave::bench {
namespace {

using SteadyClock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

/// A ceiling for very fast cases: more samples would only fill memory.
constexpr std::size_t kMostRounds = 200'000;

struct Turn {
  const Contender* contender;
  double slow_factor;
  std::vector<double> samples;  // nanoseconds an operation
  bool failed = false;
};

/// Waits `nanoseconds` without giving the core away and returns how long it really was.
double spin(double nanoseconds) {
  const auto begin = SteadyClock::now();
  double elapsed = 0;
  while (elapsed < nanoseconds)
    elapsed = std::chrono::duration<double, std::nano>(SteadyClock::now() - begin).count();
  return elapsed;
}

double take_sample(const Turn& turn, std::size_t round) {
  double nanoseconds = turn.contender->sample(round);
  if (turn.slow_factor > 1) nanoseconds += spin(nanoseconds * (turn.slow_factor - 1));
  return nanoseconds / static_cast<double>(turn.contender->operations);
}

/// One sample of everybody. Every other round goes backwards, so that nobody always runs in the same wake.
double play(std::vector<Turn>& turns, std::size_t round, std::chrono::microseconds idle_gap, bool keep) {
  double busy_seconds = 0;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    Turn& turn = turns[round % 2 == 0 ? i : turns.size() - 1 - i];
    if (turn.failed) continue;
    if (idle_gap.count() > 0) std::this_thread::sleep_for(idle_gap);
    const auto begin = SteadyClock::now();
    const double sample = take_sample(turn, round);
    busy_seconds += Seconds(SteadyClock::now() - begin).count();
    turn.failed = !std::isfinite(sample);
    if (keep && !turn.failed) turn.samples.push_back(sample);
  }
  return busy_seconds;
}

void play_all(std::vector<Turn>& turns, const Duel& duel, const Effort& effort) {
  const double budget = effort.budget.count() * static_cast<double>(turns.size());
  const double asked = std::ceil(static_cast<double>(duel.least_samples) * effort.least_samples_part);
  const std::size_t least = std::max<std::size_t>(3, static_cast<std::size_t>(asked));
  std::size_t round = 0;
  for (double spent = 0; round < 2 || spent < budget / 10; ++round) {
    spent += play(turns, round, duel.idle_gap, false);
    if (round >= least) break;
  }
  double spent = 0;
  // A real-time case asks for its samples by number: its time is spent asleep.
  const bool by_number = duel.idle_gap.count() > 0;
  for (std::size_t kept = 0; kept < std::max(kMostRounds, least); ++kept, ++round) {
    if (kept >= least && (by_number || spent >= budget)) break;
    spent += play(turns, round, duel.idle_gap, true);
  }
}

Check check_of(const Turn& turn) {
  if (turn.failed) return {false, 0, "it failed while it was measured"};
  return turn.contender->check ? turn.contender->check() : Check{true, 0, "not checked"};
}

std::string in_words(const char* format, double value) {
  char text[96];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::vector<Verdict> judge(const Goal& goal, const Result& result) {
  std::vector<Verdict> verdicts;
  if (goal.at_most_ns)
    verdicts.push_back(
        {"at most " + format_duration(*goal.at_most_ns), result.summary.median <= *goal.at_most_ns});
  if (goal.at_most_p999_ns)
    verdicts.push_back({"999 of a thousand at most " + format_duration(*goal.at_most_p999_ns),
                        result.summary.p999 <= *goal.at_most_p999_ns});
  if (goal.times_fastest_peer && !result.peers.empty()) {
    const auto fastest =
        std::min_element(result.peers.begin(), result.peers.end(),
                         [](const PeerResult& a, const PeerResult& b) { return a.ratio < b.ratio; });
    verdicts.push_back({in_words("at least %.3g times as fast as the fastest peer", *goal.times_fastest_peer),
                        fastest->ratio >= *goal.times_fastest_peer});
  }
  if (goal.tail) {
    const auto peer = std::ranges::find(result.peers, goal.tail->peer, &PeerResult::name);
    if (peer != result.peers.end())
      verdicts.push_back({in_words("999 of a thousand at most %.3g times ", goal.tail->at_most_times) +
                              goal.tail->peer + "'s",
                          result.summary.p999 <= goal.tail->at_most_times * peer->summary.p999});
  }
  if (goal.at_most_error)
    verdicts.push_back(
        {in_words("off by at most %.3g", *goal.at_most_error), result.check.error <= *goal.at_most_error});
  return verdicts;
}

}  // namespace

Result measure(const Case& bench_case, const Effort& effort) {
  Result result;
  result.name = bench_case.name;
  result.device = bench_case.device.name();
  const Duel duel = bench_case.prepare();
  result.bound = duel.bound;
  result.notes = duel.notes;
  result.skipped = duel.skipped;
  if (!result.skipped.empty()) return result;

  std::vector<Turn> turns{{&duel.ours, effort.slow_factor, {}}};
  for (const Contender& peer : duel.peers) turns.push_back({&peer, 1, {}});
  const double stolen_before = stolen_milliseconds();
  const auto begin = SteadyClock::now();
  play_all(turns, duel, effort);
  // Of a median it makes nothing; of the worst of a real-time case it makes most.
  if (const double stolen = stolen_milliseconds() - stolen_before; duel.idle_gap.count() > 0 && stolen > 0)
    result.notes.push_back("the hypervisor took CPUs away for " + format_duration(stolen * 1e6) + " in " +
                           format_duration(Seconds(SteadyClock::now() - begin).count() * 1e9));

  result.summary = summarize(turns.front().samples);
  result.check = check_of(turns.front());
  if (result.summary.median > 0) {
    result.gbs = duel.bytes / result.summary.median;
    result.gflops = duel.flops / result.summary.median;
  }
  for (std::size_t i = 1; i < turns.size(); ++i) {
    const Check check = check_of(turns[i]);
    if (turns[i].failed || turns[i].samples.empty()) {
      result.notes.push_back(turns[i].contender->name + " is left out: " + check.note);
      continue;
    }
    const Summary summary = summarize(turns[i].samples);
    const double ours = std::max(result.summary.median, 1e-3);
    result.peers.push_back({turns[i].contender->name, summary, check, summary.median / ours});
  }
  result.verdicts = judge(duel.goal, result);
  return result;
}

}  // namespace ringwave::bench
