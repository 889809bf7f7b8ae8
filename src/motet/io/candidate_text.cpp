#include "motet/io/candidate_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "motet/base/error.h"
#include "motet/base/fields.h"
#include "motet/io/words.h"

namespace motet {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Whether the text is meant as a number, rightly written or not.
bool means_number(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  const std::string word = lower(text);
  if (word.empty() || word == "nan" || word == "inf" || word == "infinity") return true;
  return is_digit(word[0]) || (word[0] == '.' && word.size() > 1 && is_digit(word[1]));
}

NamedCandidate parse_one(std::string_view part, std::string_view text, const std::string& place) {
  double weight = 1.0;
  if (const std::size_t colon = part.rfind(':'); colon != std::string_view::npos) {
    const std::string_view suffix = trimmed(part.substr(colon + 1));
    if (means_number(suffix)) {
      part = trimmed(part.substr(0, colon));
      const Result<double> number = parse_double(suffix);
      if (!number || !(number.value() > 0.0)) {
        fail(ErrorKind::bad_data, fmt::format("{}: the weight of candidate '{}' is '{}'; weights must be positive "
                                              "numbers",
                                              place, part, suffix));
      }
      weight = number.value();
    }
  }
  if (part.empty()) {
    fail(ErrorKind::bad_data, fmt::format("{}: an empty name among the candidates '{}'; write them as a|b|c, or * for "
                                          "any label",
                                          place, text));
  }
  if (part == "*") {
    fail(ErrorKind::bad_data,
         fmt::format("{}: '*' is among the candidates '{}'; it stands alone, for any label", place, text));
  }
  return {std::string(part), weight};
}

}  // namespace

std::vector<NamedCandidate> parse_candidates(std::string_view text, const std::string& place) {
  std::vector<NamedCandidate> parts;
  if (trimmed(text) == "*") return parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('|', begin), text.size());
    parts.push_back(parse_one(trimmed(text.substr(begin, end - begin)), text, place));
    begin = end + 1;
  }
  return parts;
}

std::string parse_one_label(std::string_view text, const std::string& place) {
  const std::string_view label = trimmed(text);
  if (label == "*" || label.find('|') != std::string_view::npos) {
    fail(ErrorKind::bad_data,
         fmt::format("{}: the true label is '{}'; one label is needed, or nothing where it is unknown", place, label));
  }
  return std::string(label);
}

}  // namespace motet
