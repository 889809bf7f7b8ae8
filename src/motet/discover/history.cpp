#include "motet/discover/history.h"

#include <algorithm>
#include <map>

namespace motet::discover {

AnswerCounts count_answers(const std::vector<AnswerEntry>& history, const std::vector<std::string>& classes) {
  AnswerCounts counts;
  std::map<std::size_t, AnswerEntry> last;  // by row
  std::map<std::string, AnswerCounts::Labeler> labelers;
  for (const AnswerEntry& entry : history) {
    AnswerCounts::Labeler& labeler = labelers[entry.by];
    labeler.name = entry.by;
    counts.undone += entry.is_undone ? 1 : 0;
    labeler.undone += entry.is_undone ? 1 : 0;
    labeler.answers += entry.is_undone || entry.change ? 0 : 1;
    if (entry.is_undone) continue;
    if (!entry.change) {
      last[entry.answer.row] = entry;
      continue;
    }
    for (auto& [row, before] : last) {
      if (before.answer.class_name == entry.change->from) before.answer.class_name = entry.change->into;
    }
  }
  for (const auto& [name, labeler] : labelers) counts.labelers.push_back(labeler);
  for (const std::string& name : classes) counts.classes.push_back({name, 0, 0});
  for (const auto& [row, entry] : last) {
    if (entry.answer.kind == AnswerKind::not_sure) {
      ++counts.unsure;
      continue;
    }
    const bool is_nothing = entry.answer.kind == AnswerKind::nothing;
    const std::string name = is_nothing ? std::string(background_name) : entry.answer.class_name;
    const auto found = std::find_if(counts.classes.begin(), counts.classes.end(),
                                    [&](const AnswerCounts::OfClass& one) { return one.name == name; });
    if (found == counts.classes.end()) continue;
    ++found->answers;
    if (found->first == 0 || entry.number < found->first) found->first = entry.number;
  }
  return counts;
}

}  // namespace motet::discover
