// Files that the verbs of `motet multilabel` share: items with label sets, models.
#pragma once

#include <string>
#include <vector>

#include "motet/app/verb.h"
#include "motet/io/labelled_items_file.h"
#include "motet/multilabel/decision_options.h"
#include "motet/multilabel/model.h"

namespace motet::multilabel {

struct ItemsFileOptions {
  std::string labels;
  std::string label_columns;
  std::size_t label_count = 0;
  ItemsKind format = ItemsKind::by_name;
  std::string item_column;
  std::string leave_out;
  std::string delimiter = ",";
};

template <class V>
void visit_fields(V& v, ItemsFileOptions& o) {
  v("labels", o.labels, Text{"FILE.xml"},
    "MULAN file that names the labels; else the one beside an .arff, or what its relation's name says (MEKA)");
  v("label_columns", o.label_columns, Text{"NAME,..."}, "columns that are labels, 0 or 1");
  v("label_count", o.label_count, Range<std::size_t>{0, 100000}, "the last N columns are labels");
  v("format", o.format, Choices{{"auto", "csv", "arff", "libsvm"}},
    "of the data; auto goes by the name (.arff; .svm, .libsvm, .txt; else csv)");
  v("item_column", o.item_column, Text{"NAME"}, "column that names the items; a column called item is one");
  v("leave_out", o.leave_out, Text{"NAME,..."}, "columns that are neither features nor labels");
  v("delimiter", o.delimiter, Text{"CHARACTER"}, "between the fields of a csv; 'tab' is possible");
}

// Says that probabilities are less than calibrated ones when the decision is another than the one that
// training calibrates, the likeliest of the observed sets; empty when it is that one.
std::string calibration_warning(const DecisionOptions& options);

// Which training options were given, so that `auto` leaves them alone.
GivenOptions given_options(const VerbContext& context);

// For those who rely on the probabilities of a model that is not calibrated at all.
std::string uncalibrated_warning(const std::string& model_file);

// Without --labels, an .xml beside the data is read: throws Error{usage} when an output would overwrite it.
void keep_labels_file(const ItemsFileOptions& options, const VerbContext& context);

// Items to learn from. Throws Error{bad_data} also for a label with '|' in its name.
LabelledFile read_items(const std::string& file, const ItemsFileOptions& options, const RunContext& run);

// Items for a model: its columns and labels are looked for by name.
LabelledFile read_items_for(const MultilabelModel& model, const std::string& file, const ItemsFileOptions& options,
                            bool needs_labels, const RunContext& run);

// The same for items to train on.
LabelledFile read_items_for(const LabelledItems& training, const std::string& file, const ItemsFileOptions& options,
                            const RunContext& run);

MultilabelModel read_multilabel_model(const std::string& path);

// Runs `body`; what it says of the data gets the file's name in front.
template <class Body>
auto about(const std::string& file, const Body& body) {
  try {
    return body();
  } catch (Error& error) {
    if (error.kind() == ErrorKind::bad_data || error.kind() == ErrorKind::unanswerable) error.add_frame(file);
    throw;
  }
}

}  // namespace motet::multilabel
