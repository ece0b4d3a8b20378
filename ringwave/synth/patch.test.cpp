// SPDX-License-Identifier: Apache-2.0
#include "ringwave/synth/patch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ringwave/core/error.hpp"

namespace ringwave::synth {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

Patch parsed(std::string_view text) {
  return patch_from(TomlTable::from_text(text, "pad.toml"), "pad");
}

TEST(Patch, ReadsEverythingItHas) {
  const Patch patch = parsed(R"(
name = "soft pad"
glide_s = 0.1
gain_db = -6
[vco1]
wave = "pulse"
semitones = -12
cents = 7
width = 0.25
level = 0.4
[vco2]
wave = "triangle"
[noise]
level = 0.05
[lfo2]
wave = "saw"
hz = 0.2
[filter]
response = "band"
hz = 700
q = 2
key = 0.5
[env1]
attack_s = 2.5
decay_s = 3
sustain = 0.75
release_s = 4
[env6]
sustain = 0
[[wire]]
from = "lfo2"
to = "cutoff"
amount = 0.5
[[wire]]
from = "env6"
to = "pitch1"
amount = -12
)");
  EXPECT_EQ(patch.name, "soft pad");
  EXPECT_EQ(patch.glide_s, 0.1);
  EXPECT_EQ(patch.gain_db, -6);
  EXPECT_EQ(patch.vcos[0].wave, Patch::Wave::pulse);
  EXPECT_EQ(patch.vcos[0].semitones, -12);
  EXPECT_EQ(patch.vcos[0].cents, 7);
  EXPECT_EQ(patch.vcos[0].width, 0.25);
  EXPECT_EQ(patch.vcos[0].level, 0.4);
  EXPECT_EQ(patch.vcos[1].wave, Patch::Wave::triangle);
  EXPECT_EQ(patch.vcos[1].level, 0) << "as in Patch{}";
  EXPECT_EQ(patch.noise_level, 0.05);
  EXPECT_EQ(patch.lfos[1].hz, 0.2);
  EXPECT_EQ(patch.lfos[1].wave, Patch::Wave::saw);
  EXPECT_EQ(patch.filter.response, Patch::Response::band);
  EXPECT_EQ(patch.filter.hz, 700);
  EXPECT_EQ(patch.filter.key, 0.5);
  EXPECT_EQ(patch.envelopes[0].release_s, 4);
  EXPECT_EQ(patch.envelopes[5].sustain, 0);
  ASSERT_EQ(patch.wires.size(), 2U);
  EXPECT_EQ(patch.wires[1].from, Patch::Source::env6);
  EXPECT_EQ(patch.wires[1].to, Patch::Target::pitch1);
  EXPECT_EQ(patch.wires[1].amount, -12);
}

TEST(Patch, AnEmptyOneIsTheDefault) {
  const Patch patch = parsed("");
  EXPECT_EQ(patch.name, "pad");
  EXPECT_EQ(patch.vcos[0].level, 0.5);
  EXPECT_TRUE(patch.wires.empty());
}

TEST(Patch, WhatIsWrongIsToldWithFileLineAndKey) {
  const auto complains = [](const char* text, const char* sentence) {
    EXPECT_THAT([&] { (void)parsed(text); }, ThrowsMessage<BadFile>(HasSubstr(sentence))) << text;
  };
  complains("[vco1]\nwave = 'square'",
            "pad.toml:2: vco1.wave is 'square'; use one of sine, triangle, saw, pulse");
  complains("[vco2]\nlevel = 2", "pad.toml:2: vco2.level is 2; use 0 to 1");
  complains("[filter]\nhz = nan", "pad.toml:2: filter.hz is nan");
  complains("[filter]\nq = 'high'", "pad.toml:2: filter.q is no number");
  complains("[env7]\nsustain = 0", "env7 is not known here");
  complains("[env1]\nhold_s = 0", "pad.toml:2: env1.hold_s is not known here");
  complains("vco1 = 3", "pad.toml:1: vco1 is no table");
  complains("[[wire]]\nfrom = 'lfo1'", "wire.to is missing");
  complains("[[wire]]\nfrom = 'moon'\nto = 'cutoff'", "pad.toml:2: wire.from is 'moon'; use one of env1");
  complains("[[wire]]\nfrom = 'lfo1'\nto = 'volume'", "pad.toml:3: wire.to is 'volume'");
  complains("[[wire]]\nfrom = 'lfo1'\nto = 'cutoff'\namount = 1e9", "pad.toml:4: wire.amount is");
}

TEST(Patch, CirclesAreRefusedAndChainsAreNot) {
  const auto wire = [](const char* from, const char* to) {
    return std::string("[[wire]]\nfrom = '") + from + "'\nto = '" + to + "'\namount = 1\n";
  };
  for (const std::string& text :
       {wire("lfo1", "lfo1"), wire("lfo2", "lfo2"), wire("lfo1", "lfo2") + wire("lfo2", "lfo1")})
    EXPECT_THAT([&] { (void)parsed(text); },
                ThrowsMessage<BadFile>(HasSubstr("pad.toml:1: wire is a circle")))
        << text;
  EXPECT_NO_THROW((void)parsed(wire("lfo1", "lfo2") + wire("env2", "lfo1")));
  std::string many;
  for (int i = 0; i < 65; ++i) many += wire("lfo1", "cutoff");
  EXPECT_THAT([&] { (void)parsed(many); }, ThrowsMessage<BadFile>(HasSubstr("more than 64 times")));
}

}  // namespace
}  // namespace ringwave::synth
