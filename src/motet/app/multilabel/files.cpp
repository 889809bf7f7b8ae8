#include "motet/app/multilabel/files.h"

#include <fmt/format.h>

#include <algorithm>

#include "motet/app/audio/recording_table.h"
#include "motet/app/comma_names.h"
#include "motet/app/multilabel/recordings.h"
#include "motet/app/verb_files.h"
#include "motet/base/error.h"
#include "motet/data/missing.h"
#include "motet/data/names.h"
#include "motet/io/record_file.h"

namespace motet::multilabel {
namespace {

LabelledFormat format_of(const ItemsFileOptions& options) {
  LabelledFormat format;
  format.kind = options.format;
  format.labels_file = options.labels;
  format.label_columns = comma_names(options.label_columns);
  format.label_count = options.label_count;
  format.item_column = options.item_column;
  format.leave_out = comma_names(options.leave_out);
  format.keeps_missing = true;
  format.delimiter = parse_delimiter(options.delimiter);
  return format;
}

void require_plain_labels(const std::vector<std::string>& labels, const std::string& file) {
  for (const std::string& label : labels) {
    if (label.find('|') != std::string::npos) {
      fail(ErrorKind::bad_data,
           fmt::format("{}: label '{}' holds '|', which stands between the labels of a set; rename it", file, label));
    }
  }
}

// A feature of the model that the data lack would be told by its use; here with the file.
void require_columns(const NumberTable& features, const std::vector<std::string>& columns, const std::string& file) {
  std::vector<std::string> have = features.columns;
  std::sort(have.begin(), have.end());
  for (const std::string& name : columns) {
    if (std::binary_search(have.begin(), have.end(), name)) continue;
    fail(ErrorKind::bad_data, fmt::format("{}: there is no column '{}', which the model was trained with; found {}",
                                          file, name, quoted_list(features.columns)));
  }
}

void require_labels_table(const ItemsFileOptions& options) {
  if (!options.labels.empty()) return;
  fail(ErrorKind::usage, "--labels: recordings need a table with their labels (item,labels)");
}

// `fill` has a value for each of `columns`, which the features may have in another order.
void fill_gaps(LabelledFile& read, const std::vector<std::string>& columns, const std::vector<double>& fill,
               std::string_view whose, const std::string& file) {
  NumberTable& features = read.items.features;
  const std::size_t missing = count_missing(features);
  if (missing == 0) return;
  std::vector<double> own(features.dimensions(), 0.0);
  for (std::size_t d = 0; d < own.size(); ++d) {
    const auto place = std::find(columns.begin(), columns.end(), features.columns[d]);
    if (place != columns.end()) own[d] = fill[static_cast<std::size_t>(place - columns.begin())];
  }
  fill_missing(features, own);
  read.warnings.push_back(
      missing == 1
          ? fmt::format("{}: a value is missing: it is taken as the middle value of its feature in {}", file, whose)
          : fmt::format("{}: {} values are missing: each is taken as the middle value of its feature "
                        "in {}",
                        file, missing, whose));
}

LabelledFile read_known(const std::vector<std::string>& labels, const std::vector<std::string>& columns,
                        const std::string& file, const ItemsFileOptions& options, bool needs_labels,
                        const RunContext& run) {
  LabelledFormat format = format_of(options);
  format.needs_labels = needs_labels;
  format.known_labels = labels;
  format.known_columns = columns;
  const bool is_sound = !options.files.empty();
  if (is_sound && needs_labels) require_labels_table(options);
  LabelledFile read =
      is_sound ? recording_items(options.files, options.recordings, options.labels, labels, format.delimiter, run)
               : read_labelled_items(file, format, run);
  require_columns(read.items.features, columns, file);
  return read;
}

}  // namespace

std::string calibration_warning(const DecisionOptions& options, Training method) {
  const bool is_open = method == Training::log_linear;
  const std::string own = is_open ? "all" : "observed";
  const bool is_own = options.candidates == "auto" || options.candidates == own;
  if ((options.decision == Decision::trained || options.decision == Decision::map) && is_own) return "";
  if (options.decision == Decision::one_against_all) {
    return "with --decision one-against-all the probability of a set is the product of those of its labels; it is not "
           "calibrated";
  }
  return fmt::format(
      "probabilities were calibrated for --decision map among --candidates {}; for --decision {} among "
      "--candidates {} they are only approximate",
      own,
      decision_words[static_cast<std::size_t>(options.decision == Decision::trained ? Decision::map
                                                                                    : options.decision)],
      options.candidates == "auto" ? own : options.candidates);
}

GivenOptions given_options(const VerbContext& context) {
  const auto given = [&](std::string_view name) { return is_given(context, name); };
  return {given("source"), given("combine"),      given("covariance"), given("background"),
          given("noise"),  given("kernel_width"), given("penalty")};
}

std::string uncalibrated_warning(const std::string& model_file) {
  return model_file + ": the model was trained without calibration; its probabilities are likely too high";
}

ItemsFileOptions for_files(ItemsFileOptions options, const VerbContext& context) {
  if (audio::are_recordings(context.files)) {
    options.files = context.files;
    options.recordings = settled(options.recordings, context);
    if (!is_given(context, "pool")) options.recordings.features.rows.pool = audio::Pool::mean_sd;
  } else if (context.files.size() > 1) {
    fail(ErrorKind::usage,
         fmt::format("{}: one file of items is read at a time; several are possible for recordings", context.files[1]));
  }
  if (options.labels.empty() && options.files.empty()) keep_input(context, labels_beside(context.files[0]));
  return options;
}

LabelledFile read_items(const std::string& file, const ItemsFileOptions& options, const RunContext& run) {
  const bool is_sound = !options.files.empty() && file == options.files.front();
  if (is_sound) require_labels_table(options);
  LabelledFile read = is_sound ? recording_items(options.files, options.recordings, options.labels, {},
                                                 parse_delimiter(options.delimiter), run)
                               : read_labelled_items(file, format_of(options), run);
  require_plain_labels(read.items.labels, file);
  fill_gaps(read, read.items.features.columns, middle_values(read.items.features), "the file", file);
  return read;
}

LabelledFile read_items_for(const MultilabelModel& model, const std::string& file, const ItemsFileOptions& options,
                            bool needs_labels, const RunContext& run) {
  LabelledFile read = read_known(model.all_labels(), model.preparation.columns, file, options, needs_labels, run);
  if (model.fill.empty() && count_missing(read.items.features) > 0) {
    fail(ErrorKind::bad_data, file +
                                  ": values are missing, and the model, of an older motet, does not know what to take "
                                  "for them; fill them in, or train it again");
  }
  fill_gaps(read, model.preparation.columns, model.fill, "the training items", file);
  return read;
}

LabelledFile read_items_for(const LabelledItems& training, const std::string& file, const ItemsFileOptions& options,
                            const RunContext& run) {
  LabelledFile read = read_known(training.labels, training.features.columns, file, options, true, run);
  fill_gaps(read, training.features.columns, middle_values(training.features), "the training items", file);
  return read;
}

MultilabelModel read_multilabel_model(const std::string& path) {
  const Record record = read_record(path);
  return with_frame(path, [&] { return multilabel_from_record(record); });
}

}  // namespace motet::multilabel
