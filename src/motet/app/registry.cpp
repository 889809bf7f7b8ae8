#include "motet/app/registry.h"

#include <array>
#include <iterator>
#include <utility>

#include "motet/app/audio/ask.h"
#include "motet/app/audio/learn.h"
#include "motet/app/audio/scene_verbs.h"
#include "motet/app/audio/verbs.h"
#include "motet/app/demo.h"
#include "motet/app/discover/verbs.h"
#include "motet/app/judges/verbs.h"
#include "motet/app/multilabel/verbs.h"
#include "motet/app/roles/verbs.h"
#include "motet/app/superset/verbs.h"
#include "motet/app/temporal/verbs.h"

namespace motet {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 7> tasks = {{
    {"judges", "several classifiers, annotators or LLM judges and no truth: how good is each, what is the best answer"},
    {"multilabel", "items with several labels at once: what each label's source is like, and the labels of new items"},
    {"roles", "who may do what, as yes/no data: the overlapping roles behind it, who has them, and the exceptions"},
    {"superset", "items with candidate labels of which one is right: label new items, and say which candidate it was"},
    {"temporal", "numbers that come in time: the states behind them, and when each of them held"},
    {"discover", "hours of recordings or logs with rare events nobody has named: find them all with few questions"},
    {"audio", "recordings to rows of numbers"},
}};

std::vector<Verb> collect() {
  std::vector<Verb> verbs;
  const auto add = [&](std::vector<Verb> more) {
    verbs.insert(verbs.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  };
  add(judges::judges_verbs());
  add(multilabel::multilabel_verbs());
  add(roles::roles_verbs());
  add(superset::superset_verbs());
  add(temporal::temporal_verbs());
  add(discover::discover_verbs());
  add(audio::audio_verbs());
  add(audio::scene_verbs());
  add(audio::learn_verbs());
  add(audio::ask_verbs());
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
