// An answer, or a change of classes, as two texts and a row of the project's table.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "motet/discover/project/project.h"

namespace motet::discover {

// "class", "nothing", "not sure", "rename" or "merge".
std::string_view kind_word(const AnswerEntry& entry);

// The class of an answer. Of a change both names, with the length of the first before them: names may hold anything.
std::string class_text(const AnswerEntry& entry);

// What they stand for, into the entry. Returns what is wrong with them; empty: nothing.
std::string_view read_said(std::string_view kind, std::size_t row, std::string_view text, AnswerEntry& entry);

}  // namespace motet::discover
