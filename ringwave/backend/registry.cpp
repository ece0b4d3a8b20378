// SPDX-License-Identifier: Apache-2.0
#include "ringwave/backend/registry.hpp"

#include <algorithm>

#include "ringwave/backend/cpu/ops.hpp"
#include "ringwave/core/device_list.hpp"

namespace ringwave::backend {

const Registry& Registry::instance() {
  static const Registry registry = [] {
    Registry made;
    cpu::register_ops(made);
    if (const Module* cuda = DeviceList::instance().cuda_module(); cuda != nullptr)
      cuda->interface().register_ops(made);
    return made;
  }();
  return registry;
}

void Registry::describe(OpInfo info) {
  const auto place =
      std::lower_bound(ops_.begin(), ops_.end(), info.name,
                       [](const OpInfo& op, const std::string& name) { return op.name < name; });
  if (place != ops_.end() && place->name == info.name)
    throw InvalidArgument("op '" + info.name + "' was described twice; give the second one another name");
  ops_.insert(place, std::move(info));
}

const OpInfo& Registry::op(std::string_view name) const {
  std::string known;
  for (const OpInfo& info : ops_) {
    if (info.name == name) return info;
    known += (known.empty() ? "" : ", ") + info.name;
  }
  throw InvalidArgument("op '" + std::string(name) + "' was asked for; there are: " + known);
}

const Registry::AnyFactory* Registry::find(std::type_index op, DeviceKind kind) const {
  const auto found = factories_.find({op, kind});
  return found == factories_.end() ? nullptr : &found->second;
}

}  // namespace ringwave::backend
