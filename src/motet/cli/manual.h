// The manual pages of the program and what shells complete, from the same description of verbs as --help.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "motet/app/verb.h"

namespace motet {

struct ManualFile {
  std::string name;  // "motet.1"
  std::string text;
};

// motet.1 and a motet-TASK.1 for each task: roff with the macros of man(7).
std::vector<ManualFile> manual_pages(std::span<const Verb> verbs);

// For bash (motet), zsh (_motet) and fish (motet.fish), in this order.
std::vector<ManualFile> completions(std::span<const Verb> verbs);

}  // namespace motet
