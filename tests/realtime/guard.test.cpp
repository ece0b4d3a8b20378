// SPDX-License-Identifier: Apache-2.0
#include "tests/realtime/guard.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

#include "tests/realtime/system_calls.hpp"

// What the guard shall catch, each in a function of its own whose name the report must show. They are not in
// an anonymous namespace, so that a stripped program can name them too, and do something after the call, so
// that it is not the last thing they do: a jump leaves no trace on the stack.
namespace ringwave::realtime::misdeeds {

[[gnu::noinline]] void touch(void* memory) {
  asm volatile("" : : "r"(memory) : "memory");
}

[[gnu::noinline]] void* allocates() {
  void* const memory = std::malloc(100);
  touch(memory);
  return memory;
}

[[gnu::noinline]] void frees(void* memory) {
  std::free(memory);
  touch(nullptr);
}

[[gnu::noinline]] void* allocates_zeros() {
  void* const memory = std::calloc(10, 10);
  touch(memory);
  return memory;
}

[[gnu::noinline]] void* reallocates(void* memory) {
  void* const moved = std::realloc(memory, 1000);
  touch(moved);
  return moved;
}

[[gnu::noinline]] void* allocates_aligned() {
  void* memory = nullptr;
  if (posix_memalign(&memory, 64, 640) != 0) memory = nullptr;
  touch(memory);
  return memory;
}

[[gnu::noinline]] void grows(std::vector<int>& numbers) {
  numbers.push_back(1);
  touch(numbers.data());
}

[[gnu::noinline]] void locks(std::mutex& mutex) {
  const std::scoped_lock lock(mutex);
  touch(&mutex);
}

[[gnu::noinline]] void locks_shared(std::shared_mutex& mutex) {
  const std::shared_lock lock(mutex);
  touch(&mutex);
}

[[gnu::noinline]] void waits_for_semaphore(sem_t* semaphore) {
  sem_wait(semaphore);
  touch(semaphore);
}

[[gnu::noinline]] bool tries_to_lock(std::mutex& mutex) {
  const std::unique_lock lock(mutex, std::try_to_lock);
  touch(&mutex);
  return lock.owns_lock();
}

[[gnu::noinline]] long calls_the_kernel() {
  long result = SYS_getpid;
#if defined(__x86_64__)
  asm volatile("syscall" : "+a"(result) : : "rcx", "r11", "memory");
#else
  result = syscall(SYS_getpid);
#endif
  touch(&result);
  return result;
}

[[gnu::noinline]] void prints() {
  std::printf("%s", "");
  std::fflush(stdout);
  std::printf("the guard lets this line through\n");
  std::fflush(stdout);
  touch(nullptr);
}

[[gnu::noinline]] void sleeps() {
  std::this_thread::sleep_for(std::chrono::microseconds(1));
  touch(nullptr);
}

[[gnu::noinline]] float computes(float x) {
  for (int i = 0; i < 1000; ++i) x = x * 0.999F + 0.25F;
  touch(&x);
  return x;
}

}  // namespace ringwave::realtime::misdeeds

