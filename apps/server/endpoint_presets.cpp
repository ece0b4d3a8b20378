// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "apps/server/endpoints.hpp"
#include "ringwave/stream/refusal.hpp"
#include "ringwave/stream/settings_json.hpp"

namespace ringwave::server {
namespace {

using nlohmann::json;
using stream::Refusal;
using stream::RefusalCode;

json preset_json(const PresetShelf::Entry& entry) {
  return {{"name", entry.preset.name},
          {"settings", stream::to_json(entry.preset.settings)},
          {"is_built_in", entry.is_built_in}};
}

}  // namespace

Answer list_presets(Services& services, const Request&) {
  json presets = json::array();
  for (const PresetShelf::Entry& entry : services.presets.list()) presets.push_back(preset_json(entry));
  return json_answer({{"presets", std::move(presets)}});
}

Answer save_preset(Services& services, const Request& request) {
  const json wish = body_of(services, request);
  require_members(wish, {"name", "settings"});
  if (!wish.contains("name") || !wish.contains("settings"))
    throw Refusal(RefusalCode::wrong_type, "a preset has a name and settings, and one of them is missing");
  const music::Preset preset{stream::text_from(wish["name"], "name"),
                             stream::settings_from(wish["settings"], {})};
  const std::string secret = services.presets.save(preset, services.access.rights_of(request));
  json told = preset_json({preset, false});
  if (!secret.empty()) told["secret"] = secret;
  Answer answer = json_answer(told, 201);
  answer.headers.emplace_back("Cache-Control", "no-store");
  answer.headers.emplace_back("Location", "/api/presets/" + preset.name);
  return answer;
}

Answer get_preset(Services& services, const Request& request) {
  return json_answer(preset_json(services.presets.find(request.parameters.at(0))));
}

Answer remove_preset(Services& services, const Request& request) {
  services.presets.remove(request.parameters.at(0), services.access.rights_of(request));
  return empty_answer();
}

}  // namespace ringwave::server
