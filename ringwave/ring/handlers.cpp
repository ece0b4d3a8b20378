// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/handlers.hpp"

#include "ringwave/backend/cpu/handlers.hpp"
#include "ringwave/core/device_list.hpp"
#include "ringwave/core/error.hpp"

namespace ringwave::ring {

Handlers& Handlers::instance() {
  static Handlers& handlers = *[] {
    auto* made = new Handlers;  // kernels that end with the program still look at it
    backend::cpu::register_handlers(*made);
    if (const Module* cuda = DeviceList::instance().cuda_module(); cuda != nullptr)
      if (cuda->interface().register_handlers != nullptr) cuda->interface().register_handlers(*made);
    return made;
  }();
  return handlers;
}

void Handlers::add(HandlerEntry entry) {
  if (entry.name.empty()) throw InvalidArgument("a handler was added without a name; give it one");
  const std::lock_guard lock(mutex_);
  const auto [place, is_new] = entries_.try_emplace(entry.name, entry);
  if (is_new) return;
  HandlerEntry& known = place->second;
  const bool are_of_two_compilers = (known.cuda.launch == nullptr) != (entry.cuda.launch == nullptr);
  if (known.state_bytes != entry.state_bytes || !are_of_two_compilers)
    throw InvalidArgument("there already is a handler '" + entry.name +
                          "'; give the second one another name");
  if (entry.cuda.launch != nullptr) known.cuda = entry.cuda;
}

HandlerEntry Handlers::find(std::string_view name) const {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(name);
  if (found != entries_.end()) return found->second;
  std::string known;
  for (const auto& [key, entry] : entries_) known += (known.empty() ? "" : ", ") + key;
  throw InvalidArgument("handler '" + std::string(name) + "' was asked for; there are: " + known);
}

std::vector<HandlerEntry> Handlers::all() const {
  const std::lock_guard lock(mutex_);
  std::vector<HandlerEntry> all;
  for (const auto& [key, entry] : entries_) all.push_back(entry);
  return all;
}

}  // namespace ringwave::ring
