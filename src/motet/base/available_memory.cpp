#include "motet/base/available_memory.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <limits>
#include <optional>
#include <sstream>

#include "motet/base/error.h"

namespace motet {
namespace {

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();
constexpr double never_asked = 16e6;  // bytes: looking would take longer than using them

std::uint64_t page_size() { return static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE)); }

// The number at the front of a file; none when there is no such file, or no number in it ("max").
std::optional<std::uint64_t> number_in(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t number = 0;
  if (file >> number) return number;
  return std::nullopt;
}

// The number behind the word `key` at the start of a line.
std::optional<std::uint64_t> number_after(const std::string& path, std::string_view key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string word;
    std::uint64_t number = 0;
    if (words >> word >> number && word == key) return number;
  }
  return std::nullopt;
}

std::uint64_t left_of(std::uint64_t limit, std::uint64_t used) { return limit > used ? limit - used : 0; }

std::uint64_t of_machine(const std::string& root) {
  if (const auto kilobytes = number_after(root + "/proc/meminfo", "MemAvailable:")) return *kilobytes * 1024;
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * page_size();
}

// What a control group leaves; files that are kept in memory give way.
std::uint64_t of_group(const std::string& folder, const char* limit_name, const char* used_name, const char* cache) {
  const auto limit = number_in(folder + "/" + limit_name);
  const auto used = number_in(folder + "/" + used_name);
  if (!limit || !used) return no_limit;
  const std::uint64_t kept = number_after(folder + "/memory.stat", cache).value_or(0);
  return left_of(*limit, left_of(*used, kept));
}

// The group of this process and all above it, up to the mount; inside a container only the mount may be seen.
std::uint64_t of_groups(const std::string& root) {
  std::uint64_t least = no_limit;
  const auto look = [&](const std::string& mount, std::string group, auto... names) {
    for (;;) {
      while (group.ends_with('/')) group.pop_back();
      least = std::min(least, of_group(mount + group, names...));
      if (group.empty()) return;
      group.resize(group.rfind('/') == std::string::npos ? 0 : group.rfind('/'));
    }
  };
  std::ifstream groups(root + "/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {  // "0::/a/b", "7:memory:/a/b"
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string kinds = "," + line.substr(first + 1, second - first - 1) + ",";
    const std::string group = line.substr(second + 1);
    if (kinds == ",,") look(root + "/sys/fs/cgroup", group, "memory.max", "memory.current", "inactive_file");
    if (kinds.find(",memory,") != std::string::npos) {
      look(root + "/sys/fs/cgroup/memory", group, "memory.limit_in_bytes", "memory.usage_in_bytes",
           "total_inactive_file");
    }
  }
  return least;
}

std::uint64_t of_process(const std::string& root) {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return no_limit;
  return left_of(limit.rlim_cur, number_in(root + "/proc/self/statm").value_or(0) * page_size());
}

}  // namespace

std::uint64_t available_memory(const std::string& root) {
  return std::min({of_machine(root), of_groups(root), of_process(root)});
}

std::string memory_text(double bytes) {
  return bytes >= 1e9 ? fmt::format("{:.1f} GB", bytes / 1e9) : fmt::format("{:.0f} MB", bytes / 1e6);
}

void require_memory(std::string_view place, std::string_view what, double bytes, std::string_view advice) {
  if (bytes <= never_asked) return;
  const auto free = static_cast<double>(available_memory());
  if (bytes <= free) return;
  fail(ErrorKind::machine_limit, fmt::format("{}: {} would take {}, and {} of memory are free; {}", place, what,
                                             memory_text(bytes), memory_text(free), advice));
}

void require_table_memory(std::string_view place, std::size_t rows, std::size_t columns) {
  require_memory(place, fmt::format("{} items x {} features", rows, columns),
                 8.0 * static_cast<double>(rows) * static_cast<double>(columns), "choose fewer features or items");
}

}  // namespace motet
