// Every verb of the program, in the order they are listed to people.
#pragma once

#include <span>

#include "motet/app/verb.h"

namespace motet {

std::span<const Verb> all_verbs();

// "judges": what a task is for, in one line.
std::string_view purpose_of_task(std::string_view task);

}  // namespace motet
