// SPDX-License-Identifier: Apache-2.0
#include "bench/slowdown.hpp"

#include <charconv>
#include <cstdlib>

#include "ringwave/core/error.hpp"

namespace ringwave::bench {

Slowdown Slowdown::from_environment() {
  const char* text = std::getenv("RINGWAVE_BENCH_SLOW");
  if (text == nullptr || *text == '\0') return {};
  const std::string_view value(text);
  const std::size_t colon = value.rfind(':');  // the last one: a name may end in "cuda:0"
  if (colon != std::string_view::npos && colon > 0) {
    const std::string_view number = value.substr(colon + 1);
    double factor = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), factor);
    if (error == std::errc{} && end == number.data() + number.size() && factor >= 1 && factor <= 1000)
      return {std::string(value.substr(0, colon)), factor};
  }
  throw InvalidArgument("RINGWAVE_BENCH_SLOW is '" + std::string(value) +
                        "'; use the start of a case's name, a colon and a factor from 1 to 1000");
}

}  // namespace ringwave::bench
