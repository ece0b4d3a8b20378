// SPDX-License-Identifier: Apache-2.0
#include "bench/stolen_time.hpp"

#include <unistd.h>

#include <fstream>
#include <string>

namespace ringwave::bench {

double stolen_milliseconds() {
  std::ifstream file("/proc/stat");
  std::string name;
  file >> name;  // "cpu", then user, nice, system, idle, iowait, irq, softirq, steal: proc(5)
  double ticks = 0;
  for (int column = 0; column < 8; ++column)
    if (!(file >> ticks)) return 0;
  return ticks * 1000 / static_cast<double>(sysconf(_SC_CLK_TCK));
}

}  // namespace ringwave::bench
