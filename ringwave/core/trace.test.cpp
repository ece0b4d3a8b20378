// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/trace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <locale>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "ringwave/core/error.hpp"

namespace ringwave {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::IsEmpty;

/// What a viewer would read: valid JSON, or the test fails with the parser's exception.
json written() {
  std::ostringstream out;
  trace::write(out);
  return json::parse(out.str()).at("traceEvents");
}

std::vector<json> spans(const json& events) {
  std::vector<json> found;
  for (const json& event : events)
    if (event.at("ph") == "X") found.push_back(event);
  return found;
}

std::vector<std::string> names(const json& events) {
  std::vector<std::string> found;
  for (const json& event : spans(events)) found.push_back(event.at("name"));
  return found;
}

class Trace : public testing::Test {
 protected:
  ~Trace() override {
    trace::stop();
    trace::name_thread(nullptr);
  }
};

TEST_F(Trace, OffItRecordsNothing) {
  trace::start({.threads = 1, .events_per_thread = 8});
  trace::stop();
  { const trace::Span span("unseen"); }
  EXPECT_THAT(names(written()), IsEmpty());
  EXPECT_EQ(trace::dropped_spans(), 0U);
}

TEST_F(Trace, ASpanLiesInsideTheSpanAroundIt) {
  trace::start({.threads = 1, .events_per_thread = 8});
  {
    const trace::Span outer("outer");
    const trace::Span inner("inner");
  }
  const auto found = spans(written());
  ASSERT_EQ(found.size(), 2U);
  const json& inner = found[0];
  const json& outer = found[1];
  EXPECT_EQ(inner.at("name"), "inner");
  EXPECT_EQ(outer.at("name"), "outer");
  EXPECT_EQ(inner.at("tid"), outer.at("tid"));
  const double outer_begin = outer.at("ts");
  const double inner_begin = inner.at("ts");
  EXPECT_GE(outer_begin, 0.0);
  EXPECT_LE(outer_begin, inner_begin);
  // Microseconds with 15 digits: a session of an hour still tells picoseconds apart.
  EXPECT_LE(inner_begin + inner.at("dur").get<double>(), outer_begin + outer.at("dur").get<double>() + 1e-6);
}

TEST_F(Trace, AFullRingKeepsTheNewestEvents) {
  static constexpr const char* kNames[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
  trace::start({.threads = 1, .events_per_thread = 4});
  for (const char* name : kNames) const trace::Span span(name);
  // The oldest of the four is the one that a running thread would be overwriting.
  EXPECT_THAT(names(written()), ElementsAre("7", "8", "9"));
}

TEST_F(Trace, EveryThreadHasItsOwnRowAndName) {
  trace::start({.threads = 4, .events_per_thread = 8});
  trace::name_thread("first");
  { const trace::Span span("on first"); }
  std::thread([] {
    { const trace::Span span("on second"); }
    trace::name_thread("second");
  }).join();
  std::map<std::string, json> rows;
  std::map<std::string, json> threads;
  for (const json& event : written()) {
    if (event.at("ph") == "X") rows[event.at("name")] = event.at("tid");
    if (event.at("name") == "thread_name") threads[event.at("args").at("name")] = event.at("tid");
  }
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_NE(rows["on first"], rows["on second"]);
  EXPECT_EQ(threads["first"], rows["on first"]);
  EXPECT_EQ(threads["second"], rows["on second"]);
}

TEST_F(Trace, NamesWithQuotesAndControlCharactersStayJson) {
  trace::start({.threads = 1, .events_per_thread = 8});
  trace::name_thread("back\\slash");
  { const trace::Span span("say \"hi\"\n\x01"); }
  EXPECT_THAT(names(written()), ElementsAre(testing::StartsWith("say \"hi\"")));
}

TEST_F(Trace, AForeignNumberFormatStaysJson) {
  struct Grouped : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  trace::start({.threads = 1, .events_per_thread = 8});
  { const trace::Span span("span"); }
  std::ostringstream out;
  out.imbue(std::locale(std::locale::classic(), new Grouped));  // as after std::locale::global("de_DE")
  out.precision(3);
  trace::write(out);
  const json root = json::parse(out.str(), nullptr, false);
  ASSERT_FALSE(root.is_discarded()) << out.str();
  EXPECT_EQ(spans(root.at("traceEvents")).size(), 1U);
  EXPECT_EQ(out.precision(), 3) << "the stream is the caller's";
}

TEST_F(Trace, CountsTheSpansOfThreadsThatFoundNoRing) {
  trace::start({.threads = 1, .events_per_thread = 8});
  { const trace::Span span("kept"); }
  std::thread([] {
    for (int i = 0; i < 3; ++i) const trace::Span span("dropped");
  }).join();
  EXPECT_EQ(trace::dropped_spans(), 3U);
  EXPECT_THAT(names(written()), ElementsAre("kept"));
  trace::start({.threads = 1, .events_per_thread = 8});
  EXPECT_EQ(trace::dropped_spans(), 0U);
}

TEST_F(Trace, StartingAgainDropsTheOldAndKeepsTheThreadsName) {
  trace::start({.threads = 1, .events_per_thread = 8});
  trace::name_thread("render");
  { const trace::Span span("old"); }
  trace::start({.threads = 1, .events_per_thread = 8});
  { const trace::Span span("new"); }
  const json events = written();
  EXPECT_THAT(names(events), ElementsAre("new"));
  EXPECT_NE(events.dump().find("render"), std::string::npos);
}

TEST_F(Trace, StoppingKeepsWhatWasRecorded) {
  trace::start({.threads = 1, .events_per_thread = 8});
  { const trace::Span span("kept"); }
  trace::stop();
  { const trace::Span span("unseen"); }
  EXPECT_THAT(names(written()), ElementsAre("kept"));
}

TEST_F(Trace, CanBeWrittenWhileThreadsRecord) {
  trace::start({.threads = 2, .events_per_thread = 64});
  std::atomic<bool> stop{false};
  std::thread recorder([&] {
    while (!stop) {
      const trace::Span outer("outer");
      const trace::Span inner("inner");
    }
  });
  for (int i = 0; i < 20; ++i)
    for (const std::string& name : names(written())) EXPECT_THAT(name, testing::AnyOf("outer", "inner"));
  stop = true;
  recorder.join();
}

TEST_F(Trace, WritesAFileOrSaysWhyNot) {
  const auto path = std::filesystem::path(testing::TempDir()) / ("trace-" + std::to_string(getpid()));
  trace::start({.threads = 1, .events_per_thread = 8});
  { const trace::Span span("span"); }
  trace::write(path.string());
  std::ifstream file(path);
  EXPECT_THAT(names(json::parse(file).at("traceEvents")), ElementsAre("span"));
  std::filesystem::remove(path);
  EXPECT_THROW(trace::write("/absent/trace.json"), BadFile);
}

TEST_F(Trace, RefusesARingThatCannotWork) {
  EXPECT_THROW(trace::start({.threads = 0}), InvalidArgument);
  EXPECT_THROW(trace::start({.events_per_thread = 1}), InvalidArgument);
}

}  // namespace
}  // namespace ringwave
