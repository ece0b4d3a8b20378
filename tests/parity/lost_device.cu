// SPDX-License-Identifier: Apache-2.0
// A GPU that dies between two blocks: the ops answer with a status and silence, new ones are refused in a
// sentence, `auto` goes to the CPU, and a station that somebody hears and a ring kernel go on there. A
// program of its own, because the device stays dead until it ends.
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "ringwave/core/buffer.hpp"
#include "ringwave/core/device.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/dsp/biquad.hpp"
#include "ringwave/dsp/butterworth.hpp"
#include "ringwave/dsp/gain.hpp"
#include "ringwave/ring/runtime.hpp"
#include "ringwave/stream/frame_header.hpp"
#include "ringwave/stream/studio.hpp"

namespace {

using ringwave::BlockView;
using ringwave::Device;
using ringwave::Status;
using ringwave::stream::FrameHeader;
using ringwave::stream::Studio;

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

/// What a listener got: packets of PCM with their headers.
struct Heard {
  FrameHeader header;
  int loudest = 0;
};

std::vector<Heard> hear(ringwave::stream::Listener& listener, std::size_t packets) {
  std::vector<Heard> heard;
  std::array<ringwave::stream::PacketPtr, 8> taken;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (heard.size() < packets && std::chrono::steady_clock::now() < end) {
    const std::size_t count = listener.take(taken);
    for (std::size_t i = 0; i < count; ++i) {
      const auto& bytes = taken[i]->bytes;
      std::vector<std::int16_t> samples((bytes.size() - FrameHeader::kBytes) / sizeof(std::int16_t));
      std::memcpy(samples.data(), bytes.data() + FrameHeader::kBytes, samples.size() * sizeof(std::int16_t));
      heard.push_back({FrameHeader::parse(bytes).value(), *std::max_element(samples.begin(), samples.end())});
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  require(heard.size() >= packets, "a listener is sent packets");
  return heard;
}

/// After `before`, which a GPU played.
void expect_goes_on(const std::vector<Heard>& before, const std::vector<Heard>& after) {
  std::uint32_t sequence = before.back().header.sequence;
  std::uint64_t time = before.back().header.sample_time;
  bool is_whole = true;
  int joins = 0;
  int loudest = 0;
  for (const Heard& packet : after) {
    is_whole = is_whole && packet.header.sequence == ++sequence;
    time += Studio::kBlockFrames;
    if (packet.header.flags == FrameHeader::kDiscontinuous) {
      ++joins;
      const double jump = (static_cast<double>(packet.header.sample_time) - static_cast<double>(time)) /
                          Studio::kSampleRateHz;
      std::printf("the station goes on %+.3f s from where it broke off\n", jump);
      require(std::abs(jump) < 1, "a station goes on about where it was");
      time = packet.header.sample_time;
    }
    is_whole = is_whole && packet.header.sample_time == time;
    if (joins > 0) loudest = std::max(loudest, packet.loudest);
  }
  require(is_whole, "each packet is the next, by its number and its time");
  require(joins == 1, "a listener is told of one break");
  require(loudest > 100, "a station sounds after it");
}

constexpr std::chrono::seconds kLong{20};

void expect_answers(const ringwave::ring::Kernel& kernel, const std::string& device) {
  const auto end = std::chrono::steady_clock::now() + kLong;
  while (kernel.device() != device && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  require(kernel.device() == device, "a ring kernel is on " + device);
  ringwave::ring::Letter reply;
  require(kernel.request(ringwave::ring::Outgoing::of(0, 42), reply, kLong) == ringwave::ring::Delivery::ok &&
              reply.as<int>() == 42,
          "a ring kernel answers on " + device);
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
  Studio studio({.device = gpu, .most_playing = 2, .render_threads = 1});
  require(studio.device() == gpu, "a studio plays on the GPU before");
  const auto listener = studio.listen(studio.create({.seed = 7}).id, ringwave::io::StreamFormat::pcm, 0);

  // Both CUDA runtimes of this process share the device's one context: what kills it here kills it there. The
  // trap is loaded before there is a resident kernel, which loading would wait for.
  cudaSetDevice(gpu.index());
  cudaFuncAttributes loaded;
  require(cudaFuncGetAttributes(&loaded, trap_kernel) == cudaSuccess, "the trap is loaded");
  ringwave::ring::Runtime runtime({.device = gpu});
  const ringwave::ring::KernelScope movable(runtime.create({.name = "movable", .handler = "echo"}));
  const ringwave::ring::KernelScope bound(
      runtime.create({.name = "bound", .handler = "echo", .fails_over = false}));
  const auto samples = std::make_shared<ringwave::Buffer<float>>(gpu, 100'000, ringwave::HostMemory::pinned);
  samples->fill(1.0F);
  const ringwave::ring::Parcel parcel = runtime.wrap(samples);
  for (const bool fails_over : {true, false}) {
    const ringwave::ring::Kernel waiting =
        runtime.create({.name = fails_over ? "waiting to move" : "waiting to fail",
                        .handler = "echo",
                        .fails_over = fails_over});
    waiting.launch();
    for (int i = 0; i < 3; ++i)
      require(waiting.send(ringwave::ring::Outgoing::of(0, parcel)) == ringwave::ring::Delivery::ok,
              "a message refers to a buffer");
  }
  require(parcel.messages() == 6, "messages that wait hold what they refer to");
  expect_answers(*movable, gpu.name());
  expect_answers(*bound, gpu.name());
  const auto before = hear(*listener, 100);
  trap_kernel<<<1, 1>>>();
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("the trap gave: %s\n", cudaGetErrorString(error));
  require(error != cudaSuccess, "the kernel trapped");
  // At once: a listener that hears nothing for long misses packets.
  expect_goes_on(before, hear(*listener, 150));

  expect_lost(biquad, "biquad");
  expect_lost(gain, "gain");
  require(gpu.lost(), "the device says that it is lost");
  expect_refused(gpu);

  ringwave::dsp::Gain elsewhere(Device(), {kChannels, kFrames, 0.5F});
  require(elsewhere.device() == Device::cpu(), "auto goes to the CPU");
  expect_works(elsewhere, "gain by auto");

  expect_answers(*movable, "cpu");
  require(movable->telemetry().restarts == 1, "a ring kernel counts the move as a restart");
  const auto end = std::chrono::steady_clock::now() + kLong;
  while (bound->state() != ringwave::ring::State::failed && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::printf("a ring kernel that may not move says: %s\n", bound->failure().c_str());
  require(bound->state() == ringwave::ring::State::failed, "a ring kernel that may not move has failed");
  while (parcel.messages() != 0 && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  require(parcel.messages() == 0, "what waited on the lost device refers to nothing any more");
  require(runtime.create({.name = "late", .handler = "echo"}).device() == "cpu",
          "a new ring kernel is on the CPU");

  require(studio.device() == Device::cpu() && studio.stats().device_losses == 1,
          "a studio says where it plays");
  std::printf("all promises kept\n");
  return 0;
}
