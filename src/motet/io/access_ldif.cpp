#include "motet/io/access_ldif.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "motet/base/error.h"
#include "motet/io/reading_progress.h"
#include "motet/io/text_lines.h"
#include "motet/io/words.h"

namespace motet {
namespace {

constexpr std::array<std::string_view, 3> member_names = {"member", "uniquemember", "memberuid"};
constexpr std::array<std::string_view, 5> group_classes = {"group", "groupofnames", "groupofuniquenames", "posixgroup",
                                                           "groupofentries"};
constexpr std::array<std::string_view, 5> person_classes = {"person", "user", "inetorgperson", "organizationalperson",
                                                            "posixaccount"};

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

struct Entry {
  std::string dn;
  std::vector<std::pair<std::string, std::string>> values;  // attribute in lower case without options, value

  bool is_group() const {
    return std::any_of(values.begin(), values.end(), [](const auto& value) {
      return is_one_of(member_names, value.first) ||
             (value.first == "objectclass" && is_one_of(group_classes, lower(value.second)));
    });
  }
  bool is_person() const {
    return std::any_of(values.begin(), values.end(), [](const auto& value) {
      return value.first == "objectclass" && is_one_of(person_classes, lower(value.second));
    });
  }
  const std::string* first(std::string_view attribute) const {
    const auto found =
        std::find_if(values.begin(), values.end(), [&](const auto& value) { return value.first == attribute; });
    return found == values.end() ? nullptr : &found->second;
  }
};

std::optional<std::string> from_base64(std::string_view text) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string bytes;
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (const char c : text) {
    const std::size_t digit = digits.find(c);
    if (digit == std::string_view::npos) return {};
    bits = bits << 6U | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes += static_cast<char>(bits >> count & 0xFFU);
    }
  }
  return bytes;
}

// Entries one after the other; long lines are put together, comments left out.
class LdifEntries {
 public:
  explicit LdifEntries(const std::string& path) : lines_(path) {}

  const InputFile& file() const { return lines_.file(); }

  bool next(Entry& entry) {
    entry = {};
    std::string line;
    while (next_line(line)) {
      if (line.empty()) {
        if (!entry.dn.empty()) return true;
        continue;
      }
      if (!line.starts_with('#')) add(line, entry);
    }
    return !entry.dn.empty();
  }

 private:
  // With what goes on on the following lines, each after one blank.
  bool next_line(std::string& line) {
    if (!has_ahead_ && !fetch()) return false;
    line = std::exchange(ahead_, {});
    line_ = ahead_line_;
    has_ahead_ = false;
    while (fetch()) {
      if (!ahead_.starts_with(' ')) break;
      line += ahead_.substr(1);
      has_ahead_ = false;
    }
    return true;
  }
  bool fetch() {
    std::string_view line;
    if (!lines_.next(line)) return false;
    ahead_ = line;
    ahead_line_ = lines_.line();
    has_ahead_ = true;
    return true;
  }

  [[noreturn]] void fail_at(std::string_view problem) const {
    fail(ErrorKind::bad_data, fmt::format("{}:{}: {}", lines_.name(), line_, problem));
  }

  void add(const std::string& line, Entry& entry) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos || colon == 0) fail_at("this is no line of LDIF, which is 'attribute: value'");
    std::string name = lower(std::string_view(line).substr(0, std::min(colon, line.find(';'))));
    std::string_view rest = std::string_view(line).substr(colon + 1);
    std::string value;
    if (rest.starts_with(':')) {
      const std::optional<std::string> bytes = from_base64(trimmed(rest.substr(1)));
      if (!bytes) fail_at(fmt::format("the value of '{}' is not base64", name));
      value = *bytes;
    } else {
      value = trimmed(rest);
    }
    if (name == "dn") {
      if (!entry.dn.empty()) fail_at("a second dn in one entry; a blank line must stand between entries");
      if (value.empty()) fail_at("the dn is empty");
      entry.dn = std::move(value);
      return;
    }
    if (entry.dn.empty()) {
      if (name == "version") return;
      fail_at("an entry must begin with its dn");
    }
    entry.values.emplace_back(std::move(name), std::move(value));
  }

  TextLines lines_;
  std::string ahead_;
  std::size_t ahead_line_ = 0;
  std::size_t line_ = 0;
  bool has_ahead_ = false;
};

// A user or group member until all names are known.
struct Membership {
  std::string user;  // the dn in lower case, since capitals do not matter in one; memberUid: the name
  std::string written;
  std::string group;  // empty: the user holds nothing by this
  bool is_name = false;
};

void add_entry(const Entry& entry, std::vector<Membership>& memberships) {
  if (entry.is_group()) {
    for (const auto& [name, value] : entry.values) {
      if (!is_one_of(member_names, name) || value.empty()) continue;
      memberships.push_back({lower(value), value, entry.dn, name == "memberuid"});
    }
    return;
  }
  const bool is_member = entry.first("memberof") != nullptr;
  if (!is_member && !entry.is_person()) return;
  if (!is_member) memberships.push_back({lower(entry.dn), entry.dn, "", false});
  for (const auto& [name, value] : entry.values) {
    if (name == "memberof") memberships.push_back({lower(entry.dn), entry.dn, value, false});
  }
}

}  // namespace

AccessPairs read_ldif(const std::string& path, const AccessFormat& format, const RunContext& run) {
  LdifEntries entries(path);
  ReadingProgress progress(entries.file(), run);
  const std::string attribute = lower(format.user_column);
  std::map<std::string, std::string> called;  // by dn in lower case
  std::map<std::string, bool> groups;         // by dn in lower case
  std::vector<Membership> memberships;
  for (Entry entry; entries.next(entry);) {
    progress.step();
    if (entry.is_group()) groups[lower(entry.dn)] = true;
    const std::string* const name = attribute.empty() ? nullptr : entry.first(attribute);
    if (name != nullptr && !name->empty()) called[lower(entry.dn)] = *name;
    add_entry(entry, memberships);
  }
  AccessPairs pairs;
  for (const Membership& membership : memberships) {
    if (!membership.is_name && groups.contains(membership.user)) continue;  // a group within a group
    const auto name = called.find(membership.user);
    const bool is_called = !membership.is_name && name != called.end();
    pairs.add(is_called ? name->second : membership.written, membership.group);
  }
  return pairs;
}

}  // namespace motet
