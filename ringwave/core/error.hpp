// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace ringwave {

/// The one hierarchy that setup code throws. A message is a sentence that says what was asked, what was found
/// and what to do. Audio code never throws: it returns a Status and raises a counter.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A value that the caller passed can never work: an unknown name, a size out of range, an unstable filter.
class InvalidArgument : public Error {
 public:
  using Error::Error;
};

/// The call is right but not now: a buffer that nobody has written is read, a capture is already open.
class InvalidState : public Error {
 public:
  using Error::Error;
};

/// The device that was asked for is not on this machine, or cannot be used.
class DeviceUnavailable : public Error {
 public:
  using Error::Error;
};

/// The device was there and has failed: its memory, and everything prepared on it, is gone.
class DeviceLost : public Error {
 public:
  using Error::Error;
};

/// The device, or the budget that a pool was given, has no room.
class OutOfMemory : public Error {
 public:
  using Error::Error;
};

/// A file is missing, torn, foreign or not what it says it is.
class BadFile : public Error {
 public:
  using Error::Error;
};

/// Something did not happen in the time that it was given.
class TimedOut : public Error {
 public:
  using Error::Error;
};

/// The work was stopped from outside before it was done: a signal, a user.
class Interrupted : public Error {
 public:
  using Error::Error;
};

}  // namespace ringwave
