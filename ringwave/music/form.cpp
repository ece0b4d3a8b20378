// SPDX-License-Identifier: Apache-2.0
#include "ringwave/music/form.hpp"

#include <algorithm>

#include "ringwave/music/chance.hpp"

namespace ringwave::music {
namespace {

constexpr int kSwing = 400;  // thousandths, from the quietest section to the fullest

/// Every layer looks at its own throw of the dice of a section or a pair of phrases.
Chance chance_of(std::uint64_t seed, Layer layer, std::int64_t place) noexcept {
  return {seed, Chance::For::form, (place << 4) + 1 + static_cast<std::int64_t>(layer)};
}

}  // namespace

Form::Form(const Settings& settings, std::uint64_t seed) noexcept
    : seed_(seed), layers_(settings.layers), intensity_(to_permille(settings.intensity)) {}

int Form::offset(std::int64_t section) const noexcept {
  return Chance(seed_, Chance::For::form, section << 4).between(-kSwing / 2, kSwing / 2);
}

int Form::energy(std::int64_t bar) const noexcept {
  const std::int64_t section = section_of(phrase_of(bar));
  const int place = static_cast<int>(bar % kBarsPerSection);
  const int from = offset(section);
  const int swing = from + (offset(section + 1) - from) * place / kBarsPerSection;
  return std::clamp(intensity_ + swing, 0, 1000);
}

bool Form::plays(Layer layer, std::int64_t phrase) const noexcept {
  if (!layers_.has(layer)) return false;
  const std::int64_t section = section_of(phrase);
  const std::int64_t question = phrase / 2 * 2;  // it rests with its answer
  const int energy = this->energy(question * kBarsPerPhrase);
  const int level = this->energy(section * kBarsPerSection);
  const bool may_rest = layers_.has(Layer::pads);
  switch (layer) {
    case Layer::pads:
      return true;
    case Layer::melody:
      return !may_rest || chance_of(seed_, layer, question).happens(600 + energy * 2 / 5);
    case Layer::bass:
      return !may_rest || chance_of(seed_, layer, question).happens(700 + energy * 3 / 10);
    case Layer::bells:
      return chance_of(seed_, layer, section).happens(400 + level * 2 / 5);
    case Layer::kicks:
      return level >= 300 && chance_of(seed_, layer, section).happens(500 + level / 2);
    case Layer::hats:
      return level >= 350 && chance_of(seed_, layer, section).happens(300 + level * 7 / 10);
    case Layer::swells:
      break;
  }
  // Into every new section, and now and then between.
  const bool is_last = phrase % kPhrasesPerSection == kPhrasesPerSection - 1;
  return is_last || chance_of(seed_, layer, phrase).happens(energy * 3 / 10);
}

int Form::lift(std::int64_t section) const noexcept {
  return Chance(seed_, Chance::For::voicing, section).between(-4, 4);
}

}  // namespace ringwave::music
