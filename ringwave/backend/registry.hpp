// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <typeindex>
#include <utility>
#include <vector>

#include "ringwave/backend/workload.hpp"
#include "ringwave/core/device.hpp"
#include "ringwave/core/error.hpp"

namespace ringwave::backend {

/// Which ops there are, and who makes each of them on which kind of device.
///
/// An op is a public type with a name, `Op::kName`, what its twins implement, `Op::Twin`, and all that one
/// needs to be made, `Op::Request`. A backend adds a twin with one line in its table: cpu/ops.cpp,
/// cuda/ops.cu.
class Registry {
 public:
  /// How a backend makes its twin of an op. `supports` may be null: then it takes every request.
  template <class Op>
  struct Factory {
    std::unique_ptr<typename Op::Twin> (*make)(Device device, const typename Op::Request& request) = nullptr;
    bool (*supports)(Device device, const typename Op::Request& request) noexcept = nullptr;
  };

  /// The ops of this process: the CPU's, and those of the CUDA module if it fits. [setup]
  [[nodiscard]] static const Registry& instance();

  /// Adds an op's description. Throws InvalidArgument for a second one of the same name. [setup]
  void describe(OpInfo info);

  /// Adds a backend's twin of an op. [setup]
  template <class Op>
  void add(DeviceKind kind, Factory<Op> factory) {
    factories_.insert_or_assign({std::type_index(typeid(Op)), kind},
                                AnyFactory{reinterpret_cast<void (*)()>(factory.make),
                                           reinterpret_cast<void (*)()>(factory.supports)});
  }

  /// True where `device` has a twin of the op that takes this request. [setup]
  template <class Op>
  [[nodiscard]] bool supports(Device device, const typename Op::Request& request) const {
    const AnyFactory* found = find(typeid(Op), device.kind());
    if (found == nullptr) return false;
    using Supports = decltype(Factory<Op>::supports);
    const auto function = reinterpret_cast<Supports>(found->supports);
    return function == nullptr || function(device, request);
  }

  /// The twin on `device`. Throws DeviceUnavailable where it has none. [setup]
  template <class Op>
  [[nodiscard]] std::unique_ptr<typename Op::Twin> make(Device device,
                                                        const typename Op::Request& request) const {
    if (!supports<Op>(device, request))
      throw DeviceUnavailable(std::string(Op::kName) + " was asked for on " + device.name() +
                              ", which has no twin of it for this request; use auto or cpu");
    using Make = decltype(Factory<Op>::make);
    return reinterpret_cast<Make>(find(typeid(Op), device.kind())->make)(device, request);
  }

  /// Every described op, by name. [any]
  [[nodiscard]] std::span<const OpInfo> ops() const noexcept { return ops_; }

  /// The op of that name. Throws InvalidArgument, with the names there are. [setup]
  [[nodiscard]] const OpInfo& op(std::string_view name) const;

 private:
  struct AnyFactory {
    void (*make)() = nullptr;
    void (*supports)() = nullptr;
  };

  [[nodiscard]] const AnyFactory* find(std::type_index op, DeviceKind kind) const;

  std::vector<OpInfo> ops_;
  std::map<std::pair<std::type_index, DeviceKind>, AnyFactory> factories_;
};

}  // namespace ringwave::backend
