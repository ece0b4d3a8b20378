// SPDX-License-Identifier: Apache-2.0
// Locks that could wait, as the whole program and its shared libraries see them. Those that only try are not
// here: an audio thread may try.
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>

#include "tests/realtime/guard.hpp"

using ringwave::realtime::Trespass;

namespace {

/// The C library's own function of that name; null where it has none of that version.
template <class Function>
Function* real(const char* name, const char* version = nullptr) {
  void* const found = version != nullptr ? dlvsym(RTLD_NEXT, name, version) : dlsym(RTLD_NEXT, name);
  return reinterpret_cast<Function*>(found != nullptr ? found : dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  const Trespass trespass("pthread_mutex_lock", __builtin_return_address(0));
  static auto* const lock = real<int(pthread_mutex_t*)>("pthread_mutex_lock");
  return lock(mutex);
}

int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* until) noexcept {
  const Trespass trespass("pthread_mutex_timedlock", __builtin_return_address(0));
  static auto* const lock = real<int(pthread_mutex_t*, const timespec*)>("pthread_mutex_timedlock");
  return lock(mutex, until);
}

int pthread_rwlock_rdlock(pthread_rwlock_t* rwlock) noexcept {
  const Trespass trespass("pthread_rwlock_rdlock", __builtin_return_address(0));
  static auto* const lock = real<int(pthread_rwlock_t*)>("pthread_rwlock_rdlock");
  return lock(rwlock);
}

int pthread_rwlock_wrlock(pthread_rwlock_t* rwlock) noexcept {
  const Trespass trespass("pthread_rwlock_wrlock", __builtin_return_address(0));
  static auto* const lock = real<int(pthread_rwlock_t*)>("pthread_rwlock_wrlock");
  return lock(rwlock);
}

// The version matters: an older condition variable of the same name has another layout.
int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  const Trespass trespass("pthread_cond_wait", __builtin_return_address(0));
  static auto* const wait = real<int(pthread_cond_t*, pthread_mutex_t*)>("pthread_cond_wait", "GLIBC_2.3.2");
  return wait(condition, mutex);
}

int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* until) {
  const Trespass trespass("pthread_cond_timedwait", __builtin_return_address(0));
  static auto* const wait =
      real<int(pthread_cond_t*, pthread_mutex_t*, const timespec*)>("pthread_cond_timedwait", "GLIBC_2.3.2");
  return wait(condition, mutex, until);
}

int pthread_spin_lock(pthread_spinlock_t* spinlock) noexcept {
  const Trespass trespass("pthread_spin_lock", __builtin_return_address(0));
  static auto* const lock = real<int(pthread_spinlock_t*)>("pthread_spin_lock");
  return lock(spinlock);
}

int sem_wait(sem_t* semaphore) {
  const Trespass trespass("sem_wait", __builtin_return_address(0));
  static auto* const wait = real<int(sem_t*)>("sem_wait", "GLIBC_2.34");
  return wait(semaphore);
}

int sem_timedwait(sem_t* semaphore, const timespec* until) {
  const Trespass trespass("sem_timedwait", __builtin_return_address(0));
  static auto* const wait = real<int(sem_t*, const timespec*)>("sem_timedwait", "GLIBC_2.34");
  return wait(semaphore, until);
}

}  // extern "C"
