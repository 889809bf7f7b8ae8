// Whether the defaults are good ones: each option by itself, chosen on all kinds of data but one and judged on that.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "experiments/discover/figures.h"
#include "experiments/discover/recording_studies.h"
#include "experiments/discover/tables.h"
#include "experiments/panel.h"
#include "motet/discover/study/generate.h"
#include "motet/discover/study/simulate.h"

namespace motet::discover {
namespace {

constexpr std::size_t most_questions = 250;

struct Data {
  std::string kind;
  bool is_ordered = true;
  std::vector<LabelledFeatures> sets;
};

struct Choice {
  std::string value;
  DiscoverOptions options;
};

// One option: its default first, then what else it might be.
struct Question {
  std::string option;
  std::vector<Choice> choices;
  bool needs_order = true;
};

template <class Set>
Question question(std::string option, const DiscoverOptions& base, const std::vector<std::string>& values,
                  const Set& set) {
  Question asked{std::move(option), {}};
  for (std::size_t i = 0; i < values.size(); ++i) {
    Choice choice{values[i], base};
    if (i > 0) set(choice.options, values[i]);
    asked.choices.push_back(std::move(choice));
  }
  return asked;
}

std::vector<Question> questions(bool is_quick) {
  const DiscoverOptions scored = scored_options(Strategy::adaptive);
  const DiscoverOptions mixture = scored_options(Strategy::temporal);  // two components: quicker, and alike for all
  DiscoverOptions by_likelihood = mixture;
  by_likelihood.components = 0;
  const auto number = [](const std::string& text) { return static_cast<std::size_t>(std::stoul(text)); };
  std::vector<Question> all = {
      question("--radius (adaptive)", scored, {"by rule", "4", "9", "36"},
               [&](DiscoverOptions& o, const std::string& v) {
                 o.radius = number(v);
                 o.exclusion = 18;
               }),
      question("--exclusion (adaptive)", scored, {"the radius", "0", "9", "36"},
               [&](DiscoverOptions& o, const std::string& v) { o.exclusion = static_cast<int>(number(v)); }),
      question("--isolation (temporal)", mixture, {"default", "0", "20"},
               [&](DiscoverOptions& o, const std::string& v) { o.isolation = number(v); }),
      question("--label-weight (temporal)", mixture, {"0.02", "0", "0.1", "0.3"},
               [&](DiscoverOptions& o, const std::string& v) { o.label_weight = std::stod(v); }),
      question("--nomination-coupling (temporal)", mixture, {"by likelihood", "0", "1", "16"},
               [&](DiscoverOptions& o, const std::string& v) { o.nomination_coupling = std::stod(v); }),
      question("--components (temporal)", by_likelihood, {"by likelihood", "1", "2", "8"},
               [&](DiscoverOptions& o, const std::string& v) { o.components = number(v); }),
  };
  DiscoverOptions still = mixture;
  still.strategy = Strategy::static_mixture;
  all.push_back(question("--isolation (static, on all data)", still, {"default", "0", "20"},
                         [&](DiscoverOptions& o, const std::string& v) { o.isolation = number(v); }));
  all.back().needs_order = false;
  if (is_quick) all.erase(all.begin() + 2, all.end() - 1);
  return all;
}

std::vector<Data> data_of(const ExperimentContext& context, std::size_t repeats) {
  const RecordingOptions options = study_options(context);
  const Rng seeds = Rng(context.run.seed).child(0xDEF);
  std::vector<Data> all;
  const auto add = [&](std::string kind, bool is_ordered, std::uint64_t stream, const auto& make) {
    Data data{std::move(kind), is_ordered, {}};
    for (std::size_t r = 0; r < repeats; ++r) data.sets.push_back(make(seeds.child(stream).child(r)));
    all.push_back(std::move(data));
  };
  std::uint64_t stream = 0;
  for (const RecordingKind& kind : studied_kinds(context, options, "A")) {
    add(fmt::format("recordings, {}", kind.name), true, ++stream, [&](Rng rng) {
      StudiedRecording studied = studied_recording(kind, options, rng);
      return LabelledFeatures{std::move(studied.features), std::move(studied.truth)};
    });
  }
  for (const std::size_t per_class : {1U, 4U}) {
    EventOptions events;
    events.events_per_class = per_class;
    events.rows = context.quick ? 600 : 3000;
    if (context.quick) events.classes = 2;
    add(fmt::format("sequences, {} per class", per_class), true, ++stream,
        [&](Rng rng) { return generate_events(events, static_cast<Seed>(rng.next())); });
  }
  for (const MadeTable& shape : made_tables()) {
    add("tables, " + shape.name, false, ++stream, [&](Rng rng) { return made_table(shape, rng); });
  }
  return all;
}

// Mean of log questions, by kind and choice: a halving counts alike wherever it is. NaN where it says nothing.
using Scores = std::vector<std::vector<double>>;

Scores scores_of(const ExperimentContext& context, const Question& asked, const std::vector<Data>& data,
                 std::size_t repeats) {
  Scores scores(data.size(), std::vector<double>(asked.choices.size(), std::numeric_limits<double>::quiet_NaN()));
  std::vector<std::vector<double>> values(data.size() * asked.choices.size(), std::vector<double>(repeats));
  run_grid(context, asked.option, values.size(), repeats,
           [&](std::size_t level, std::size_t repeat, const RunContext& run) {
             const Data& of = data[level / asked.choices.size()];
             if (asked.needs_order && !of.is_ordered) return;
             const LabelledFeatures& set = of.sets[repeat];
             const DiscoveryComparison found = simulate_discovery(
                 set.features, set.truth, asked.choices[level % asked.choices.size()].options, 1, most_questions, run);
             values[level][repeat] = std::log(found.requests_mean);
           });
  for (std::size_t k = 0; k < data.size(); ++k) {
    if (asked.needs_order && !data[k].is_ordered) continue;
    for (std::size_t c = 0; c < asked.choices.size(); ++c) {
      double sum = 0.0;
      for (const double value : values[k * asked.choices.size() + c]) sum += value;
      scores[k][c] = sum / static_cast<double>(repeats);
    }
  }
  return scores;
}

double mean_without(const Scores& scores, std::size_t choice, std::size_t left_out) {
  double sum = 0.0;
  double count = 0.0;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    if (k == left_out || std::isnan(scores[k][choice])) continue;
    sum += scores[k][choice];
    count += 1.0;
  }
  return sum / count;
}

std::size_t best_without(const Scores& scores, std::size_t left_out) {
  std::size_t best = 0;
  for (std::size_t c = 1; c < scores.front().size(); ++c) {
    if (mean_without(scores, c, left_out) < mean_without(scores, best, left_out)) best = c;
  }
  return best;
}

void write_question(ExperimentWriter& writer, const Question& asked, const std::vector<Data>& data,
                    const Scores& scores) {
  Table table{{{"kind of data"}}, {}};
  for (const Choice& choice : asked.choices) table.columns.push_back({choice.value, 1});
  table.columns.push_back({"chosen without it"});
  double ours = 0.0;
  double chosen = 0.0;
  double kinds = 0.0;
  std::size_t same = 0;
  for (std::size_t k = 0; k < data.size(); ++k) {
    if (std::isnan(scores[k].front())) continue;
    const std::size_t best = best_without(scores, k);
    std::vector<Cell> row{data[k].kind};
    for (const double value : scores[k]) row.emplace_back(std::exp(value));
    row.emplace_back(asked.choices[best].value);
    table.rows.push_back(std::move(row));
    ours += scores[k].front();
    chosen += scores[k][best];
    same += best == 0 ? 1 : 0;
    kinds += 1.0;
  }
  std::vector<Cell> row{"all"};
  for (std::size_t c = 0; c < asked.choices.size(); ++c) {
    row.emplace_back(std::exp(mean_without(scores, c, data.size())));
  }
  row.emplace_back(asked.choices[best_without(scores, data.size())].value);
  table.rows.push_back(std::move(row));
  writer.table(asked.option, std::move(table));
  writer.note(
      fmt::format("{}: leave-one-kind-out chooses the default for {} of {:.0f} kinds; what it chooses asks {:.2f} "
                  "of the questions of the default",
                  asked.option, same, kinds, std::exp((chosen - ours) / kinds)));
}

}  // namespace

Outcome run_discover_defaults(const ExperimentContext& context) {
  ExperimentWriter writer("discover-defaults", "Defaults of discover, settled by leaving out one kind of data");
  const std::size_t repeats = context.repeats_or(context.quick ? 1 : 2);
  const std::vector<Data> data = data_of(context, repeats);
  writer.section(
      "Set-up", fmt::format("{} data sets of each kind; geometric means of the questions until every class was met, at "
                            "most {}. The first column is the default; the last is the value that is best on all other "
                            "kinds. Recordings are of half A.",
                            repeats, most_questions));
  for (const Question& asked : questions(context.quick)) {
    writer.section(asked.option, "");
    write_question(writer, asked, data, scores_of(context, asked, data, repeats));
  }
  return writer.finish();
}

}  // namespace motet::discover
