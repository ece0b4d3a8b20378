// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/module.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "ringwave/core/error.hpp"
#include "ringwave/core/version.hpp"

namespace ringwave {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// A module of tests/modules.
std::string module_path(const std::string& name) {
  const auto program = std::filesystem::read_symlink("/proc/self/exe");
  return program.parent_path() / "../lib" / ("lib" + name + ".so");
}

/// That opening `path` fails in a sentence that holds `words`.
void expect_unavailable(const std::string& path, const std::string& words) {
  EXPECT_THAT([&] { const Module module(path); }, ThrowsMessage<DeviceUnavailable>(HasSubstr(words))) << path;
}

TEST(Module, OneThatFitsOpens) {
  const Module module(module_path("test_device_module"));
  EXPECT_STREQ(module.interface().version, kVersion);
  std::string why_none;
  EXPECT_EQ(module.interface().open_devices(why_none).size(), 1U);
}

TEST(Module, AnAbsentFileIsNamed) {
  expect_unavailable("/absent/module.so", "/absent/module.so is not there");
  expect_unavailable("", "is not there");
}

TEST(Module, ANameThatNoFileCanHaveIsReportedToo) {
  EXPECT_THROW(Module("/" + std::string(5000, 'x')), DeviceUnavailable);
}

TEST(Module, AFileThatIsNoLibraryIsReported) {
  const auto path = std::filesystem::path(testing::TempDir()) / ("text-" + std::to_string(getpid()) + ".so");
  std::ofstream(path) << "not a library";
  expect_unavailable(path, path);
  std::ofstream(path, std::ios::trunc).flush();
  expect_unavailable(path, path);
  std::filesystem::remove(path);
  expect_unavailable(testing::TempDir(), "cannot be opened");
}

TEST(Module, ALibraryOfSomethingElseIsNoModule) {
  expect_unavailable(module_path("test_no_entry_module"), "is not a Ringwave module");
  expect_unavailable(module_path("test_wrong_magic_module"), "is not a Ringwave module");
  expect_unavailable(module_path("test_no_version_module"), "is not a Ringwave module");
}

TEST(Module, OneOfAnotherVersionNamesBoth) {
  EXPECT_THAT([] { const Module module(module_path("test_other_version_module")); },
              ThrowsMessage<DeviceUnavailable>(AllOf(HasSubstr("0.0.0-other"), HasSubstr(kVersion))));
}

TEST(Module, IsLookedForBesideTheLibraryUnlessTheEnvironmentSaysWhere) {
  const char* set = std::getenv("RINGWAVE_CUDA_MODULE");
  const std::optional<std::string> before =
      set != nullptr ? std::make_optional<std::string>(set) : std::nullopt;
  setenv("RINGWAVE_CUDA_MODULE", "/somewhere/else.so", 1);
  EXPECT_EQ(Module::cuda_path(), "/somewhere/else.so");
  setenv("RINGWAVE_CUDA_MODULE", "", 1);
  EXPECT_THAT(Module::cuda_path(), testing::EndsWith("/libringwave_cuda.so"));
  EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(Module::cuda_path()).parent_path()));
  if (before)
    setenv("RINGWAVE_CUDA_MODULE", before->c_str(), 1);
  else
    unsetenv("RINGWAVE_CUDA_MODULE");
}

}  // namespace
}  // namespace ringwave
