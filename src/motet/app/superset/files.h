// Files that the verbs of `motet superset` share: items with candidates, votes as evidence, models.
#pragma once

#include <string>
#include <vector>

#include "motet/app/verb.h"
#include "motet/io/candidate_items_file.h"
#include "motet/superset/model.h"

namespace motet::superset {

struct CandidateFileOptions {
  std::string candidates_column = "candidates";
  std::string truth_column;
  std::string item_column;
  std::string classes;
  std::string delimiter = ",";
  std::string votes;
  std::string judges;
};

template <class V>
void visit_fields(V& v, CandidateFileOptions& o) {
  v("candidates_column", o.candidates_column, Text{"NAME"},
    "column of the candidates, a|b|c, a:0.7|b:0.3, or * for any");
  v("truth_column", o.truth_column, Text{"NAME"}, "column of true labels, to score with; never used to train");
  v("item_column", o.item_column, Text{"NAME"}, "column that names the items; a column called item is one");
  v("classes", o.classes, Text{"NAME,..."}, "all classes there are; else those that occur");
  v("delimiter", o.delimiter, Text{"CHARACTER"}, "between the fields of a csv; 'tab' is possible");
  v("votes", o.votes, Reads{"VOTES.csv"}, "votes of judges on the items, in place of a column of candidates");
  v("judges", o.judges, Reads{"JUDGES.json"},
    "what is known of the judges, by `judges estimate`; else estimated from the votes");
}

// Of items that are asked about.
template <class V>
void visit_item_columns(V& v, CandidateFileOptions& o) {
  v("item_column", o.item_column, Text{"NAME"}, "column that names the items; a column called item is one");
  v("delimiter", o.delimiter, Text{"CHARACTER"}, "between the fields of a csv; 'tab' is possible");
}

// Items to learn from, checked. With votes, the evidence for label l is how likely the votes of an
// item are if l is true: p(l | votes) / p(l); an item without votes may be anything.
CandidateFile read_training_items(const std::string& file, const CandidateFileOptions& options, const RunContext& run);

// Items for a model: its columns, found by name. Candidates are read where `needs_candidates`.
CandidateFile read_items_for(const SupersetModel& model, const std::string& file, const CandidateFileOptions& options,
                             bool needs_candidates, const RunContext& run);

// Throws Error{usage} for an option of the mixture with a method that has none.
void require_heeded(const SupersetOptions& options, const VerbContext& context);

SupersetModel read_superset_model(const std::string& path);

// item, label, probability, candidates, and with truth that and whether it is the label: the likeliest
// label of each item given its candidates; `probability` is rows x L.
void write_disambiguated(const std::string& path, const CandidateItems& items, const std::vector<double>& probability);

}  // namespace motet::superset
