#include "motet/io/arff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "motet/base/error.h"
#include "motet/data/names.h"
#include "motet/io/words.h"

namespace motet {
namespace {

bool is_quote(char c) { return c == '\'' || c == '"'; }

struct Token {
  std::string_view raw;  // between the quotes, escapes still in it
  bool is_quoted = false;
  bool is_closed = true;
};

// A quoted text or one up to `stops` at the front of `rest`, which moves past it and past spaces.
Token take_token(std::string_view& rest, std::string_view stops) {
  rest.remove_prefix(std::min(rest.find_first_not_of(spaces), rest.size()));
  Token token;
  if (!rest.empty() && is_quote(rest.front())) {
    token.is_quoted = true;
    std::size_t end = 1;
    while (end < rest.size() && rest[end] != rest.front()) end += rest[end] == '\\' ? 2 : 1;
    token.is_closed = end < rest.size();
    end = std::min(end, rest.size());
    token.raw = rest.substr(1, end - 1);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  } else {
    const std::size_t end = std::min(rest.find_first_of(stops), rest.size());
    token.raw = trimmed(rest.substr(0, end));
    rest.remove_prefix(end);
  }
  rest.remove_prefix(std::min(rest.find_first_not_of(spaces), rest.size()));
  return token;
}

std::string unescaped(const Token& token) {
  if (!token.is_quoted) return std::string(token.raw);
  std::string text;
  for (std::size_t i = 0; i < token.raw.size(); ++i) {
    if (token.raw[i] == '\\' && i + 1 < token.raw.size()) {
      ++i;
      text += token.raw[i] == 'n' ? '\n' : token.raw[i] == 't' ? '\t' : token.raw[i];
    } else {
      text += token.raw[i];
    }
  }
  return text;
}

}  // namespace

ArffReader::ArffReader(const std::string& path) : lines_(path) {
  read_header();
  last_row_.assign(header_.attributes.size(), 0);
}

void ArffReader::read_header() {
  bool has_relation = false;
  NameTable names;
  std::string_view line;
  while (lines_.next(line)) {
    line = trimmed(line);
    if (line.empty() || line.front() == '%') continue;
    std::string_view rest = line;
    const std::string word = lower(rest.substr(0, std::min(rest.find_first_of(spaces), rest.size())));
    rest.remove_prefix(word.size());
    if (word == "@relation") {
      const Token token = take_token(rest, "");
      if (!token.is_closed) fail_here("the quote of the relation's name is not closed");
      header_.relation = unescaped(token);
      has_relation = true;
    } else if (word == "@attribute") {
      read_attribute(rest);
      const std::string& name = header_.attributes.back().name;
      if (names.id_of(name) + 1 != header_.attributes.size()) {
        fail_here(fmt::format("attribute '{}' appears twice", name));
      }
    } else if (word == "@data") {
      if (header_.attributes.empty()) fail_here("there are no attributes before @data");
      return;
    } else {
      fail_here(fmt::format("'{}' is not @relation, @attribute or @data", word.substr(0, 40)));
    }
  }
  if (!has_relation && header_.attributes.empty()) {
    fail(ErrorKind::bad_data,
         lines_.name() + ": the file is empty or no arff; @relation, @attribute and @data are needed");
  }
  fail(ErrorKind::bad_data, lines_.name() + ": there is no @data; the file may be cut short");
}

void ArffReader::read_attribute(std::string_view rest) {
  const Token name = take_token(rest, " \t{");
  if (!name.is_closed) fail_here("the quote of the attribute's name is not closed");
  ArffAttribute attribute;
  attribute.name = unescaped(name);
  if (attribute.name.empty()) fail_here("an attribute has no name");
  const std::string place = fmt::format("attribute '{}'", attribute.name);
  if (rest.starts_with('{')) {
    attribute.type = ArffType::nominal;
    rest.remove_prefix(1);
    NameTable seen;
    for (bool is_open = true; is_open;) {
      const Token value = take_token(rest, ",}");
      if (!value.is_closed || rest.empty()) fail_here(place + ": the list of its values is not closed with }");
      if (rest.front() != ',' && rest.front() != '}') {
        fail_here(fmt::format("{}: values are separated by commas; found '{}'", place, rest.substr(0, 20)));
      }
      is_open = rest.front() == ',';
      rest.remove_prefix(1);
      attribute.values.push_back(unescaped(value));
      if (attribute.values.back().empty() && !value.is_quoted) fail_here(place + ": one of its values is empty");
      if (seen.id_of(attribute.values.back()) + 1 != attribute.values.size()) {
        fail_here(fmt::format("{}: the value '{}' appears twice", place, attribute.values.back()));
      }
    }
  } else {
    const std::string type = lower(rest.substr(0, std::min(rest.find_first_of(" \t[%"), rest.size())));
    if (type == "string") {
      attribute.type = ArffType::text;
    } else if (type != "numeric" && type != "real" && type != "integer") {
      fail_here(fmt::format("{}: the type '{}' is not allowed; it is numeric, real, integer or a list {{a,b}}", place,
                            type.substr(0, 40)));
    }
  }
  header_.attributes.push_back(std::move(attribute));
}

bool ArffReader::next_row(std::vector<ArffCell>& cells, bool& is_sparse) {
  std::string_view line;
  while (lines_.next(line)) {
    line = trimmed(line);
    if (line.empty() || line.front() == '%') continue;
    cells.clear();
    unquoted_.clear();
    unquoted_.reserve(line.size());  // so that views into it stay good
    ++row_;
    is_sparse = line.front() == '{';
    is_sparse ? read_sparse(line, cells) : read_dense(line, cells);
    return true;
  }
  return false;
}

std::string_view ArffReader::cell_text(std::string_view raw, bool is_quoted) {
  if (!is_quoted || raw.find('\\') == std::string_view::npos) return raw;
  const std::size_t begin = unquoted_.size();
  unquoted_ += unescaped({raw, true, true});
  return std::string_view(unquoted_).substr(begin);
}

void ArffReader::read_dense(std::string_view line, std::vector<ArffCell>& cells) {
  const std::size_t width = header_.attributes.size();
  for (bool goes_on = true; goes_on;) {
    const Token token = take_token(line, ",");
    const std::size_t column = cells.size();
    if (!token.is_closed) fail_here(fmt::format("field {}: the quote is not closed", column + 1));
    if (!line.empty() && line.front() != ',') {
      fail_here(fmt::format("field {}: text after the closing quote", column + 1));
    }
    goes_on = !line.empty();
    if (goes_on) line.remove_prefix(1);
    cells.push_back({column, cell_text(token.raw, token.is_quoted), !token.is_quoted && token.raw == "?"});
  }
  if (cells.size() != width) {
    fail_here(fmt::format("{} field{} where the header has {} attribute{}", cells.size(), cells.size() == 1 ? "" : "s",
                          width, width == 1 ? "" : "s"));
  }
}

void ArffReader::read_sparse(std::string_view line, std::vector<ArffCell>& cells) {
  const std::size_t width = header_.attributes.size();
  line.remove_prefix(1);
  line = line.substr(std::min(line.find_first_not_of(spaces), line.size()));
  if (line.starts_with('}')) {
    line.remove_prefix(1);
    if (!trimmed(line).empty()) fail_here("text after the closing } of a sparse row; weights are not supported");
    return;
  }
  for (;;) {
    const Token number = take_token(line, " \t,}");
    std::size_t index = 0;
    const auto [end, code] = std::from_chars(number.raw.data(), number.raw.data() + number.raw.size(), index);
    if (number.is_quoted || code == std::errc::invalid_argument || end != number.raw.data() + number.raw.size()) {
      fail_here(fmt::format("'{}' is no number of an attribute; a sparse row is {{number value, number value}}",
                            number.raw.substr(0, 40)));
    }
    if (code == std::errc::result_out_of_range || index >= width) {
      fail_here(fmt::format("attribute number {} is out of range; there are {} attributes, numbered from 0", number.raw,
                            width));
    }
    if (last_row_[index] == row_) {
      fail_here(
          fmt::format("attribute number {} ('{}') appears twice in this row", index, header_.attributes[index].name));
    }
    last_row_[index] = row_;
    const Token value = take_token(line, ",}");
    if (!value.is_closed || line.empty()) fail_here("the sparse row is not closed with }");
    if (value.raw.empty() && !value.is_quoted) {
      fail_here(fmt::format("attribute number {} ('{}') has no value", index, header_.attributes[index].name));
    }
    cells.push_back({index, cell_text(value.raw, value.is_quoted), !value.is_quoted && value.raw == "?"});
    const char next = line.front();
    line.remove_prefix(1);
    if (next == '}') break;
    if (next != ',') fail_here(fmt::format("text after the closing quote of attribute number {}", index));
  }
  if (!trimmed(line).empty()) fail_here("text after the closing } of a sparse row; weights are not supported");
}

int meka_label_count(std::string_view relation) {
  for (std::size_t at = relation.find("-C"); at != std::string_view::npos; at = relation.find("-C", at + 1)) {
    const bool is_word = at == 0 || relation[at - 1] == ' ' || relation[at - 1] == ':';
    std::string_view rest = relation.substr(at + 2);
    if (!is_word || rest.empty() || rest.front() != ' ') continue;
    rest = trimmed(rest);
    int count = 0;
    const auto [end, code] = std::from_chars(rest.data(), rest.data() + rest.size(), count);
    if (code == std::errc()) return count;
  }
  return 0;
}

}  // namespace motet
