// Files of the judges task: what several of its verbs read and write.
#pragma once

#include <string>
#include <vector>

#include "motet/app/judges/document.h"
#include "motet/base/fields.h"
#include "motet/io/gold_csv.h"
#include "motet/io/votes_csv.h"
#include "motet/judges/estimate.h"

namespace motet::judges {

struct VotesFileOptions {
  VotesLayout layout = VotesLayout::automatic;
  std::string delimiter = ",";
  RepeatedVotes repeated = RepeatedVotes::refuse;
};

template <class V>
void visit_fields(V& v, VotesFileOptions& o) {
  v("layout", o.layout, Choices{{"auto", "long", "wide"}}, "one vote per line, or one column per judge");
  v("delimiter", o.delimiter, Text{"CHARACTER"}, "between fields; 'tab' is possible");
  v("repeated", o.repeated, Choices{{"refuse", "first", "last"}},
    "when a judge votes twice on an item: an error, or keep one of the votes");
}

VotesFormat votes_format(const VotesFileOptions& options);

JudgesModel read_judges_model(const std::string& path);

// Goes over all items once: writes LABELS.csv when named, and fills the disputed items
// of the report. Returns, by class, how many items have it as their best label.
std::vector<std::size_t> look_at_items(const JudgesModel& model, const Votes& votes, const std::string& labels_path,
                                       JudgesReport& report);

// By judge: share of right votes on items of known class; NaN without any.
std::vector<double> gold_accuracies(const Votes& votes);
std::vector<std::string> warn_of_gold(const Votes& votes, const GoldCounts& gold, const std::string& path);

// Columns item, difficulty, low, high.
void write_difficulties_csv(const JudgesFit& fit, const Votes& votes, const std::string& path);

// Long layout.
void write_votes_csv(const Votes& votes, const std::string& path);
void write_truth_csv(const Votes& votes, const std::vector<std::int32_t>& truth, const std::string& path);

}  // namespace motet::judges
