#include "motet/discover/class_change.h"

#include <algorithm>
#include <cstddef>

#include "motet/base/error.h"
#include "motet/data/names.h"

namespace motet::discover {
namespace {

constexpr std::size_t most_named = 8;
constexpr std::size_t most_name_bytes = 1000;

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '\x7F'; }

std::size_t place_of_class(const Mixture& mixture, const std::string& name) {
  return static_cast<std::size_t>(std::find(mixture.classes.begin(), mixture.classes.end(), name) -
                                  mixture.classes.begin());
}

std::size_t known_class(const Mixture& mixture, const std::string& name) {
  if (name == background_name) {
    fail(ErrorKind::usage, "class '" + name + "' stands for 'nothing here' and stays as it is");
  }
  const std::size_t place = place_of_class(mixture, name);
  if (place < mixture.classes.size()) return place;
  const std::vector<std::string> found(mixture.classes.begin() + 1, mixture.classes.end());
  fail(ErrorKind::usage,
       "class '" + name + "' is not there; " +
           (found.empty() ? "none has been found yet" : "the classes found are " + quoted_list(found, most_named)));
}

void rename_answers(Discovery& discovery, const ClassChange& change) {
  for (Answer& answer : discovery.answers) {
    if (answer.kind == AnswerKind::of_class && answer.class_name == change.from) answer.class_name = change.into;
  }
}

void rename_class(Discovery& discovery, const ClassChange& change) {
  Mixture& mixture = discovery.mixture;
  const std::size_t from = known_class(mixture, change.from);
  if (change.into.empty()) fail(ErrorKind::usage, "class '" + change.from + "': its new name is empty");
  if (change.from == change.into) fail(ErrorKind::usage, "class '" + change.from + "' has this name already");
  if (change.into == background_name) {
    fail(ErrorKind::usage, "class '" + change.from + "' cannot be renamed to '" + change.into +
                               "', which stands for 'nothing here'; answer its items with --nothing");
  }
  if (place_of_class(mixture, change.into) < mixture.classes.size()) {
    fail(ErrorKind::usage, "class '" + change.into +
                               "' is there already; to make one class of both, use `motet discover merge` with '" +
                               change.from + "' and '" + change.into + "'");
  }
  mixture.classes[from] = change.into;
}

void merge_classes(Discovery& discovery, const ClassChange& change) {
  Mixture& mixture = discovery.mixture;
  if (change.into == background_name) {
    fail(ErrorKind::usage, "class '" + change.from + "' cannot be merged into '" + change.into +
                               "', which stands for 'nothing here'; answer its items with --nothing");
  }
  const auto from = static_cast<std::int32_t>(known_class(mixture, change.from));
  const auto into = static_cast<std::int32_t>(known_class(mixture, change.into));
  if (from == into) fail(ErrorKind::usage, "class '" + change.from + "' cannot be merged into itself");
  for (Component& component : mixture.components) {
    if (component.of_class == from) component.of_class = into;
    if (component.of_class > from) --component.of_class;
  }
  mixture.classes.erase(mixture.classes.begin() + from);
}

}  // namespace

void check_class_name(std::string_view name) {
  if (name.size() > most_name_bytes) {
    fail(ErrorKind::usage, "a class name has " + std::to_string(name.size()) + " bytes; there can be at most " +
                               std::to_string(most_name_bytes));
  }
  if (std::none_of(name.begin(), name.end(), is_control)) return;
  std::string shown(name);
  std::replace_if(shown.begin(), shown.end(), is_control, ' ');
  fail(ErrorKind::usage,
       "class '" + shown + "' has a tab, a line break or another control character; a class name is one line of text");
}

void take_class_change(Discovery& discovery, const ClassChange& change) {
  if (change.is_merge) {
    merge_classes(discovery, change);
  } else {
    rename_class(discovery, change);
  }
  rename_answers(discovery, change);
  for (CarriedExample& example : discovery.carried.examples) {
    if (example.class_name == change.from) example.class_name = change.into;
  }
}

}  // namespace motet::discover
