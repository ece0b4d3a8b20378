// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/device_list.hpp"

#include "ringwave/core/error.hpp"

namespace ringwave {

const DeviceList& DeviceList::instance() {
  // Never destroyed: queues and buffers in other static objects may outlive it and give memory back to a GPU.
  static const auto* list = new DeviceList(Module::cuda_path());
  return *list;
}

DeviceList::DeviceList(const std::string& module_path) {
  devices_.push_back(Device::cpu());
  try {
    module_.emplace(module_path);
    gpus_ = module_->interface().open_devices(why_no_gpu_);
  } catch (const Error& error) {
    why_no_gpu_ = error.what();
  }
  if (gpus_.empty() && why_no_gpu_.empty()) why_no_gpu_ = "the CUDA module found no device";
  for (std::size_t index = 0; index < gpus_.size(); ++index)
    devices_.push_back(Device(DeviceKind::cuda, static_cast<int>(index), gpus_[index].get()));
}

}  // namespace ringwave
