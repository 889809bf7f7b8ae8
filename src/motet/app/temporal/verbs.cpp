#include "motet/app/temporal/verbs.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "motet/app/answers.h"
#include "motet/app/audio/recording_table.h"
#include "motet/app/checkpoint.h"
#include "motet/app/comma_names.h"
#include "motet/app/csv_output.h"
#include "motet/app/recording_features.h"
#include "motet/app/temporal/document.h"
#include "motet/app/told.h"
#include "motet/base/error.h"
#include "motet/data/names.h"
#include "motet/io/features_file.h"
#include "motet/io/record_file.h"
#include "motet/temporal/fit.h"
#include "motet/temporal/run_lengths.h"
#include "motet/temporal/stack.h"

namespace motet::temporal {
namespace {

struct FeatureFileOptions {
  std::string delimiter = ",";
  std::string sequence_column;
  std::string item_column;
  std::string leave_out;
  std::optional<double> hop;
  std::optional<double> window;
  RecordingOptions recordings;
};

// The fields of another description but for hop and window, which rows of any kind have.
template <class V>
struct WithoutClock {
  V& visitor;

  template <class... Parts>
  void operator()(std::string_view name, Parts&&... parts) {
    if (name != "hop" && name != "window") visitor(name, std::forward<Parts>(parts)...);
  }
};

template <class V>
void visit_fields(V& v, FeatureFileOptions& o) {
  v("delimiter", o.delimiter, Text{"CHARACTER"}, "between fields; 'tab' is possible");
  v("sequence_column", o.sequence_column, Text{"NAME"},
    "column that tells sequences apart; a column called sequence is one");
  v("item_column", o.item_column, Text{"NAME"}, "column that names the rows; a column called item is one");
  v("leave_out", o.leave_out, Text{"NAME,..."}, "columns that are no features");
  v("hop", o.hop, Range<double>{1e-9, 1e9},
    "seconds from a row to the next; else as a column called time says, and of recordings as is usual for --set");
  v("window", o.window, Range<double>{1e-9, 1e9}, "seconds that a row covers; else the hop");
  WithoutClock<V> others{v};
  visit_fields(others, o.recordings);
}

struct FitVerbOptions {
  FeatureFileOptions data;
  std::size_t components = 2;
  TemporalOptions fit;
  std::string labels_column;
  std::string model;
  std::string assignments;
  CheckpointOptions checkpoint;
};

template <class V>
void visit_fields(V& v, FitVerbOptions& o) {
  visit_fields(v, o.data);
  v("components", o.components, Range<std::size_t>{1, 250}, "how many");
  visit_fields(v, o.fit);
  v("labels_column", o.labels_column, Text{"NAME"}, "column with the class of rows where it is known; else empty");
  v("model", o.model, Writes{"MODEL.json"}, "write the model here");
  v("assignments", o.assignments, Writes{"OUT.csv"}, "write the component of each row; '-' is standard output");
  visit_fields(v, o.checkpoint);
}

struct ApplyVerbOptions {
  FeatureFileOptions data;
  std::string model;
  Inference inference = Inference::icm;
  std::string assignments;
};

template <class V>
void visit_fields(V& v, ApplyVerbOptions& o) {
  visit_fields(v, o.data);
  v("model", o.model, Reads{"MODEL.json"}, "written by `temporal fit`");
  v("inference", o.inference, Choices{{"icm", "mean-field", "exact"}},
    "exact needs components^radius to be at most 4096");
  v("assignments", o.assignments, Writes{"OUT.csv"}, "write the component of each row; '-' is standard output");
}

FeaturesFile read_recordings(const FeatureFileOptions& options, const std::string& labels_column,
                             const VerbContext& context) {
  if (!labels_column.empty()) fail(ErrorKind::usage, "--labels-column: recordings have no columns; give a table");
  RecordingOptions of_recordings = options.recordings;
  if (options.hop) of_recordings.features.mfcc.hop = *options.hop;
  if (options.window) of_recordings.features.mfcc.window = *options.window;
  audio::RecordingTable table = audio::recording_table(context.files, settled(of_recordings, context), context.run);
  FeaturesFile file;
  file.features = std::move(table.features);
  file.warnings = std::move(table.warnings);
  file.name = context.files[0];
  return file;
}

FeaturesFile read_data(const FeatureFileOptions& options, const std::string& labels_column,
                       const VerbContext& context) {
  if (audio::are_recordings(context.files)) return read_recordings(options, labels_column, context);
  if (context.files.size() > 1) {
    fail(ErrorKind::usage,
         fmt::format("{}: one table is read at a time; several are possible for recordings", context.files[1]));
  }
  FeaturesFormat format;
  format.delimiter = parse_delimiter(options.delimiter);
  format.sequence_column = options.sequence_column;
  format.item_column = options.item_column;
  format.leave_out = comma_names(options.leave_out);
  if (!labels_column.empty()) format.labels.push_back(labels_column);
  format.clock = {options.hop.value_or(0.0), options.window.value_or(0.0)};
  return read_features(context.files[0], format, context.run);
}

// item, sequence (when sequences have names), component, class (when the model has classes), probability, path (when
// there is a chain), class_probability (when classes share components).
template <class Found>
void write_assignments(const std::string& path, const Features& features, const Mixture& mixture, const Found& found) {
  CsvOutput out(path);
  CsvWriter& csv = out.csv();
  const bool has_sequences = features.sequences.size() > 1 || !features.sequences.front().empty();
  const bool has_classes = !mixture.classes.empty();
  csv.text("item");
  if (has_sequences) csv.text("sequence");
  csv.text("component");
  if (has_classes) csv.text("class");
  csv.text("probability");
  if (!found.path.empty()) csv.text("path");
  const bool is_soft = !found.classes.of_row.empty();
  if (is_soft) csv.text("class_probability");
  csv.end_row();
  for (std::size_t s = 0; s + 1 < features.starts.size(); ++s) {
    for (std::size_t n = features.starts[s]; n < features.starts[s + 1]; ++n) {
      csv.text(item_name(features, n));
      if (has_sequences) csv.text(features.sequences[s]);
      csv.whole(found.states[n] + 1);
      if (has_classes) {
        const std::int32_t of_class = is_soft ? found.classes.of_row[n] : mixture.components[found.states[n]].of_class;
        csv.text(of_class < 0 ? "" : mixture.classes[static_cast<std::size_t>(of_class)]);
      }
      csv.number(found.probability[n]);
      if (!found.path.empty()) csv.whole(found.path[n] + 1);
      if (is_soft) csv.number(found.classes.probability[n]);
      csv.end_row();
    }
  }
  out.finish();
}

// Options of the field are refused where there is none: they would do nothing.
void refuse_field_options(const VerbContext& context, std::initializer_list<std::string_view> options) {
  for (const std::string_view option : options) {
    if (!is_given(context, option)) continue;
    fail(ErrorKind::usage, fmt::format("{}: belongs to a field; a hidden Markov chain has none", flag_of(option)));
  }
}

Outcome run_fit(const FitVerbOptions& options, VerbContext& context) {
  if (options.fit.method == TemporalMethod::hmm) {
    refuse_field_options(context,
                         {"radius", "weights", "weight_values", "inference", "coupling", "border", "image_width"});
  }
  const FeaturesFile file = read_data(options.data, options.labels_column, context);
  const LabelColumn labels = file.labels.empty() ? LabelColumn{} : file.labels.front();
  const auto checkpoint = keep_checkpoints(options.checkpoint, context.run, [&](Fingerprint& shaping) {
    shaping.add(options.components).add(file.features.values).add(file.features.starts);
    for (const LabelColumn& column : file.labels) shaping.add(column.of_row);
    shaping.add_options(options.fit);
  });
  const TemporalFit fit = fit_with(*checkpoint, [&] {
    return fit_temporal(file.features, options.components, labels.classes, labels.of_row, options.fit, context.run);
  });
  TemporalReport report{fit, file.features, context.files[0], 0, told_options(options.fit), file.warnings};
  report.labelled = static_cast<std::size_t>(
      std::count_if(labels.of_row.begin(), labels.of_row.end(), [](std::int32_t label) { return label >= 0; }));
  if (!options.model.empty()) write_record(options.model, to_record(fit.mixture));
  if (!options.assignments.empty()) {
    write_assignments(options.assignments, file.features, fit.mixture, fit);
  }
  Outcome outcome = told(temporal_document(report));
  outcome.finish = [checkpoint] { checkpoint->remove(); };
  return outcome;
}

// The features in the columns of the model, in its order; an .npy has no names and goes by position.
void fit_columns(Features& features, const Mixture& mixture, const std::string& file) {
  const std::vector<std::string> columns = single_columns(mixture.columns, mixture.stack);
  if (is_npy(file) && features.dimensions() == columns.size()) {
    features.columns = columns;
  } else {
    select_columns(features, columns, file);
  }
}

Outcome run_apply(const ApplyVerbOptions& options, VerbContext& context) {
  const Record record = read_record(options.model);
  const Mixture mixture = with_frame(options.model, [&] { return mixture_from_record(record); });
  if (mixture.has_chain()) refuse_field_options(context, {"inference"});
  FeaturesFile file = read_data(options.data, "", context);
  fit_columns(file.features, mixture, context.files[0]);
  const TemporalStates found = assign_temporal(file.features, mixture, options.inference, context.run);
  require_answers(options.model, found.probability);
  require_answers(options.model, {&found.objective, 1});
  const std::size_t count = mixture.components.size();
  const std::vector<RunLengths> runs = run_lengths(file.features, found.states, count);
  write_assignments(options.assignments, file.features, mixture, found);
  Listing listing{{{"component"}, {"rows", "rows"}, {"runs", "runs"}, {"mean run", "mean_run", 1}, {"longest run"}}};
  for (std::size_t k = 0; k < count; ++k) {
    listing.rows.push_back({component_name(mixture, k), runs[k].rows, runs[k].runs, runs[k].mean, runs[k].longest});
  }
  return {fmt::format("{} rows; {} {:.6f} per row\n\n{}{}", file.features.rows(), name_of(found.kind), found.objective,
                      to_text(listing.table()), warning_lines(file.warnings)),
          Value::object({{"rows", file.features.rows()},
                         {"objective", found.objective},
                         {"objective_kind", name_of(found.kind)},
                         {"components", listing.json()},
                         {"warnings", Value::list_of(file.warnings)}})};
}

}  // namespace

std::vector<Verb> temporal_verbs() {
  const Argument data{"DATA.csv",
                      "numbers in time order, one line per row; or .npy; '-' is standard input; or recordings", 1,
                      1'000'000};
  return {
      make_verb("temporal", "fit", "components behind rows that come in time", {data}, {{"components"}}, run_fit),
      make_verb("temporal", "apply", "the components of new rows under a fitted model", {data},
                {{"model"}, {"assignments"}}, run_apply, without_page),
  };
}

}  // namespace motet::temporal
