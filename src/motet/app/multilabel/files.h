// Files that the verbs of `motet multilabel` share: items with label sets, models.
#pragma once

#include <string>
#include <vector>

#include "motet/app/recording_features.h"
#include "motet/app/verb.h"
#include "motet/io/labelled_items_file.h"
#include "motet/multilabel/decision_options.h"
#include "motet/multilabel/model.h"

namespace motet::multilabel {

inline constexpr Argument labelled_data{
    "DATA", "items with their labels: .arff (MULAN, MEKA), .csv or libsvm, '-' is standard input; or recordings", 1,
    1'000'000};
inline constexpr Argument any_data{
    "DATA", "items, with or without labels: .arff, .csv or libsvm, '-' is standard input; or recordings", 1, 1'000'000};

struct ItemsFileOptions {
  std::string labels;
  std::string label_columns;
  std::size_t label_count = 0;
  ItemsKind format = ItemsKind::by_name;
  std::string item_column;
  std::string leave_out;
  std::string delimiter = ",";
  RecordingOptions recordings;
  std::vector<std::string> files;  // where they are recordings
};

template <class V>
void visit_fields(V& v, ItemsFileOptions& o) {
  v("labels", o.labels, Reads{"FILE.xml"},
    "MULAN file that names the labels; else the one beside an .arff, or what its relation's name says (MEKA). Of "
    "recordings, a table: item,labels with a|b, or item and a column of 0 and 1 per label");
  v("label_columns", o.label_columns, Text{"NAME,..."}, "columns that are labels, 0 or 1");
  v("label_count", o.label_count, Range<std::size_t>{0, 100000}, "the last N columns are labels");
  v("format", o.format, Choices{{"auto", "csv", "arff", "libsvm"}},
    "of the data; auto goes by the name (.arff; .svm, .libsvm, .txt; else csv)");
  v("item_column", o.item_column, Text{"NAME"}, "column that names the items; a column called item is one");
  v("leave_out", o.leave_out, Text{"NAME,..."}, "columns that are neither features nor labels");
  v("delimiter", o.delimiter, Text{"CHARACTER"}, "between the fields of a csv; 'tab' is possible");
  visit_fields(v, o.recordings);
}

// The options for the files of the command: where these are recordings, with what was not said filled in (mean and
// standard deviation over each, if nothing was said of --pool). Throws Error{usage} for several files that are none,
// and when an output would overwrite the .xml that is read beside the data where there is no --labels.
ItemsFileOptions for_files(ItemsFileOptions options, const VerbContext& context);

// Says that probabilities are less than calibrated ones when the decision is another than the one that training
// calibrates, the likeliest of the observed sets, or with log-linear training of all sets; empty when it is that one.
std::string calibration_warning(const DecisionOptions& options, Training method);

// Which training options were given, so that `auto` leaves them alone.
GivenOptions given_options(const VerbContext& context);

// For those who rely on the probabilities of a model that is not calibrated at all.
std::string uncalibrated_warning(const std::string& model_file);

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
