// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "ringwave/ring/delivery.hpp"

namespace ringwave::ring {

/// What Context asks of a host on the CPU; Context has the words. [ring]
class ContextPort {
 public:
  virtual ~ContextPort() = default;
  virtual Delivery reply(const void* bytes, std::size_t size, std::uint32_t type) noexcept = 0;
  [[nodiscard]] virtual std::byte* reply_space(std::size_t size) noexcept = 0;
  virtual Delivery send_reply() noexcept = 0;
  virtual Delivery emit(std::uint32_t type, const void* bytes, std::size_t size) noexcept = 0;
  virtual Delivery send(std::uint16_t target, std::uint32_t type, const void* bytes, std::size_t size,
                        std::uint8_t priority, bool with_request) noexcept = 0;
  [[nodiscard]] virtual int targets() const noexcept = 0;
  [[nodiscard]] virtual std::uint16_t target(int index) const noexcept = 0;
  virtual void fail(std::uint32_t code) noexcept = 0;
  virtual void refuse() noexcept = 0;
  [[nodiscard]] virtual bool stopping() const noexcept = 0;
  [[nodiscard]] virtual std::uint8_t priority() const noexcept = 0;
  [[nodiscard]] virtual bool* overrun() noexcept = 0;
};

}  // namespace ringwave::ring
