// SPDX-License-Identifier: Apache-2.0
#include "apps/server/render_desk.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>
#include <utility>
#include <vector>

#include "ringwave/core/error.hpp"
#include "ringwave/core/thread_name.hpp"
#include "ringwave/io/audio_writer.hpp"
#include "ringwave/stream/random_identifier.hpp"
#include "ringwave/stream/refusal.hpp"
#include "ringwave/synth/rendering.hpp"

namespace ringwave::server {

namespace fs = std::filesystem;
using Steady = std::chrono::steady_clock;
using stream::Refusal;
using stream::RefusalCode;

struct RenderDesk::Job {
  std::string id;
  Order order;
  std::string name;  // of its file
  Steady::time_point made = Steady::now();
  State state = State::waiting;  // by the desk's lock, as the next two
  std::string error{};
  std::uintmax_t bytes = 0;
  std::atomic<std::int64_t> heard{0};  // frames
  std::atomic<bool> stopped{false};
};

namespace {

constexpr std::size_t kIdentifierLetters = 20;  // who knows a job may fetch its file
constexpr int kNiceness = 10;

/// Stations come first: what this thread does may take longer.
void give_way() {
  (void)setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kNiceness);
}

}  // namespace

std::string_view to_string(RenderDesk::State state) noexcept {
  switch (state) {
    case RenderDesk::State::waiting:
      return "waiting";
    case RenderDesk::State::running:
      return "running";
    case RenderDesk::State::done:
      return "done";
    case RenderDesk::State::failed:
      break;
  }
  return "failed";
}

RenderDesk::RenderDesk(Spec spec) : spec_(std::move(spec)), folder_(spec_.folder) {
  const std::size_t others = folder_.remove_the_left();
  if (others > 0 && spec_.report)
    spec_.report(spec_.folder.string() + " has files that this server did not make, " +
                 std::to_string(others) + "; they stay");
  thread_ = std::thread([this] { run(); });
}

RenderDesk::~RenderDesk() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    for (const auto& [id, job] : jobs_) job->stopped = true;
  }
  changed_.notify_all();
  thread_.join();
}

RenderDesk::Info RenderDesk::order(Order order) {
  const auto job = std::make_shared<Job>();
  job->id = stream::random_identifier(kIdentifierLetters);
  job->name = job->id + "." + order.ending;
  job->order = std::move(order);
  const std::lock_guard lock(mutex_);
  if (waiting_.size() >= spec_.most_waiting)
    throw Refusal(RefusalCode::limit_reached, std::to_string(waiting_.size()) +
                                                  " files wait to be rendered; come back when some are done");
  remove_the_old();
  jobs_[job->id] = job;
  waiting_.push_back(job);
  changed_.notify_all();
  return info_of(*job);
}

RenderDesk::Info RenderDesk::find(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  const auto found = jobs_.find(id);
  if (found == jobs_.end())
    throw Refusal(RefusalCode::not_found,
                  "there is no such render job; those that are done go after a while");
  return info_of(*found->second);
}

void RenderDesk::remove(const std::string& id) {
  (void)find(id);
  const std::lock_guard lock(mutex_);
  const auto found = jobs_.find(id);
  if (found == jobs_.end()) return;
  found->second->stopped = true;
  std::erase(waiting_, found->second);
  folder_.remove(found->second->name);
  jobs_.erase(found);
}

RenderDesk::Info RenderDesk::info_of(const Job& job) const {
  Info info{.id = job.id, .state = job.state, .error = job.error};
  info.progress =
      static_cast<double>(job.heard) / static_cast<double>(std::max<std::int64_t>(1, job.order.frames));
  info.progress = job.state == State::done ? 1 : std::clamp(info.progress, 0.0, 1.0);
  if (job.state == State::done) info.file = folder_.path_of(job.name);
  return info;
}

void RenderDesk::run() {
  name_thread("render desk");
  give_way();
  while (const JobPtr job = next()) {
    try {
      make(*job);
      finish(*job, State::done, "");
    } catch (const Interrupted&) {
      finish(*job, State::failed, "it was stopped");
    } catch (const std::exception& fault) {
      if (spec_.report) spec_.report(std::string("a render job failed: ") + fault.what());
      finish(*job, State::failed, "the server could not render it; its log says why");
    }
  }
}

RenderDesk::JobPtr RenderDesk::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
  if (ending_) return nullptr;
  JobPtr job = waiting_.front();
  waiting_.pop_front();
  job->state = State::running;
  return job;
}

void RenderDesk::list_files() const {
  std::vector<std::string> names;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, job] : jobs_) names.push_back(job->name);
  }
  folder_.list(names);
}

void RenderDesk::make(Job& job) {
  list_files();
  io::AudioWriter writer(folder_.path_of(job.name).string(),
                         {.channels = 2, .sample_rate_hz = kSampleRateHz, .frames = job.order.frames});
  std::vector<synth::Rendering::Station> stations;
  stations.push_back({.piece = std::move(job.order.piece),
                      .effects = job.order.effects,
                      .hear = [&writer](BlockView<const float> block) { writer.write(block); }});
  const auto see = [&job](std::int64_t heard) {
    job.heard = heard;
    if (job.stopped) throw Interrupted("the job was stopped");
  };
  (void)synth::render_batch({.device = spec_.device, .sample_rate_hz = kSampleRateHz}, std::move(stations),
                            job.order.frames, see);
  writer.commit();
}

void RenderDesk::finish(Job& job, State state, const std::string& error) {
  std::error_code ignored;
  const std::lock_guard lock(mutex_);
  job.state = state;
  job.error = error;
  if (state == State::done) job.bytes = fs::file_size(folder_.path_of(job.name), ignored);
  if (job.stopped) folder_.remove(job.name);  // it was removed while its last block was written
  remove_the_old();
}

void RenderDesk::remove_the_old() {
  std::vector<JobPtr> over;
  for (const auto& [id, job] : jobs_)
    if (job->state == State::done || job->state == State::failed) over.push_back(job);
  std::ranges::sort(over, std::greater{}, [](const JobPtr& job) { return job->made; });
  std::uintmax_t bytes = 0;
  for (std::size_t i = 0; i < over.size(); ++i) {
    bytes += over[i]->bytes;
    // The newest stays whatever its size: somebody waits for it.
    const bool is_too_much = i > 0 && (i >= spec_.most_kept || bytes > spec_.most_bytes);
    if (!is_too_much && Steady::now() - over[i]->made < spec_.most_age) continue;
    folder_.remove(over[i]->name);
    jobs_.erase(over[i]->id);
  }
}

}  // namespace ringwave::server
