// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ringwave::realtime {

/// Names for the addresses of a call stack. Reads the symbol tables of the files themselves, because most of
/// what is worth naming, everything in an anonymous namespace, is not in the tables that dladdr() reads.
class StackSymbols {
 public:
  struct Place {
    std::string function;  ///< demangled; empty where the file was stripped
    std::string file;      ///< without its folder
  };

  /// The function that a return address leads back into. Allocates: not inside a guarded scope.
  [[nodiscard]] Place at(const void* return_address);

 private:
  struct Symbol {
    std::uint64_t begin = 0;
    std::uint64_t size = 0;
    std::string name;
  };
  struct Table {
    bool relocated = true;        // addresses in it count from where the file was loaded
    std::vector<Symbol> symbols;  // by begin
  };

  static Table read_table(const std::string& path);
  static std::string find(const Table& table, std::uint64_t address);

  std::map<std::string, Table> tables_;
};

}  // namespace ringwave::realtime
