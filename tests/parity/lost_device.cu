// SPDX-License-Identifier: Apache-2.0
// A GPU that dies between two blocks: the ops answer with a status and silence, new ones are refused in a
// sentence, and `auto` goes to the CPU. A program of its own, because the device stays dead until it ends.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "ringwave/core/device.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/dsp/biquad.hpp"
#include "ringwave/dsp/butterworth.hpp"
#include "ringwave/dsp/gain.hpp"

namespace {

using ringwave::BlockView;
using ringwave::Device;
using ringwave::Status;

constexpr int kChannels = 2;
constexpr int kFrames = 480;

__global__ void trap_kernel() {
  asm("trap;");
}

void require(bool kept, const std::string& promise) {
  std::printf("%s: %s\n", kept ? "kept" : "BROKEN", promise.c_str());
  if (!kept) std::exit(1);
}

std::vector<float> noise() {
  return std::vector<float>(kChannels * kFrames, 0.25F);
}

template <class Op>
void expect_works(Op& op, const std::string& name) {
  std::vector<float> block = noise();
  const BlockView<float> view(block.data(), kChannels, kFrames);
  require(op.process(view, view) == Status::ok, name + " works before");
}

template <class Op>
void expect_lost(Op& op, const std::string& name) {
  for (int i = 0; i < 3; ++i) {
    const std::vector<float> in = noise();
    std::vector<float> out(in.size(), 1.0F);
    const Status status = op.process({in.data(), kChannels, kFrames}, {out.data(), kChannels, kFrames});
    std::printf("%s says: %s\n", name.c_str(), std::string(to_string(status)).c_str());
    require(status == Status::device_lost, name + " says that the device is lost");
    require(std::all_of(out.begin(), out.end(), [](float sample) { return sample == 0.0F; }),
            name + " gives silence");
  }
  op.reset();
}

void expect_refused(Device device) {
  try {
    const ringwave::dsp::Gain gain(device, {kChannels, kFrames});
    require(false, "a new op is refused");
  } catch (const ringwave::Error& error) {
    std::printf("a new op says: %s\n", error.what());
    require(dynamic_cast<const ringwave::DeviceLost*>(&error) != nullptr ||
                dynamic_cast<const ringwave::DeviceUnavailable*>(&error) != nullptr,
            "a new op is refused with DeviceLost or DeviceUnavailable");
  }
}

}  // namespace

int main() {
  if (Device::all().size() == 1) {
    std::printf("skipped: %s\n", std::string(Device::why_no_gpu()).c_str());
    return 0;
  }
  const Device gpu = Device::find("cuda");
  const auto lowpass = ringwave::dsp::butterworth_lowpass(8, 1000, 48000);
  ringwave::dsp::Biquad biquad(gpu, {kChannels, kFrames}, lowpass);
  ringwave::dsp::Gain gain(gpu, {kChannels, kFrames, 0.5F});
  expect_works(biquad, "biquad");
  expect_works(gain, "gain");
  require(!gpu.lost(), "the device is well before");

  // Both CUDA runtimes of this process share the device's one context: what kills it here kills it there.
  cudaSetDevice(gpu.index());
  trap_kernel<<<1, 1>>>();
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("the trap gave: %s\n", cudaGetErrorString(error));
  require(error != cudaSuccess, "the kernel trapped");

  expect_lost(biquad, "biquad");
  expect_lost(gain, "gain");
  require(gpu.lost(), "the device says that it is lost");
  expect_refused(gpu);

  ringwave::dsp::Gain elsewhere(Device(), {kChannels, kFrames, 0.5F});
  require(elsewhere.device() == Device::cpu(), "auto goes to the CPU");
  expect_works(elsewhere, "gain by auto");
  std::printf("all promises kept\n");
  return 0;
}
