#include "motet/io/access_spaced.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "motet/io/access_columns.h"
#include "motet/io/reading_progress.h"
#include "motet/io/text_lines.h"
#include "motet/io/words.h"

namespace motet {
namespace {

constexpr std::size_t lines_a_step = 4096;  // between two looks at the clock

void split(std::string_view line, std::vector<std::string_view>& words) {
  words.clear();
  for (std::size_t at = line.find_first_not_of(spaces); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(spaces, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(spaces, end);
  }
}

}  // namespace

AccessPairs read_spaced_pairs(const std::string& path, const AccessFormat& format, const RunContext& run) {
  TextLines lines(path);
  ReadingProgress progress(lines.file(), run);
  AccessPairs pairs;
  std::vector<std::string_view> words;
  std::size_t user = 0;
  bool is_first = true;
  for (std::string_view line; lines.next(line);) {
    if (lines.line() % lines_a_step == 0) progress.step();
    split(line, words);
    if (words.empty()) continue;
    if (words.size() != 2) {
      lines.fail_here(fmt::format("{} word{}; a user and a permission are needed, with blanks between them",
                                  words.size(), words.size() == 1 ? "" : "s"));
    }
    if (std::exchange(is_first, false) && !format.no_header) {
      const PairColumns columns = find_pair_columns({std::string(words[0]), std::string(words[1])});
      if (columns.are_there()) {
        user = columns.user.place;
        continue;
      }
    }
    pairs.add(words[user], words[1 - user]);
  }
  return pairs;
}

}  // namespace motet
