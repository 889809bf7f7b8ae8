// Where the rows of a search come from: recordings, tables of features.
#pragma once

#include <string>
#include <vector>

#include "motet/app/recording_features.h"
#include "motet/app/verb.h"
#include "motet/base/fields.h"
#include "motet/discover/project/project.h"
#include "motet/discover/study/row_truth.h"
#include "motet/io/features_csv.h"

namespace motet::discover {

// With the set that was made for it.
inline RecordingOptions recordings_for_discovery() {
  RecordingOptions options;
  options.features.set = "events";
  return options;
}

struct DiscoverDataOptions {
  std::string delimiter = ",";
  std::string sequence_column;
  std::string item_column;
  std::string leave_out;
  RecordingOptions recordings = recordings_for_discovery();
};

template <class V>
void visit_fields(V& v, DiscoverDataOptions& o) {
  v("delimiter", o.delimiter, Text{"CHARACTER"}, "between fields of a table; 'tab' is possible");
  v("sequence_column", o.sequence_column, Text{"NAME"},
    "the column of a table that tells sequences apart; 'sequence' if there is one");
  v("item_column", o.item_column, Text{"NAME"}, "the column of a table that names items; 'item' if there is one");
  v("leave_out", o.leave_out, Text{"NAME,NAME,..."}, "columns of a table that are no features");
  visit_fields(v, o.recordings);
}

struct DiscoverData {
  Features features;
  std::string origin;  // what `add` needs to read more of the same kind, as JSON
  std::vector<std::string> warnings;
};

enum class BadFiles { refused, left_out };

// `files` are recordings, or tables (.csv, .npy). --hop and --window hold for recordings; for a table only
// when they were given. A file that cannot be read, or does not go with those before it, may be left out with a warning
// when others can.
DiscoverData read_discover_data(const std::vector<std::string>& files, const DiscoverDataOptions& options,
                                const VerbContext& context, BadFiles bad_files = BadFiles::refused);
// More files for a project, read as those it began with.
DiscoverData read_more_data(const std::vector<std::string>& files, const ProjectSource& first,
                            const VerbContext& context, BadFiles bad_files);

// Rows whose classes are known, for simulations: a table with a column of truth. Throws Error{bad_data} for rows
// without truth.
struct TruthTable {
  Features features;
  RowTruth truth;
  std::vector<std::string> warnings;
};
TruthTable read_truth_table(const std::string& file, const std::string& truth_column,
                            const DiscoverDataOptions& options, const VerbContext& context);

// Rows of any kind with a label track: one of Audacity or Raven, or a table of segments (.csv), whichever it looks
// like.
TruthTable read_with_track(const std::vector<std::string>& files, const std::string& track,
                           const DiscoverDataOptions& options, const VerbContext& context);

}  // namespace motet::discover
