#include "motet/app/discover/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motet/app/csv_output.h"
#include "motet/app/discover/data.h"
#include "motet/app/discover/simulation_document.h"
#include "motet/app/told.h"
#include "motet/base/error.h"
#include "motet/discover/study/generate.h"
#include "motet/io/audio_file.h"

namespace motet::discover {
namespace {

// --- simulate ---------------------------------------------------------------------

struct SimulateOptions {
  std::string truth_column;
  std::string truth;
  std::size_t repeats = 1;
  std::size_t max_requests = 0;
  std::size_t segments = 0;
  double threshold = usual_threshold;
  bool regret = true;
  DiscoverOptions discover;
  DiscoverDataOptions data;  // of a table
};

template <class V>
void visit_fields(V& v, SimulateOptions& o) {
  v("truth_column", o.truth_column, Text{"NAME"},
    "the column with the class of each row; the most frequent is background");
  v("truth", o.truth, Reads{"TRACK.txt|.csv"},
    "a label track of the recordings: of Audacity, of Raven or a table of segments; what it leaves out is background. "
    "Or "
    "the labels of rows, by `audio mix --labels`");
  v("repeats", o.repeats, Range<std::size_t>{1, 100'000}, "how many searches, each with a seed of its own");
  v("max_requests", o.max_requests, Range<std::size_t>{0, 1'000'000'000},
    "questions after which a search is given up; 0: none");
  v("segments", o.segments, Range<std::size_t>{0, 1'000'000'000},
    "tell how good the segments are after this many answers, to which the search goes on; 0: do not");
  v("threshold", o.threshold, Range<double>{0.0, 1.0}, "of --segments, as that of export");
  v("regret", o.regret,
    "for adaptive: play its ways of asking through by themselves as well, and tell what mixing them costs");
  visit_fields(v, o.discover);
  visit_fields(v, o.data);
}

TruthTable read_simulated(const SimulateOptions& options, const VerbContext& context) {
  if (options.truth.empty() == options.truth_column.empty()) {
    fail(ErrorKind::usage, "simulate: needs --truth-column, or --truth with a label track; one of them");
  }
  if (!options.truth.empty()) return read_with_track(context.files, options.truth, options.data, context);
  if (context.files.size() > 1 || is_audio_name(context.files[0])) {
    fail(ErrorKind::usage, "simulate: --truth-column is for one table; recordings take --truth TRACK");
  }
  return read_truth_table(context.files[0], options.truth_column, options.data, context);
}

Outcome run_simulate(const SimulateOptions& options, VerbContext& context) {
  const std::string& file = context.files[0];
  const TruthTable table = read_simulated(options, context);
  if (table.truth.classes.size() < 2) {
    fail(ErrorKind::unanswerable,
         fmt::format("{}: all rows are of class '{}'; there is nothing to find", file, table.truth.classes.at(0)));
  }
  std::vector<DiscoveryComparison> comparisons{simulate_discovery(table.features, table.truth, options.discover,
                                                                  options.repeats, options.max_requests, context.run,
                                                                  {options.segments, options.threshold})};
  if (options.regret && options.discover.strategy == Strategy::adaptive) {
    comparisons.front().alone =
        ways_alone(table.features, table.truth, options.discover, options.repeats, options.max_requests, context.run);
  }
  if (context.wants_page() && options.discover.strategy != Strategy::random) {
    DiscoverOptions at_random = options.discover;
    at_random.strategy = Strategy::random;
    comparisons.push_back(
        simulate_discovery(table.features, table.truth, at_random, options.repeats, options.max_requests, context.run));
  }
  return told(simulation_document(comparisons, file, table.warnings));
}

// --- generate ---------------------------------------------------------------------

struct GenerateOptions {
  EventOptions events;
  std::string out;
  std::string truth_column = "y";
  std::size_t digits = 0;
};

template <class V>
void visit_fields(V& v, GenerateOptions& o) {
  visit_fields(v, o.events);
  v("out", o.out, Writes{"DATA.csv", "-"}, "write the rows here; '-' or nothing: standard output");
  v("truth_column", o.truth_column, Text{"NAME"}, "the column with the class of each row");
  v("digits", o.digits, Range<std::size_t>{0, 17}, "after the point; 0: all");
}

Outcome run_generate(const GenerateOptions& options, VerbContext& context) {
  const LabelledFeatures made = generate_events(options.events, Seed{context.common.seed});
  const Features& features = made.features;
  if (options.truth_column.empty() ||
      std::find(features.columns.begin(), features.columns.end(), options.truth_column) != features.columns.end()) {
    fail(ErrorKind::usage, fmt::format("--truth-column: '{}' is empty or the name of a feature", options.truth_column));
  }
  CsvOutput output(options.out);
  for (const std::string& column : features.columns) output.csv().text(column);
  output.csv().text(options.truth_column);
  output.csv().end_row();
  const double scale = std::pow(10.0, static_cast<double>(options.digits));
  for (std::size_t n = 0; n < features.rows(); ++n) {
    for (const double value : features.row(n)) {
      output.csv().number(options.digits == 0 ? value : std::round(value * scale) / scale);
    }
    output.csv().text(made.truth.classes[made.truth.of_row[n]]);
    output.csv().end_row();
  }
  output.finish();
  return {fmt::format("{} rows with {} classes to be found written to {}\n", features.rows(),
                      made.truth.classes.size() - 1, options.out),
          Value::object({{"rows", features.rows()},
                         {"dimensions", features.dimensions()},
                         {"classes", Value::list_of(made.truth.classes)}})};
}

}  // namespace

std::vector<Verb> discover_simulate_verbs() {
  return {
      make_verb("discover", "simulate", "play a search through on data with known classes",
                {{"DATA", "a table of rows in time order with a column of truth ('-' is standard input), or recordings",
                  1, 100'000}},
                {}, run_simulate),
      make_verb("discover", "generate", "sequences with rare events, to try things with", {}, {}, run_generate,
                without_page),
  };
}

}  // namespace motet::discover
