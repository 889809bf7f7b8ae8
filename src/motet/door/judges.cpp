#include <algorithm>
#include <utility>

#include "motet/base/error.h"
#include "motet/data/names.h"
#include "motet/data/votes.h"
#include "motet/door/inside.h"
#include "motet/io/record_text.h"
#include "motet/judges/combine.h"
#include "motet/judges/estimate.h"
#include "motet/judges/update.h"

// Last: a name at the door, such as Votes, may have another meaning inside.
#include "motet/judges.h"

namespace motet::judges {
namespace {

void check(const Votes& votes) {
  for (const Vote& vote : votes.votes) {
    if (vote.item >= votes.items.size() || vote.judge >= votes.judges.size() || vote.label >= votes.classes.size()) {
      fail(ErrorKind::usage, "votes: an item, judge or label has a number beyond the list of names");
    }
  }
  if (!votes.known.empty()) door::require_size("votes: known", votes.known.size(), votes.items.size());
  for (const std::int32_t known : votes.known) {
    if (known >= static_cast<std::int32_t>(votes.classes.size())) {
      fail(ErrorKind::usage, "votes: a known class has a number beyond the list of names");
    }
  }
}

// With `classes`, those of a model, labels are found there by name.
motet::Votes inside(const Votes& votes, const std::vector<std::string>& classes) {
  check(votes);
  const NameTable known{NameList(classes)};
  std::vector<std::uint32_t> class_of(votes.classes.size());
  for (std::size_t c = 0; c < class_of.size(); ++c) {
    class_of[c] = known.find(votes.classes[c]);
    if (class_of[c] == NameTable::absent) {
      fail(ErrorKind::bad_data, "label '" + votes.classes[c] + "' is not one of {" + quoted_list(classes) + "}");
    }
  }
  std::vector<motet::Vote> list;
  list.reserve(votes.votes.size());
  for (const Vote& vote : votes.votes) list.push_back({vote.item, vote.judge, class_of[vote.label]});
  motet::Votes result = make_votes(NameList(votes.items), NameList(votes.judges), NameList(classes), list);
  for (const std::int32_t c : votes.known) {
    result.known.push_back(c < 0 ? motet::Votes::unknown
                                 : static_cast<std::int32_t>(class_of[static_cast<std::size_t>(c)]));
  }
  return result;
}

Judge told(const JudgesFit& fit, std::size_t j) {
  const JudgesModel& model = fit.model;
  const JudgeEstimate& estimate = fit.judges[j];
  Judge judge{model.judges[j],   static_cast<std::size_t>(model.judge_votes[j]),
              estimate.accuracy, estimate.standard_error,
              estimate.interval, {},
              estimate.cells,    estimate.determined,
              estimate.constant, estimate.worse_than_chance};
  for (std::size_t truth = 0; truth < model.class_count(); ++truth) {
    for (std::size_t said = 0; said < model.class_count(); ++said) {
      judge.confusion.push_back(model.cell(j, said, truth));
    }
  }
  return judge;
}

}  // namespace

const std::vector<std::string>& Model::classes() const { return inside().classes; }
const std::vector<std::string>& Model::judges() const { return inside().judges; }

std::string to_text(const Model& model) { return record_text(to_record(model.inside())); }

Model model_from_text(std::string_view text) { return door::model_of<Model>(text, judges_from_record); }

Votes votes_from(std::span<const NamedVote> votes) {
  NameTable items;
  NameTable judges;
  NameTable labels;
  Votes result;
  for (const NamedVote& vote : votes) {
    result.votes.push_back({items.id_of(vote.item), judges.id_of(vote.judge), labels.id_of(vote.label)});
  }
  const NameList names = labels.take_names();
  std::vector<std::uint32_t> class_of(names.size());
  for (const std::uint32_t label : natural_order(names)) {
    class_of[label] = static_cast<std::uint32_t>(result.classes.size());
    result.classes.emplace_back(names[label]);
  }
  for (Vote& vote : result.votes) vote.label = class_of[vote.label];
  result.items = items.take_names().to_vector();
  result.judges = judges.take_names().to_vector();
  return result;
}

Estimate estimate(const Votes& votes, const Options& options, const Run& run) {
  if (votes.classes.size() < 2) fail(ErrorKind::bad_data, "votes: at least two classes are needed");
  const motet::Votes data = inside(votes, votes.classes);
  JudgesFit fit = estimate_judges(data, door::inside_options<JudgesOptions>(options), door::inside(run));
  std::vector<Judge> judges;
  for (std::size_t j = 0; j < fit.judges.size(); ++j) judges.push_back(told(fit, j));
  std::vector<Difficulty> difficulty;
  for (const ItemDifficulty& item : fit.difficulty) difficulty.push_back({item.difficulty, item.interval});
  std::vector<double> prior;
  for (std::size_t y = 0; y < fit.model.class_count(); ++y) prior.push_back(fit.model.prior(y));
  return {door::outside<Model>(std::move(fit.model)),
          std::move(judges),
          std::move(prior),
          std::move(fit.prior),
          std::move(difficulty),
          std::move(fit.summary),
          fit.log_likelihood,
          std::move(fit.warnings)};
}

OptionList estimate_options() { return door::list_of_options<JudgesOptions>(); }

Labels combine(const Model& model, const Votes& votes) {
  Labels labels;
  const motet::Votes matched = match_judges(model.inside(), inside(votes, model.classes()), labels.unknown_judges);
  judges::combine(model.inside(), matched, [&](std::size_t, std::span<const double> posterior) {
    const CombinedLabel best = best_label(posterior);
    labels.label.push_back(static_cast<std::uint32_t>(best.label));
    labels.probability.push_back(best.probability);
    labels.posterior.insert(labels.posterior.end(), posterior.begin(), posterior.end());
  });
  return labels;
}

Model update(const Model& model, const Votes& votes, const Run& run) {
  return door::outside<Model>(absorb_votes(model.inside(), inside(votes, model.classes()), door::inside(run)).model);
}

}  // namespace motet::judges
