// SPDX-License-Identifier: Apache-2.0
#include "ringwave/synth/patch.hpp"

#include <algorithm>
#include <span>

namespace ringwave::synth {
namespace {

constexpr std::array<std::string_view, 4> kWaves{"sine", "triangle", "saw", "pulse"};
constexpr std::array<std::string_view, 3> kResponses{"low", "band", "high"};
constexpr std::array<std::string_view, Patch::kSources> kSourceNames{
    "env1", "env2", "env3", "env4", "env5", "env6", "lfo1", "lfo2", "velocity", "key"};
constexpr std::array<std::string_view, Patch::kTargets> kTargetNames{
    "pitch1", "pitch2", "width1",    "width2", "level1", "level2",
    "noise",  "cutoff", "resonance", "pan",    "lfo1",   "lfo2"};
constexpr std::size_t kMostWires = 64;

/// Sets `value` to what a key names.
template <class Value>
void read_name(TomlTable& table, const char* key, std::span<const std::string_view> names, Value& value) {
  const auto text = table.text(key);
  if (!text) return;
  const auto found = std::ranges::find(names, *text);
  if (found == names.end()) {
    std::string known;
    for (const std::string_view name : names) known += (known.empty() ? "" : ", ") + std::string(name);
    table.refuse(key, "is '" + *text + "'; use one of " + known);
  }
  value = static_cast<Value>(found - names.begin());
}

void read_number(TomlTable& table, const char* key, double least, double most, double& value) {
  value = table.number(key, least, most).value_or(value);
}

/// Reads the table of a key, where there is one, and refuses what is left in it.
template <class Read>
void read_table(TomlTable& table, const std::string& key, Read read) {
  auto below = table.table(key);
  if (!below) return;
  read(*below);
  below->require_no_others();
}

void read_vco(TomlTable& table, Patch::Vco& vco) {
  read_name(table, "wave", kWaves, vco.wave);
  read_number(table, "semitones", -48, 48, vco.semitones);
  read_number(table, "cents", -100, 100, vco.cents);
  read_number(table, "width", 0.02, 0.98, vco.width);
  read_number(table, "level", 0, 1, vco.level);
}

void read_envelope(TomlTable& table, Adsr& adsr) {
  read_number(table, "attack_s", 0, 60, adsr.attack_s);
  read_number(table, "decay_s", 0, 60, adsr.decay_s);
  read_number(table, "sustain", 0, 1, adsr.sustain);
  read_number(table, "release_s", 0, 60, adsr.release_s);
}

void read_filter(TomlTable& table, Patch::Filter& filter) {
  read_name(table, "response", kResponses, filter.response);
  read_number(table, "hz", 20, 20000, filter.hz);
  read_number(table, "q", 0.5, 50, filter.q);
  read_number(table, "key", 0, 1, filter.key);
}

Patch::Wire read_wire(TomlTable& table) {
  Patch::Wire wire;
  for (const char* key : {"from", "to"})
    if (!table.text(key)) table.refuse(key, "is missing; a wire has two ends");
  read_name(table, "from", kSourceNames, wire.from);
  read_name(table, "to", kTargetNames, wire.to);
  read_number(table, "amount", -100, 100, wire.amount);
  table.require_no_others();
  return wire;
}

bool moves(const Patch& patch, Patch::Source from, Patch::Target to) {
  return std::ranges::any_of(patch.wires,
                             [&](const Patch::Wire& wire) { return wire.from == from && wire.to == to; });
}

}  // namespace

bool is_circular(const Patch& patch) {
  using enum Patch::Source;
  return moves(patch, lfo1, Patch::Target::lfo1) || moves(patch, lfo2, Patch::Target::lfo2) ||
         (moves(patch, lfo1, Patch::Target::lfo2) && moves(patch, lfo2, Patch::Target::lfo1));
}

Patch load_patch(const std::filesystem::path& path) {
  return patch_from(TomlTable::from_file(path), path.stem().string());
}

Patch patch_from(TomlTable table, std::string name) {
  Patch patch;
  patch.name = table.text("name").value_or(std::move(name));
  for (std::size_t i = 0; i < patch.vcos.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    read_table(table, "vco" + number, [&](TomlTable& below) { read_vco(below, patch.vcos[i]); });
    read_table(table, "lfo" + number, [&](TomlTable& below) {
      read_name(below, "wave", kWaves, patch.lfos[i].wave);
      read_number(below, "hz", 0.01, 40, patch.lfos[i].hz);
    });
  }
  for (std::size_t i = 0; i < patch.envelopes.size(); ++i)
    read_table(table, "env" + std::to_string(i + 1),
               [&](TomlTable& below) { read_envelope(below, patch.envelopes[i]); });
  read_table(table, "noise", [&](TomlTable& below) { read_number(below, "level", 0, 1, patch.noise_level); });
  read_table(table, "filter", [&](TomlTable& below) { read_filter(below, patch.filter); });
  read_number(table, "glide_s", 0, 10, patch.glide_s);
  read_number(table, "gain_db", -60, 12, patch.gain_db);
  for (TomlTable& wire : table.tables("wire")) patch.wires.push_back(read_wire(wire));
  if (patch.wires.size() > kMostWires) table.refuse("wire", "is there more than 64 times");
  if (is_circular(patch)) table.refuse("wire", "is a circle: a slow oscillator would move itself");
  table.require_no_others();
  return patch;
}

}  // namespace ringwave::synth
