#include "motet/app/multilabel/simulate.h"

#include <fmt/format.h>

#include "motet/app/csv_output.h"
#include "motet/app/multilabel/files.h"
#include "motet/app/multilabel/truth.h"
#include "motet/base/error.h"
#include "motet/multilabel/simulate.h"

namespace motet::multilabel {
namespace {

struct SimulateVerbOptions {
  SimulateItemsOptions simulate;
  std::string model;
  std::string out;
  std::string truth;
};

template <class V>
void visit_fields(V& v, SimulateVerbOptions& o) {
  v("model", o.model, Reads{"MODEL.json"}, "draw items from this model, label sets as frequent as in its training");
  visit_fields(v, o.simulate);
  v("out", o.out, Writes{"DATA.csv", "-"}, "write the items here, labels last; '-' or nothing: standard output");
  v("truth", o.truth, Writes{"SOURCES.csv"}, "write the parameters of the true sources here: locations and spreads");
}

Outcome run_simulate(const SimulateVerbOptions& options, VerbContext& context) {
  LabelledItems items;
  if (options.model.empty()) {
    SimulatedItems made = simulate_items(options.simulate, context.run.seed);
    if (!options.truth.empty()) write_truth(options.truth, made.truth, made.items);
    items = std::move(made.items);
  } else {
    for (const std::string& name : context.given) {
      const bool fits = name == "items" || name == "model" || name == "out" || name == "seed" || name == "json" ||
                        name == "threads" || name == "quiet";
      if (!fits) {
        fail(ErrorKind::usage, fmt::format("{}: does not go with --model, which has its sources", flag_of(name)));
      }
    }
    const MultilabelModel model = read_multilabel_model(options.model);
    items = with_frame(options.model, [&] { return simulate_items(model, options.simulate.items, context.run.seed); });
  }
  CsvOutput out(options.out);
  write_labelled_csv(out.csv(), items);
  out.finish();
  Outcome outcome;
  outcome.text = fmt::format("{} items, {} features, {} labels in {} different sets; train with --label-count {}\n",
                             items.rows(), items.features.dimensions(), items.labels.size(),
                             index_label_sets(items.sets).size(), items.labels.size());
  outcome.json = Value::object({{"items", items.rows()},
                                {"features", items.features.dimensions()},
                                {"labels", Value::list_of(items.labels)},
                                {"label_sets", index_label_sets(items.sets).size()}});
  return outcome;
}

}  // namespace

Verb multilabel_simulate_verb() {
  return make_verb("multilabel", "simulate", "items of known or random sources, to try things with", {}, {},
                   run_simulate, without_page);
}

}  // namespace motet::multilabel
