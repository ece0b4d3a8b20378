// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/byte_source.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <thread>

#include "ringwave/core/error.hpp"
#include "tests/temporary_folder.hpp"

namespace ringwave::io {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

std::string numbered(std::size_t size) {
  std::string bytes(size, '\0');
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 7 + i / 251);
  return bytes;
}

std::string read(ByteSource& source, std::size_t count) {
  std::string bytes(count, '\0');
  bytes.resize(source.read(std::as_writable_bytes(std::span(bytes))));
  return bytes;
}

/// A named pipe with somebody who writes into it.
class Pipe {
 public:
  Pipe(const TemporaryFolder& folder, std::string content) : path_(folder / "pipe") {
    EXPECT_EQ(mkfifo(path_.c_str(), 0600), 0);
    writer_ =
        std::thread([path = path_, bytes = std::move(content)] { TemporaryFolder::write(path, bytes); });
  }
  ~Pipe() { writer_.join(); }
  Pipe(const Pipe&) = delete;  // one thread
  Pipe& operator=(const Pipe&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::thread writer_;
};

TEST(ByteSource, ReadsAFileAnywhere) {
  const TemporaryFolder folder;
  const std::string bytes = numbered(5000);
  TemporaryFolder::write(folder / "file", bytes);
  ByteSource source(folder / "file");
  EXPECT_EQ(source.size(), 5000);
  EXPECT_EQ(read(source, 100), bytes.substr(0, 100));
  ASSERT_TRUE(source.seek(4990));
  EXPECT_EQ(read(source, 100), bytes.substr(4990));
  EXPECT_EQ(read(source, 100), "");
  EXPECT_FALSE(source.seek(-1));
}

TEST(ByteSource, ReadsTheHeadOfAPipeBackAndForthAndThenOnlyOn) {
  const TemporaryFolder folder;
  constexpr std::size_t kSize = ByteSource::kHeadBytes + 300'000;
  const std::string bytes = numbered(kSize);
  const Pipe pipe(folder, bytes);
  ByteSource source(pipe.path());
  EXPECT_FALSE(source.size());
  EXPECT_EQ(read(source, 12), bytes.substr(0, 12));
  ASSERT_TRUE(source.seek(1000));
  EXPECT_EQ(read(source, 5), bytes.substr(1000, 5));
  ASSERT_TRUE(source.seek(0));
  EXPECT_FALSE(source.seek(kSize - 1)) << "beyond the head";
  EXPECT_EQ(source.position(), 0) << "and nothing was read for that";
  EXPECT_EQ(read(source, kSize), bytes) << "across the end of the head";
  EXPECT_EQ(read(source, 1), "");
  EXPECT_FALSE(source.seek(0)) << "what came after the head is not kept";
}

TEST(ByteSource, ASpooledPipeIsAFile) {
  const TemporaryFolder folder;
  const std::string bytes = numbered(ByteSource::kHeadBytes + 5);
  const Pipe pipe(folder, bytes);
  ByteSource source(pipe.path());
  EXPECT_EQ(read(source, 4), bytes.substr(0, 4));
  source.spool();
  EXPECT_EQ(source.size(), static_cast<std::int64_t>(bytes.size()));
  EXPECT_EQ(read(source, 4), bytes.substr(4, 4)) << "it goes on where it was";
  ASSERT_TRUE(source.seek(ByteSource::kHeadBytes));
  EXPECT_EQ(read(source, 100), bytes.substr(ByteSource::kHeadBytes));
}

TEST(ByteSource, AStopEndsTheWaitForAPipe) {
  const TemporaryFolder folder;
  const std::string path = folder / "pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const int silent_writer = open(path.c_str(), O_RDWR);
  std::atomic<bool> stop{false};
  ByteSource source(path, &stop);
  std::thread stopper([&] { stop.store(true); });
  EXPECT_THROW(read(source, 1), Interrupted);
  stopper.join();
  close(silent_writer);
}

TEST(ByteSource, SaysWhatCannotBeOpened) {
  const TemporaryFolder folder;
  const std::string absent = folder / "absent.wav";
  EXPECT_THAT([&] { ByteSource source(absent); },
              ThrowsMessage<BadFile>(testing::AllOf(HasSubstr(absent), HasSubstr("No such file"))));
  EXPECT_THAT([&] { ByteSource source("/"); }, ThrowsMessage<BadFile>(HasSubstr("directory")));
}

}  // namespace
}  // namespace ringwave::io
