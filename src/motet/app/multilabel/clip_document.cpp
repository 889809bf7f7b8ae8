#include "motet/app/multilabel/clip_document.h"

#include <fmt/format.h>

#include <algorithm>

namespace motet::multilabel {
namespace {

Listing set_listing(const ClipModel& model, const std::vector<std::size_t>& counts) {
  Listing listing{{{"labels", "labels"}, {"clips", "clips"}}};
  for (std::size_t set = 0; set < model.sets.size(); ++set) {
    listing.rows.push_back({told_set(model, model.sets[set]), counts[set]});
  }
  return listing;
}

// A state by how much of the time it holds and how long it lasts.
Listing state_listing(const ClipModel& model) {
  const bool is_own = model.training == ClipTraining::own_model;
  Listing listing{{{"source", "source"}, {"state", "state"}, {"share", "share", 3}, {"mean stay (frames)", "stay", 1}}};
  for (std::size_t s = 0; s < model.sources.size(); ++s) {
    const temporal::SourceHmm& source = model.sources[s];
    const std::vector<double> shares = temporal::long_run_shares(source.chain);
    const std::string name = is_own ? told_set(model, model.sets[s]) : model.labels[s];
    for (std::size_t k = 0; k < shares.size(); ++k) {
      const double leaves = 1.0 - source.chain.transition[k * shares.size() + k];
      listing.rows.push_back({name, k + 1, shares[k], leaves > 0.0 ? Value(1.0 / leaves) : Value()});
    }
  }
  return listing;
}

}  // namespace

Document clip_train_document(const ClipTrainReport& report) {
  const ClipModel& model = report.fit.model;
  const FitSummary& summary = report.fit.summary;
  std::vector<std::size_t> counts;
  for (const ClipLabels& set : model.sets) {
    counts.push_back(static_cast<std::size_t>(std::count(report.of_clip.begin(), report.of_clip.end(), set)));
  }
  const Listing sets = set_listing(model, counts);
  const Listing states = state_listing(model);
  const bool is_done = summary.stop == Stop::converged;
  const double objective = summary.objective.empty() ? 0.0 : summary.objective.back();
  const std::string how = fmt::format("{} after {} iterations", is_done ? "converged" : "ended", summary.iterations());
  Document document{
      {"Sources of sound in clips",
       fmt::format("{} clips, {} labels, {}", report.of_clip.size(), model.labels.size(), name_of(model.training)),
       {{"training", std::string(name_of(model.training))},
        {"combination", std::string(name_of(model.combination))},
        {"fit", how}},
       {}},
      fmt::format("{}{} clips of {} features per frame, {} labels in {} sets\n{}, combination {}; {}\n",
                  warning_lines(report.warnings), report.of_clip.size(), model.columns.size(), model.labels.size(),
                  model.sets.size(), name_of(model.training), name_of(model.combination), how),
      Value::object({{"clips", report.of_clip.size()},
                     {"labels", Value::list_of(model.labels)},
                     {"method", name_of(model.training)},
                     {"combination", name_of(model.combination)},
                     {"sets", sets.json()},
                     {"states", states.json()},
                     {"objective", objective},
                     {"iterations", summary.iterations()},
                     {"converged", is_done},
                     {"warnings", Value::list_of(report.warnings)}})};
  document.show(sets.table());
  document.show(states.table());
  Section& section = document.section("Sources", "A state by its share of the time and how long it lasts.");
  section.tables.push_back({"Clips by labels", sets.table()});
  section.tables.push_back({"States", states.table()});
  for (Plot& plot : trace_plot("Objective", "After each iteration.", "objective", summary.objective)) {
    section.plots.push_back(std::move(plot));
  }
  return document;
}

Document clip_classify_document(const ClipModel& model, const std::vector<std::size_t>& counts,
                                const std::vector<std::string>& warnings) {
  const Listing sets = set_listing(model, counts);
  std::size_t clips = 0;
  for (const std::size_t count : counts) clips += count;
  Document document{{"Clips", "", {}, {}},
                    warning_lines(warnings) + counted(clips, "clip") + "\n",
                    Value::object({{"clips", clips}, {"sets", sets.json()}, {"warnings", Value::list_of(warnings)}})};
  document.show(sets.table());
  return document;
}

}  // namespace motet::multilabel
