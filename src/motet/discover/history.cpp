#include "motet/discover/history.h"

#include <algorithm>
#include <map>

namespace motet::discover {

AnswerCounts count_answers(const std::vector<AnswerEntry>& history, const std::vector<std::string>& classes) {
  AnswerCounts counts;
  std::map<std::size_t, const AnswerEntry*> last;  // by row
  std::map<std::string, AnswerCounts::Labeler> labelers;
  for (const AnswerEntry& entry : history) {
    AnswerCounts::Labeler& labeler = labelers[entry.by];
    labeler.name = entry.by;
    ++(entry.is_undone ? labeler.undone : labeler.answers);
    counts.undone += entry.is_undone ? 1 : 0;
    if (!entry.is_undone) last[entry.answer.row] = &entry;
  }
  for (const auto& [name, labeler] : labelers) counts.labelers.push_back(labeler);
  for (const std::string& name : classes) counts.classes.push_back({name, 0, 0});
  for (const auto& [row, entry] : last) {
    if (entry->answer.kind == AnswerKind::not_sure) {
      ++counts.unsure;
      continue;
    }
    const bool is_nothing = entry->answer.kind == AnswerKind::nothing;
    const std::string name = is_nothing ? std::string(background_name) : entry->answer.class_name;
    const auto found = std::find_if(counts.classes.begin(), counts.classes.end(),
                                    [&](const AnswerCounts::OfClass& one) { return one.name == name; });
    if (found == counts.classes.end()) continue;
    ++found->answers;
    if (found->first == 0 || entry->number < found->first) found->first = entry->number;
  }
  return counts;
}

}  // namespace motet::discover
