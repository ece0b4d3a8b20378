// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/filter_chain.hpp"

#include <algorithm>
#include <numbers>
#include <string>
#include <string_view>

#include "ringwave/core/error.hpp"
#include "ringwave/dsp/butterworth.hpp"
#include "ringwave/dsp/filter_design.hpp"

namespace ringwave::cli {

using Sections = std::vector<dsp::Section>;

struct FilterDesign {
  const char* flag;
  const char* help;
  std::vector<std::string_view> settings;  // the flags that may follow
  Sections (*make)(const Filter& filter, double sample_rate_hz);
};

namespace {

constexpr int kDefaultOrder = 4;

double q_of(const Filter& filter) {
  return filter.q.value_or(1 / std::numbers::sqrt2);
}

template <dsp::Section (*design)(double, double, double)>
Sections plain(const Filter& filter, double rate_hz) {
  return {design(filter.hz, q_of(filter), rate_hz)};
}

template <dsp::Section (*design)(double, double, double, double)>
Sections with_gain(const Filter& filter, double rate_hz) {
  if (!filter.gain_db)
    throw InvalidArgument(std::string(filter.design->flag) +
                          " changes nothing without a gain; give it one, as --gain-db 6");
  return {design(filter.hz, q_of(filter), *filter.gain_db, rate_hz)};
}

template <Sections (*design)(int, double, double)>
Sections of_order(const Filter& filter, double rate_hz) {
  return design(filter.order.value_or(kDefaultOrder), filter.hz, rate_hz);
}

Sections band_of_order(const Filter& filter, double rate_hz) {
  if (!filter.to_hz)
    throw InvalidArgument("--butterworth-bandpass has a lower edge only; give the upper one with --to HZ");
  return dsp::butterworth_bandpass(filter.order.value_or(kDefaultOrder), filter.hz, *filter.to_hz, rate_hz);
}

const std::vector<FilterDesign>& designs() {
  static const std::vector<FilterDesign> all{
      {"--lowpass", "Take away what is above HZ", {"--q"}, plain<dsp::lowpass>},
      {"--highpass", "Take away what is below HZ", {"--q"}, plain<dsp::highpass>},
      {"--bandpass", "Leave what is near HZ", {"--q"}, plain<dsp::bandpass>},
      {"--notch", "Take away what is near HZ", {"--q"}, plain<dsp::notch>},
      {"--allpass", "Turn the phase, by half a turn at HZ", {"--q"}, plain<dsp::allpass>},
      {"--peaking", "Raise or lower what is near HZ", {"--q", "--gain-db"}, with_gain<dsp::peaking>},
      {"--low-shelf", "Raise or lower what is below HZ", {"--q", "--gain-db"}, with_gain<dsp::low_shelf>},
      {"--high-shelf", "Raise or lower what is above HZ", {"--q", "--gain-db"}, with_gain<dsp::high_shelf>},
      {"--butterworth-lowpass", "A low-pass of any order", {"--order"}, of_order<dsp::butterworth_lowpass>},
      {"--butterworth-highpass",
       "A high-pass of any order",
       {"--order"},
       of_order<dsp::butterworth_highpass>},
      {"--butterworth-bandpass", "A band-pass of any order, from HZ on", {"--order", "--to"}, band_of_order}};
  return all;
}

/// A flag that belongs to the filter before it.
template <class Value>
void add_setting(CLI::App& command, std::vector<Filter>& filters, const std::string& flag,
                 std::optional<Value> Filter::*value, const std::string& type, const std::string& help) {
  const auto set = [&filters, flag, value](const Value& given) {
    if (filters.empty())
      throw InvalidArgument(flag + " stands before any filter; put it after the one that it belongs to");
    Filter& filter = filters.back();
    const auto& settings = filter.design->settings;
    if (std::ranges::find(settings, flag) == settings.end())
      throw InvalidArgument(flag + " stands after " + filter.design->flag + ", which has no such setting");
    if (filter.*value)
      throw InvalidArgument(flag + " stands twice after one " + filter.design->flag + "; give it once");
    filter.*value = given;
  };
  command.add_option_function<Value>(flag, set, help)->trigger_on_parse()->type_name(type);
}

}  // namespace

void FilterChain::add_to(CLI::App& command) {
  for (const FilterDesign& design : designs())
    command
        .add_option_function<double>(
            design.flag, [this, &design](double hz) { filters_.push_back({.design = &design, .hz = hz}); },
            design.help)
        ->trigger_on_parse()
        ->type_name("HZ");
  add_setting(command, filters_, "--q", &Filter::q, "Q",
              "How narrow the filter before it is, or how sharp its corner; 0.7071 where this is absent");
  add_setting(command, filters_, "--gain-db", &Filter::gain_db, "DB",
              "By how much the peak or shelf before it raises or lowers; each of them needs it");
  add_setting(command, filters_, "--order", &Filter::order, "N",
              "The order of the Butterworth filter before it, 1 to 64; 4 where this is absent");
  add_setting(command, filters_, "--to", &Filter::to_hz, "HZ",
              "The upper edge of the Butterworth band-pass before it");
}

Sections FilterChain::sections(double sample_rate_hz) const {
  if (filters_.empty())
    throw InvalidArgument("no filter was asked for; give one at least, as --lowpass 1000");
  Sections sections;
  for (const Filter& filter : filters_) {
    const Sections made = filter.design->make(filter, sample_rate_hz);
    sections.insert(sections.end(), made.begin(), made.end());
  }
  return sections;
}

}  // namespace ringwave::cli
