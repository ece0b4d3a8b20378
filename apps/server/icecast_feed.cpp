// SPDX-License-Identifier: Apache-2.0
#include "apps/server/icecast_feed.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "ringwave/core/error.hpp"
#include "ringwave/core/thread_name.hpp"
#include "ringwave/stream/refusal.hpp"

namespace ringwave::server {
namespace {

constexpr double kGlanceSeconds = 0.05;
constexpr std::size_t kMostPackets = 64;  // that are sent between two glances, far more than come
constexpr double kLeastPauseSeconds = 1;
constexpr double kMostPauseSeconds = 60;

}  // namespace

IcecastFeed::IcecastFeed(stream::Studio& studio, Spec spec) : studio_(studio), spec_(std::move(spec)) {
  thread_ = std::thread([this] { run(); });
}

IcecastFeed::~IcecastFeed() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  over_changed_.notify_all();
  thread_.join();
}

bool IcecastFeed::rest(double seconds) {
  std::unique_lock lock(mutex_);
  return over_changed_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return is_over_; });
}

void IcecastFeed::run() {
  name_thread("icecast");
  double pause = kLeastPauseSeconds;
  do {
    try {
      feed();
      return;
    } catch (const std::exception& error) {
      pause = std::exchange(has_fed_, false) ? kLeastPauseSeconds : std::min(2 * pause, kMostPauseSeconds);
      spec_.report(std::string(error.what()) + "; it is tried again");
    }
  } while (!rest(pause));
}

/// The station is there, and no stranger's who made it before its name was known here. One that the machine's
/// owner made stays theirs.
void IcecastFeed::claim() {
  const stream::StationOwner own{.is_kept = true};
  if (studio_.is_gone(spec_.station))
    (void)studio_.create({.id = spec_.station, .owner = own});
  else if (!studio_.find(spec_.station).owner.is_kept)
    studio_.give_to(spec_.station, own);
}

/// Until it is over.
void IcecastFeed::feed() {
  claim();
  io::IcecastOutput output(spec_.address, "Ringwave " + spec_.station);
  const auto listener = studio_.listen(spec_.station, spec_.address.format, 1);
  spec_.report("station " + spec_.station + " goes to " + spec_.address.text());
  output.send(listener->header());
  std::array<stream::PacketPtr, kMostPackets> packets;
  while (!rest(kGlanceSeconds)) {
    if (studio_.is_gone(spec_.station))
      throw stream::Refusal(stream::RefusalCode::gone, "station " + spec_.station + " was deleted");
    // Once a glance, so that an end or a deletion is noticed however slow the other server is.
    const std::size_t count = listener->take(packets);
    for (std::size_t i = 0; i < count; ++i) output.send(packets[i]->bytes);
    has_fed_ = has_fed_ || listener->taken() > 0;
  }
}

}  // namespace ringwave::server
