// What people have said so far, counted; classes by their present names.
#pragma once

#include <string>
#include <vector>

#include "motet/discover/project/project.h"

namespace motet::discover {

struct AnswerCounts {
  struct OfClass {
    std::string name;
    std::size_t answers = 0;  // rows whose last answer is this class
    std::int64_t first = 0;   // number of the first answer that holds; 0: none
  };
  struct Labeler {
    std::string name;  // may be empty
    std::size_t answers = 0;
    std::size_t undone = 0;  // answers and changes of classes
  };
  std::vector<OfClass> classes;   // as given
  std::vector<Labeler> labelers;  // by name
  std::size_t unsure = 0;         // rows whose last answer is not sure
  std::size_t undone = 0;         // answers and changes of classes
};

// `classes` are those of the mixture, the background first.
AnswerCounts count_answers(const std::vector<AnswerEntry>& history, const std::vector<std::string>& classes);

}  // namespace motet::discover
