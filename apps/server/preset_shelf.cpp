// SPDX-License-Identifier: Apache-2.0
#include "apps/server/preset_shelf.hpp"

#include <algorithm>
#include <system_error>

#include "ringwave/core/atomic_file.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/core/read_file.hpp"
#include "ringwave/core/sha256.hpp"
#include "ringwave/stream/refusal.hpp"

namespace ringwave::server {
namespace {

namespace fs = std::filesystem;
using stream::Refusal;
using stream::RefusalCode;

constexpr std::size_t kLongestName = 32;
constexpr std::size_t kHashLetters = 64;

bool is_built_in(const std::string& name) {
  return std::ranges::any_of(music::built_in_presets(),
                             [&](const auto& preset) { return preset.name == name; });
}

/// The hash that such a file holds; nothing where there is none.
std::string owner_in(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) ? read_file(path, kHashLetters) : "";
}

void require_not_built_in(const std::string& name) {
  if (is_built_in(name))
    throw Refusal(RefusalCode::forbidden,
                  "the preset " + name + " is built in, and stays as it is; use another name");
}

}  // namespace

bool is_preset_name(const std::string& name) noexcept {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  return !name.empty() && name.size() <= kLongestName && std::ranges::all_of(name, is_letter);
}

PresetShelf::PresetShelf(fs::path folder, const std::function<void(const std::string&)>& report)
    : folder_(std::move(folder)) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) throw BadFile(folder_.string() + " cannot be a folder for presets: " + error.message());
  fs::directory_iterator files(folder_, error);
  if (error) throw BadFile(folder_.string() + " cannot be read: " + error.message());
  for (const fs::directory_entry& file : files) {
    const std::string name = file.path().stem().string();
    if (file.path().extension() != ".toml" || !is_preset_name(name) || saved_.size() >= kMostSaved) continue;
    try {
      saved_[name] = {music::load_preset(file.path()).settings, owner_in(owner_path_of(name))};
    } catch (const BadFile& fault) {
      report(std::string("a preset is left out: ") + fault.what());
    }
  }
}

std::vector<PresetShelf::Entry> PresetShelf::list() const {
  std::vector<Entry> entries;
  for (const music::Preset& preset : music::built_in_presets()) entries.push_back({preset, true});
  const std::lock_guard lock(mutex_);
  for (const auto& [name, saved] : saved_)
    if (!is_built_in(name)) entries.push_back({{name, saved.settings}, false});
  return entries;
}

PresetShelf::Entry PresetShelf::find(const std::string& name) const {
  for (const music::Preset& preset : music::built_in_presets())
    if (preset.name == name) return {preset, true};
  const std::lock_guard lock(mutex_);
  if (const auto found = saved_.find(name); found != saved_.end())
    return {{name, found->second.settings}, false};
  throw Refusal(RefusalCode::not_found, "there is no preset '" + name.substr(0, kLongestName) + "'");
}

std::string PresetShelf::save(const music::Preset& preset, const Rights& rights) {
  if (!is_preset_name(preset.name))
    throw Refusal(RefusalCode::out_of_range, "the name of a preset is 1 to 32 letters, digits, - and _");
  require_not_built_in(preset.name);
  const std::lock_guard lock(mutex_);
  if (const auto found = saved_.find(preset.name); found != saved_.end()) {
    rights.require_to_own(found->second.owner, "preset " + preset.name);
    write(preset);
    found->second.settings = preset.settings;
    return {};
  }
  if (saved_.size() >= kMostSaved)
    throw Refusal(RefusalCode::limit_reached, "there are " + std::to_string(kMostSaved) +
                                                  " presets, as many as are kept; delete one of them first");
  std::string secret = make_secret();
  const std::string owner = sha256_hex(secret);
  AtomicFile file(owner_path_of(preset.name).string(), AtomicFile::Kind::state);
  file.stream() << owner;
  file.commit();
  write(preset);  // after its owner: a crash in between leaves no preset that is nobody's
  saved_[preset.name] = {preset.settings, owner};
  return secret;
}

void PresetShelf::write(const music::Preset& preset) const {
  AtomicFile file(path_of(preset.name).string(), AtomicFile::Kind::state);
  file.stream() << music::to_toml(preset);
  file.commit();
}

void PresetShelf::remove(const std::string& name, const Rights& rights) {
  require_not_built_in(name);
  (void)find(name);
  const std::lock_guard lock(mutex_);
  const auto found = saved_.find(name);
  if (found == saved_.end()) return;
  rights.require_to_own(found->second.owner, "preset " + name);
  for (const fs::path& path : {path_of(name), owner_path_of(name)}) {
    std::error_code error;
    fs::remove(path, error);
    if (error) throw BadFile(path.string() + " cannot be removed: " + error.message());
  }
  saved_.erase(found);
}

}  // namespace ringwave::server
