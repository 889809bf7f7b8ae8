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

namespace motet::discover {
namespace {

// --- simulate ---------------------------------------------------------------------

struct SimulateOptions {
  std::string truth_column;
  std::size_t repeats = 1;
  std::size_t max_requests = 0;
  DiscoverOptions discover;
  std::string delimiter = ",";
  std::string sequence_column;
  std::string item_column;
  std::string leave_out;
};

template <class V>
void visit_fields(V& v, SimulateOptions& o) {
  v("truth_column", o.truth_column, Text{"NAME"},
    "the column with the class of each row; the most frequent is background");
  v("repeats", o.repeats, Range<std::size_t>{1, 100'000}, "how many searches, each with a seed of its own");
  v("max_requests", o.max_requests, Range<std::size_t>{0, 1'000'000'000},
    "questions after which a search is given up; 0: none");
  visit_fields(v, o.discover);
  v("delimiter", o.delimiter, Text{"CHARACTER"}, "between fields; 'tab' is possible");
  v("sequence_column", o.sequence_column, Text{"NAME"},
    "the column that tells sequences apart; 'sequence' if there is one");
  v("item_column", o.item_column, Text{"NAME"}, "the column that names items; 'item' if there is one");
  v("leave_out", o.leave_out, Text{"NAME,NAME,..."}, "columns that are no features");
}

Outcome run_simulate(const SimulateOptions& options, VerbContext& context) {
  require_given("simulate", context, {"truth_column"});
  const std::string& file = context.files[0];
  DiscoverDataOptions data;
  data.delimiter = options.delimiter;
  data.sequence_column = options.sequence_column;
  data.item_column = options.item_column;
  data.leave_out = options.leave_out;
  const TruthTable table = read_truth_table(file, options.truth_column, data, context);
  if (table.truth.classes.size() < 2) {
    fail(ErrorKind::unanswerable,
         fmt::format("{}: all rows are of class '{}'; there is nothing to find", file, table.truth.classes.at(0)));
  }
  RowTruth truth{table.truth.classes, {}};
  for (const std::int32_t of_class : table.truth.of_row) truth.of_row.push_back(static_cast<std::uint32_t>(of_class));
  std::vector<DiscoveryComparison> comparisons{
      simulate_discovery(table.features, truth, options.discover, options.repeats, options.max_requests, context.run)};
  if (context.wants_page() && options.discover.strategy != Strategy::random) {
    DiscoverOptions at_random = options.discover;
    at_random.strategy = Strategy::random;
    comparisons.push_back(
        simulate_discovery(table.features, truth, at_random, options.repeats, options.max_requests, context.run));
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
  v("out", o.out, Text{"DATA.csv"}, "write the rows here; '-' or nothing: standard output");
  v("truth_column", o.truth_column, Text{"NAME"}, "the column with the class of each row");
  v("digits", o.digits, Range<std::size_t>{0, 17}, "after the point; 0: all");
}

Outcome run_generate(const GenerateOptions& options, VerbContext& context) {
  const LabelledFeatures made = generate_events(options.events, Seed{context.common.seed});
  const Features& features = made.features;
  if (options.truth_column.empty() ||
      std::find(features.columns.begin(), features.columns.end(), options.truth_column) != features.columns.end()) {
    fail(ErrorKind::usage, fmt::format("truth_column: '{}' is empty or the name of a feature", options.truth_column));
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
  Outcome outcome;
  outcome.text = fmt::format("{} rows with {} classes to be found written to {}\n", features.rows(),
                             made.truth.classes.size() - 1, options.out);
  outcome.json = Value::object({{"rows", features.rows()},
                                {"dimensions", features.dimensions()},
                                {"classes", Value::list_of(made.truth.classes)}});
  return outcome;
}

}  // namespace

std::vector<Verb> discover_simulate_verbs() {
  std::vector<Verb> verbs = {
      make_verb<SimulateOptions>("discover", "simulate", "play a search through on data with known classes",
                                 {{"DATA.csv", "rows in time order with a column of truth; '-' is standard input"}},
                                 run_simulate),
      make_verb<GenerateOptions>("discover", "generate", "sequences with rare events, to try things with", {},
                                 run_generate),
  };
  verbs[0].required = {{"truth_column"}};
  verbs[1].has_page = false;
  verbs[1].outputs = {{"out", "-"}};
  return verbs;
}

}  // namespace motet::discover
