// SPDX-License-Identifier: Apache-2.0
// A module that no library may use; the build says in what way it does not fit.
#include "ringwave/core/module.hpp"
#include "ringwave/core/version.hpp"

#ifndef RW_TEST_MAGIC
#define RW_TEST_MAGIC ringwave::ModuleInterface::kMagic
#endif
#ifndef RW_TEST_ENTRY
#define RW_TEST_ENTRY ringwave_module
#endif

extern "C" const ringwave::ModuleInterface* RW_TEST_ENTRY() {
  static const ringwave::ModuleInterface interface {
    .magic = RW_TEST_MAGIC, .version = RW_TEST_VERSION, .open_devices = nullptr, .register_ops = nullptr
  };
  return &interface;
}
