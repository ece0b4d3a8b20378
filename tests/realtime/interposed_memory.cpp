// SPDX-License-Identifier: Apache-2.0
// The C library's memory functions, as the whole program and its shared libraries see them: operator new and
// delete come through here too.
#include <malloc.h>

#include <bit>
#include <cerrno>
#include <cstdlib>

#include "tests/realtime/guard.hpp"

using ringwave::realtime::Trespass;

extern "C" {

// The real ones, under the names by which glibc lets itself be wrapped.
void* __libc_malloc(std::size_t bytes) noexcept;
void* __libc_calloc(std::size_t count, std::size_t bytes) noexcept;
void* __libc_realloc(void* memory, std::size_t bytes) noexcept;
void* __libc_memalign(std::size_t alignment, std::size_t bytes) noexcept;
void __libc_free(void* memory) noexcept;

void* malloc(std::size_t bytes) noexcept {
  const Trespass trespass("malloc", __builtin_return_address(0));
  return __libc_malloc(bytes);
}

void free(void* memory) noexcept {
  if (memory == nullptr) return;
  const Trespass trespass("free", __builtin_return_address(0));
  __libc_free(memory);
}

void* calloc(std::size_t count, std::size_t bytes) noexcept {
  const Trespass trespass("calloc", __builtin_return_address(0));
  return __libc_calloc(count, bytes);
}

void* realloc(void* memory, std::size_t bytes) noexcept {
  const Trespass trespass("realloc", __builtin_return_address(0));
  return __libc_realloc(memory, bytes);
}

void* memalign(std::size_t alignment, std::size_t bytes) noexcept {
  const Trespass trespass("memalign", __builtin_return_address(0));
  return __libc_memalign(alignment, bytes);
}

void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
  const Trespass trespass("aligned_alloc", __builtin_return_address(0));
  return __libc_memalign(alignment, bytes);
}

int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) noexcept {
  const Trespass trespass("posix_memalign", __builtin_return_address(0));
  if (!std::has_single_bit(alignment) || alignment % sizeof(void*) != 0) return EINVAL;
  void* const found = __libc_memalign(alignment, bytes);
  if (found == nullptr) return ENOMEM;
  *memory = found;
  return 0;
}

}  // extern "C"
