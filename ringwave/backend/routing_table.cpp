// SPDX-License-Identifier: Apache-2.0
#include "ringwave/backend/routing_table.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "ringwave/core/atomic_file.hpp"
#include "ringwave/core/cache_folder.hpp"
#include "ringwave/core/device.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/core/read_file.hpp"
#include "ringwave/core/version.hpp"

namespace ringwave::backend {
namespace {

using Json = nlohmann::json;

constexpr const char* kFormat = "ringwave routing table";
constexpr std::size_t kLargestFile = std::size_t{4} << 20;
constexpr int kLargestCount = 1 << 30;

const Json& member(const Json& object, const char* name) {
  if (!object.is_object() || !object.contains(name)) throw BadFile(std::string("'") + name + "' is missing");
  return object.at(name);
}

std::string text_of(const Json& object, const char* name) {
  const Json& value = member(object, name);
  if (!value.is_string()) throw BadFile(std::string("'") + name + "' is not a text");
  return value.get<std::string>();
}

double number_of(const Json& object, const char* name, double lowest, double highest) {
  const Json& value = member(object, name);
  if (!value.is_number()) throw BadFile(std::string("'") + name + "' is not a number");
  const auto number = value.get<double>();
  if (!(number >= lowest && number <= highest)) throw BadFile(std::string("'") + name + "' is out of range");
  return number;
}

/// The value at log-position `x` on the line through the two entries around it, or through the outermost two.
template <class Map, class Value>
double along(const Map& map, double x, Value&& value) {
  const auto position = [](const auto& entry) { return std::log2(static_cast<double>(entry->first)); };
  auto right = map.begin();
  while (right != map.end() && position(right) < x) ++right;
  if (right == map.begin()) ++right;
  if (right == map.end()) --right;
  if (right == map.begin()) return value(right->second);  // one entry alone: no slope is known
  const auto left = std::prev(right);
  const double share = (x - position(left)) / (position(right) - position(left));
  const double from = value(left->second);
  const double rise = value(right->second) - from;
  // Beyond the last entry more work never takes less time, whatever noise made the last two fall.
  return share > 1 ? from + rise + (share - 1) * std::max(rise, 0.0) : from + share * rise;
}

}  // namespace

RoutingTable RoutingTable::from_json(std::string_view text) {
  try {
    const Json root = Json::parse(text);
    if (text_of(root, "format") != kFormat) throw BadFile("it is not a routing table");
    if (const std::string version = text_of(root, "version"); version != kVersion)
      throw BadFile("it is of Ringwave " + version + ", this is " + kVersion);
    RoutingTable table(text_of(root, "machine"));
    const Json& measurements = member(root, "measurements");
    if (!measurements.is_array()) throw BadFile("'measurements' is not a list");
    for (const Json& row : measurements)
      table.add(text_of(row, "op"), text_of(row, "device"),
                {.size = static_cast<int>(number_of(row, "size", 1, kLargestCount)),
                 .batch = static_cast<int>(number_of(row, "batch", 1, kLargestCount)),
                 .seconds = number_of(row, "seconds", 1e-12, 1e6)});
    return table;
  } catch (const Json::exception&) {
    throw BadFile("it is not whole JSON");
  }
}

std::string RoutingTable::to_json() const {
  Json rows = Json::array();
  for (const auto& [op, devices] : ops_)
    for (const auto& [device, surface] : devices)
      for (const auto& [batch, curve] : surface)
        for (const auto& [size, seconds] : curve)
          rows.push_back(
              {{"op", op}, {"device", device}, {"size", size}, {"batch", batch}, {"seconds", seconds}});
  const Json root{
      {"format", kFormat}, {"version", kVersion}, {"machine", machine_key_}, {"measurements", rows}};
  return root.dump(1) + "\n";
}

std::optional<RoutingTable> RoutingTable::load(const std::string& path, std::string_view machine_key) {
  std::error_code failure;
  if (std::filesystem::status(path, failure).type() == std::filesystem::file_type::not_found)
    return std::nullopt;
  constexpr const char* kAdvice = "; run 'ringwave tune' to measure again";
  try {
    const std::string text = read_file(path, kLargestFile + 1);
    if (text.size() > kLargestFile) throw BadFile("it is larger than 4 MiB");
    RoutingTable table = from_json(text);
    if (table.machine_key() != machine_key)
      throw BadFile("it was measured on another machine or driver (" + table.machine_key() + ")");
    return table;
  } catch (const BadFile& reason) {
    throw BadFile("the routing table " + path + " is not used: " + reason.what() + kAdvice);
  }
}

void RoutingTable::save(const std::string& path) const {
  std::error_code ignored;  // a folder that cannot be made shows when the file is opened
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  AtomicFile file(path);
  file.stream() << to_json();
  file.commit();
}

void RoutingTable::add(const std::string& op, const std::string& device, Point point) {
  if (!(point.seconds > 0 && std::isfinite(point.seconds)) || point.size < 1 || point.batch < 1)
    throw InvalidArgument("a measurement of " + op + " on " + device +
                          " needs a size, a batch and a time above 0");
  ops_[op][device][point.batch][point.size] = point.seconds;
}

std::vector<RoutingTable::Point> RoutingTable::points(const std::string& op,
                                                      const std::string& device) const {
  std::vector<Point> points;
  const auto devices = ops_.find(op);
  if (devices == ops_.end()) return points;
  const auto surface = devices->second.find(device);
  if (surface == devices->second.end()) return points;
  for (const auto& [batch, curve] : surface->second)
    for (const auto& [size, seconds] : curve) points.push_back({size, batch, seconds});
  return points;
}

std::optional<double> RoutingTable::estimate(const Workload& workload, const std::string& device) const {
  const auto devices = ops_.find(workload.op);
  if (devices == ops_.end() || workload.size < 1 || workload.batch < 1) return std::nullopt;
  const auto surface = devices->second.find(device);
  if (surface == devices->second.end()) return std::nullopt;
  const auto at_size = [&](const Curve& curve) {
    return along(curve, std::log2(static_cast<double>(workload.size)),
                 [](double seconds) { return std::log2(seconds); });
  };
  return std::exp2(along(surface->second, std::log2(static_cast<double>(workload.batch)), at_size));
}

std::string RoutingTable::this_machine() {
  std::ostringstream key;
  for (const Device& device : Device::all()) {
    const DeviceProfile& profile = device.profile();
    key << (key.tellp() > 0 ? " | " : "") << profile.name << " x" << profile.cores << " "
        << profile.instruction_set;
    if (!profile.driver.empty()) key << " driver " << profile.driver;
  }
  return key.str();
}

std::string RoutingTable::default_path() {
  return cache_folder() / "routing.json";
}

}  // namespace ringwave::backend
