#include "motet/io/destination.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <climits>
#include <filesystem>
#include <optional>
#include <string_view>

namespace motet {
namespace {

namespace fs = std::filesystem;

constexpr int most_links = 40;  // as in the kernel

fs::path folder_of(const fs::path& path) {
  std::error_code none;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  return fs::weakly_canonical(fs::absolute(folder, none), none);
}

// N of /dev/fd/N: opening that name anew would start at the beginning of the file and,
// with a temporary file and a rename, replace what the stream has written.
std::optional<int> descriptor_in(const fs::path& path) {
  const std::string name = path.filename().string();
  int number = -1;
  const auto [end, code] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (code != std::errc{} || end != name.data() + name.size() || number < 0) return {};
  std::error_code none;
  const fs::path open_files = fs::canonical("/proc/self/fd", none);
  if (open_files.empty() || folder_of(path) != open_files) return {};
  return number;
}

struct Found {
  Destination destination;
  struct stat status {};
  bool exists = false;
};

Found look_up(const std::string& name, Direction direction) {
  Found found{destination_of(name, direction), {}, false};
  const Destination& at = found.destination;
  found.exists =
      (at.descriptor >= 0 ? ::fstat(at.descriptor, &found.status) : ::stat(at.path.c_str(), &found.status)) == 0;
  return found;
}

bool are_one(const Found& a, const Found& b) {
  return a.exists && b.exists && a.status.st_dev == b.status.st_dev && a.status.st_ino == b.status.st_ino;
}

// Where a file that is not there would be made.
fs::path place_of(const Found& found) {
  const fs::path path(found.destination.path);
  return folder_of(path) / path.filename();
}

bool is_one_place(const Found& a, const Found& b) {
  const bool is_free = !a.exists && !b.exists && a.destination.descriptor < 0 && b.destination.descriptor < 0;
  return is_free && place_of(a) == place_of(b);
}

}  // namespace

Destination destination_of(const std::string& name, Direction direction) {
  if (name == "-") return {direction == Direction::in ? STDIN_FILENO : STDOUT_FILENO, {}};
  fs::path path(name);
  for (int i = 0; i < most_links; ++i) {
    if (const std::optional<int> descriptor = descriptor_in(path)) return {*descriptor, {}};
    std::array<char, PATH_MAX> link{};
    const ssize_t size = ::readlink(path.c_str(), link.data(), link.size());
    if (size < 0) break;
    const fs::path next(std::string_view(link.data(), static_cast<std::size_t>(size)));
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  return {-1, path.string()};
}

bool same_file(const std::string& input, const std::string& output) {
  const Found in = look_up(input, Direction::in);
  const Found out = look_up(output, Direction::out);
  return (are_one(in, out) && S_ISREG(in.status.st_mode)) || is_one_place(in, out);
}

bool same_output(const std::string& a, const std::string& b) {
  const Found one = look_up(a, Direction::out);
  const Found other = look_up(b, Direction::out);
  const bool keeps = S_ISREG(one.status.st_mode) || S_ISFIFO(one.status.st_mode);
  return (are_one(one, other) && keeps) || is_one_place(one, other);
}

bool replaces_standard_output(const std::string& output) {
  const Found named = look_up(output, Direction::out);
  return named.destination.descriptor < 0 && S_ISREG(named.status.st_mode) &&
         are_one(named, look_up("-", Direction::out));
}

}  // namespace motet
