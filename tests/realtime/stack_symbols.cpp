// SPDX-License-Identifier: Apache-2.0
#include "tests/realtime/stack_symbols.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <span>

namespace ringwave::realtime {
namespace {

std::string demangled(const char* name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name, nullptr, nullptr, &status),
                                                         &std::free);
  return status == 0 ? text.get() : name;
}

/// `count` records at `offset`, copied out because a file promises no alignment; none where it is too short.
template <class Record>
std::vector<Record> records(std::span<const char> file, std::uint64_t offset, std::uint64_t count) {
  if (offset > file.size() || count > (file.size() - offset) / sizeof(Record)) return {};
  std::vector<Record> read(count);
  std::memcpy(read.data(), file.data() + offset, count * sizeof(Record));
  return read;
}

std::vector<char> contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

StackSymbols::Table StackSymbols::read_table(const std::string& path) {
  Table table;
  const std::vector<char> file = contents(path);
  const auto headers = records<Elf64_Ehdr>(file, 0, 1);
  if (headers.empty() || std::memcmp(headers[0].e_ident, ELFMAG, SELFMAG) != 0) return table;
  table.relocated = headers[0].e_type != ET_EXEC;
  const auto sections = records<Elf64_Shdr>(file, headers[0].e_shoff, headers[0].e_shnum);
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) continue;
    const Elf64_Shdr& names = sections[section.sh_link];
    const auto text = records<char>(file, names.sh_offset, names.sh_size);
    for (const auto& symbol :
         records<Elf64_Sym>(file, section.sh_offset, section.sh_size / sizeof(Elf64_Sym)))
      if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_value != 0 && symbol.st_name < text.size())
        table.symbols.push_back({symbol.st_value, symbol.st_size, text.data() + symbol.st_name});
  }
  std::ranges::sort(table.symbols, {}, &Symbol::begin);
  return table;
}

std::string StackSymbols::find(const Table& table, std::uint64_t address) {
  const auto after = std::ranges::upper_bound(table.symbols, address, {}, &Symbol::begin);
  if (after == table.symbols.begin()) return {};
  const Symbol& symbol = *std::prev(after);
  return address - symbol.begin < symbol.size ? demangled(symbol.name.c_str()) : std::string();
}

StackSymbols::Place StackSymbols::at(const void* return_address) {
  // The call itself ends where the return address begins; after a call that is a function's last
  // instruction, that is already the next function.
  const auto* const pc = static_cast<const char*>(return_address) - 1;
  Dl_info info{};
  if (dladdr(pc, &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code ignored;
  std::string path = info.dli_fname;
  if (!std::filesystem::exists(path, ignored))
    path = std::filesystem::read_symlink("/proc/self/exe", ignored);  // named as it was called
  const auto [entry, is_new] = tables_.try_emplace(path);
  if (is_new) entry->second = read_table(path);
  const auto base = entry->second.relocated ? reinterpret_cast<std::uint64_t>(info.dli_fbase) : 0;
  std::string function = find(entry->second, reinterpret_cast<std::uint64_t>(pc) - base);
  if (function.empty() && info.dli_sname != nullptr) function = demangled(info.dli_sname);
  return {std::move(function), std::filesystem::path(path).filename()};
}

}  // namespace ringwave::realtime