namespace ringwave::realtime {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

/// What the guard says about `work`.
template <class Work>
std::string report_of(Work&& work) {
  RealtimeGuard guard;
  work();
  guard.end();
  EXPECT_EQ(guard.driver_violations(), 0U);
  EXPECT_EQ(guard.report().empty(), guard.violations() == 0);
  return guard.report();
}

TEST(RealtimeGuard, NamesAnAllocationAndItsCaller) {
  void* memory = nullptr;
  EXPECT_THAT(report_of([&] { memory = misdeeds::allocates(); }),
              AllOf(StartsWith("malloc, 1 time,"), HasSubstr("misdeeds::allocates()")));
  EXPECT_THAT(report_of([&] { memory = misdeeds::reallocates(memory); }),
              AllOf(StartsWith("realloc,"), HasSubstr("misdeeds::reallocates(")));
  EXPECT_THAT(report_of([&] { misdeeds::frees(memory); }),
              AllOf(StartsWith("free,"), HasSubstr("misdeeds::frees(")));
  EXPECT_THAT(report_of([&] { memory = misdeeds::allocates_zeros(); }),
              AllOf(StartsWith("calloc,"), HasSubstr("misdeeds::allocates_zeros()")));
  std::free(memory);
  EXPECT_THAT(report_of([&] { memory = misdeeds::allocates_aligned(); }),
              AllOf(StartsWith("posix_memalign,"), HasSubstr("misdeeds::allocates_aligned()")));
  std::free(memory);
}

TEST(RealtimeGuard, LetsNothingBeFreed) {
  EXPECT_EQ(report_of([] { misdeeds::frees(nullptr); }), "");
}

TEST(RealtimeGuard, SeesAVectorGrowThroughOperatorNew) {
  std::vector<int> numbers;
  EXPECT_THAT(report_of([&] { misdeeds::grows(numbers); }),
              AllOf(StartsWith("malloc,"), HasSubstr("operator new"), HasSubstr("misdeeds::grows(")));
}

TEST(RealtimeGuard, NamesALockThatCouldWait) {
  std::mutex mutex;
  EXPECT_THAT(report_of([&] { misdeeds::locks(mutex); }),
              AllOf(StartsWith("pthread_mutex_lock,"), HasSubstr("misdeeds::locks(")));
  std::shared_mutex shared;
  EXPECT_THAT(report_of([&] { misdeeds::locks_shared(shared); }),
              AllOf(StartsWith("pthread_rwlock_rdlock,"), HasSubstr("misdeeds::locks_shared(")));
  sem_t semaphore;
  ASSERT_EQ(sem_init(&semaphore, 0, 1), 0);
  EXPECT_THAT(report_of([&] { misdeeds::waits_for_semaphore(&semaphore); }),
              AllOf(StartsWith("sem_wait,"), HasSubstr("misdeeds::waits_for_semaphore(")));
  sem_destroy(&semaphore);
}

TEST(RealtimeGuard, LetsALockBeTried) {
  std::mutex mutex;
  bool owned = false;
  EXPECT_EQ(report_of([&] { owned = misdeeds::tries_to_lock(mutex); }), "");
  EXPECT_TRUE(owned);
}

/// Everything below needs the kernel's help.
class SystemCallGuard : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = why_no_system_call_watch(); !why.empty())
      GTEST_SKIP() << "system calls were not checked: " << why;
  }
};

TEST_F(SystemCallGuard, NamesACallWithoutAFunction) {
  long process = 0;
  EXPECT_THAT(report_of([&] { process = misdeeds::calls_the_kernel(); }),
              AllOf(StartsWith("system call getpid, 1 time,"), HasSubstr("misdeeds::calls_the_kernel()")));
  EXPECT_EQ(process, getpid()) << "the call must still do its work";
}

TEST_F(SystemCallGuard, CountsEveryCall) {
  RealtimeGuard guard;
  for (int i = 0; i < 1000; ++i) (void)misdeeds::calls_the_kernel();
  guard.end();
  EXPECT_EQ(guard.violations(), 1000U) << guard.report();
}

TEST_F(SystemCallGuard, NamesPrinting) {
  EXPECT_THAT(report_of([] { misdeeds::prints(); }),
              AllOf(HasSubstr("system call write,"), HasSubstr("misdeeds::prints()")));
}

TEST_F(SystemCallGuard, NamesSleeping) {
  EXPECT_THAT(report_of([] { misdeeds::sleeps(); }),
              AllOf(StartsWith("system call clock_nanosleep,"), HasSubstr("misdeeds::sleeps()")));
}

TEST_F(SystemCallGuard, SurvivesTheStartOfAThread) {
  int result = 0;
  EXPECT_THAT(report_of([&] { std::thread([&result] { result = 7; }).join(); }), HasSubstr("std::thread"));
  EXPECT_EQ(result, 7);
}

TEST(RealtimeGuard, FindsNothingInArithmetic) {
  float result = 0;
  EXPECT_EQ(report_of([&] { result = misdeeds::computes(1.0F); }), "");
  EXPECT_GT(result, 0.0F);
}

TEST(RealtimeGuard, SeesNothingOutsideItsScope) {
  misdeeds::frees(misdeeds::allocates());
  RealtimeGuard guard;
  guard.end();
  misdeeds::frees(misdeeds::allocates());
  (void)misdeeds::calls_the_kernel();
  EXPECT_EQ(guard.violations(), 0U) << guard.report();
}

TEST(RealtimeGuard, SeesNothingOnOtherThreads) {
  std::atomic<int> step{0};
  std::thread other([&] {
    while (step.load() != 1) std::this_thread::yield();
    misdeeds::frees(misdeeds::allocates());
    (void)misdeeds::calls_the_kernel();
    misdeeds::sleeps();
    step.store(2);
  });
  RealtimeGuard guard;
  step.store(1);
  while (step.load() != 2) (void)misdeeds::computes(1.0F);
  guard.end();
  other.join();
  EXPECT_EQ(guard.violations(), 0U) << guard.report();
}

}  // namespace
}  // namespace ringwave::realtime
