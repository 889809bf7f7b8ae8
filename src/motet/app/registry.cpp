#include "motet/app/registry.h"

#include <array>
#include <iterator>
#include <utility>

#include "motet/app/demo.h"
#include "motet/app/judges_verbs.h"
#include "motet/app/roles_verbs.h"

namespace motet {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 2> tasks = {{
    {"judges", "several classifiers, annotators or LLM judges and no truth: how good is each, what is the best answer"},
    {"roles", "who may do what, as yes/no data: the overlapping roles behind it, who has them, and the exceptions"},
}};

std::vector<Verb> collect() {
  std::vector<Verb> verbs;
  const auto add = [&](std::vector<Verb> more) {
    verbs.insert(verbs.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  };
  add(judges_verbs());
  add(roles_verbs());
  add(demo_verbs());
  return verbs;
}

}  // namespace

std::span<const Verb> all_verbs() {
  static const std::vector<Verb> verbs = collect();
  return verbs;
}

std::string_view purpose_of_task(std::string_view task) {
  for (const auto& [name, purpose] : tasks) {
    if (name == task) return purpose;
  }
  return "";
}

}  // namespace motet
