// Where the rows of a search come from: recordings, tables of features.
#pragma once

#include <string>
#include <vector>

#include "motet/app/verb.h"
#include "motet/audio/mfcc.h"
#include "motet/base/fields.h"
#include "motet/discover/project/project.h"
#include "motet/io/features_csv.h"

namespace motet::discover {

struct DiscoverDataOptions {
  std::string delimiter = ",";
  std::string sequence_column;
  std::string item_column;
  std::string leave_out;
  audio::MfccOptions mfcc;
  std::size_t channel = 0;
};

template <class V>
void visit_fields(V& v, DiscoverDataOptions& o) {
  v("delimiter", o.delimiter, Text{"CHARACTER"}, "between fields of a table; 'tab' is possible");
  v("sequence_column", o.sequence_column, Text{"NAME"},
    "the column of a table that tells sequences apart; 'sequence' if there is one");
  v("item_column", o.item_column, Text{"NAME"}, "the column of a table that names items; 'item' if there is one");
  v("leave_out", o.leave_out, Text{"NAME,NAME,..."}, "columns of a table that are no features");
  visit_fields(v, o.mfcc);
  v("channel", o.channel, Range<std::size_t>{0, 1024}, "of recordings; 0: the mean of all");
}

struct DiscoverData {
  Features features;
  std::string origin;  // what `add` needs to read more of the same kind, as JSON
  std::vector<std::string> warnings;
};

// `files` are recordings, or tables (.csv, .npy). --hop and --window hold for recordings; for a table only
// when they were given.
DiscoverData read_discover_data(const std::vector<std::string>& files, const DiscoverDataOptions& options,
                                const VerbContext& context);
// More files for a project, read as those it began with.
DiscoverData read_more_data(const std::vector<std::string>& files, const ProjectSource& first,
                            const VerbContext& context);

// A table with a column of truth, for simulations. Throws Error{bad_data} for rows without truth.
struct TruthTable {
  Features features;
  LabelColumn truth;
  std::vector<std::string> warnings;
};
TruthTable read_truth_table(const std::string& file, const std::string& truth_column,
                            const DiscoverDataOptions& options, const VerbContext& context);

}  // namespace motet::discover
