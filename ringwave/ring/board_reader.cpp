// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/board_reader.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "ringwave/core/error.hpp"
#include "ringwave/ring/board_folder.hpp"
#include "ringwave/ring/process_start.hpp"

namespace ringwave::ring {
namespace {

/// Whose file it is by its name, "17" or "17.unfinished"; none where it is nobody's.
std::optional<std::int64_t> process_of(std::string_view name) {
  if (name.ends_with(BoardFolder::kUnfinished)) name.remove_suffix(BoardFolder::kUnfinished.size());
  std::int64_t process = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), process);
  if (error != std::errc{} || end != name.data() + name.size() || process <= 0) return {};
  return process;
}

BoardPage page_of(const BoardFolder& folder, const std::string& name) {
  const std::string bytes = folder.read(name, BoardPage::kMostBytes);
  try {
    return read_board_page(bytes);
  } catch (const BadFile& fault) {
    throw BadFile((folder.path() / name).string() + " " + fault.what());
  }
}

void add(Boards& boards, const BoardFolder& folder, const std::string& name, std::int64_t process) {
  const auto started = process_start(process);
  if (!started) return folder.remove(name);  // whatever it holds, nobody writes it any more
  if (name.ends_with(BoardFolder::kUnfinished)) return;
  BoardPage page = page_of(folder, name);
  if (page.process != process)
    throw BadFile((folder.path() / name).string() + " is of process " + std::to_string(page.process) +
                  " by what it says; remove it");
  if (page.started != *started) return folder.remove(name);  // another process has the id now
  boards.pages.push_back(std::move(page));
}

}  // namespace

Boards read_boards(const std::filesystem::path& path) {
  Boards boards;
  const auto folder = BoardFolder::open(path);
  if (!folder) return boards;
  for (const std::string& name : folder->names()) {
    const auto process = process_of(name);
    if (!process) continue;
    try {
      add(boards, *folder, name, *process);
    } catch (const BadFile& fault) {
      boards.faults.emplace_back(fault.what());
    }
  }
  std::ranges::sort(boards.pages, {}, &BoardPage::process);
  return boards;
}

}  // namespace ringwave::ring
