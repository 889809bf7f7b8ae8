// Names of classes, and classes renamed and merged while a search goes on.
//
// A change takes part in the order of answers as an answer does. What was answered before it is renamed with it, so
// that an answer of the old name after it makes a new class again. The model stays as it is: the components of a class
// that is merged become components of the other one, and questions that are open stay so.
#pragma once

#include <string>
#include <string_view>

#include "motet/discover/discovery.h"

namespace motet::discover {

// One line of text of at most 1000 bytes, without tabs, as tables and label tracks need it. Throws Error{usage} "class
// 'a b' has a tab, a line break or another control character; a class name is one line of text". Searches from before
// may hold others.
void check_class_name(std::string_view name);

struct ClassChange {
  bool is_merge = false;  // else `into` is a new name
  std::string from;
  std::string into;

  bool operator==(const ClassChange&) const = default;
};

// Throws Error{usage} for a class that is not there, for the background, and for a new name that is in use.
void take_class_change(Discovery& discovery, const ClassChange& change);

}  // namespace motet::discover
