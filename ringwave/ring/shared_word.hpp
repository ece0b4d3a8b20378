// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

/// Words of memory that two sides reach, one of which may be a device: plain in the layout, atomic in the
/// use.
namespace ringwave::ring {

/// Reads a word that another side may be writing; orders nothing. [any]
template <class T>
[[nodiscard]] T peek(const T& word) noexcept {
  return std::atomic_ref<T>(const_cast<T&>(word)).load(std::memory_order_relaxed);
}

/// Reads it, and then sees what was written before it was. [any]
template <class T>
[[nodiscard]] T peek_acquire(const T& word) noexcept {
  return std::atomic_ref<T>(const_cast<T&>(word)).load(std::memory_order_acquire);
}

/// Writes a word that another side may be reading; orders nothing. [any]
template <class T>
void poke(T& word, T value) noexcept {
  std::atomic_ref<T>(word).store(value, std::memory_order_relaxed);
}

/// Writes it after everything before. [any]
template <class T>
void poke_release(T& word, T value) noexcept {
  std::atomic_ref<T>(word).store(value, std::memory_order_release);
}

/// Adds to a word of which this side is the only writer. [any]
template <class T>
void raise(T& word, T by) noexcept {
  poke(word, static_cast<T>(peek(word) + by));
}

}  // namespace ringwave::ring
