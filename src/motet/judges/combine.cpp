#include "motet/judges/combine.h"

#include <algorithm>
#include <memory>

#include "motet/base/error.h"
#include "motet/judges/tied/error_inference.h"

namespace motet::judges {

namespace {

RowPosterior posterior_of_states(const ItemStates& states) {
  const auto numbers = std::make_shared<const std::vector<double>>(state_numbers(states.shape, states.parameters));
  const auto weights = std::make_shared<std::vector<double>>(states.shape.state_count() * states.shape.level_count());
  return [shape = states.shape, numbers, weights](std::span<const std::uint32_t> codes, std::int32_t known,
                                                  std::span<double> posterior) {
    const double log_likelihood = StateTables(shape, *numbers).infer(codes, known, *weights);
    std::fill(posterior.begin(), posterior.end(), 0.0);
    for (std::size_t at = 0; at < weights->size(); ++at) {
      posterior[shape.class_of(at / shape.level_count())] += (*weights)[at];
    }
    return log_likelihood;
  };
}

}  // namespace

CombinedLabel best_label(std::span<const double> posterior) {
  const auto best = std::max_element(posterior.begin(), posterior.end());
  return {static_cast<std::size_t>(best - posterior.begin()), *best};
}

RowPosterior posterior_of(const JudgesModel& model) {
  const std::vector<double> weighted = weighted_tables(model.parameters, model.class_count(), model.vote_weight);
  const std::span<const double> prior = std::span(weighted).first(model.class_count());
  if (model.dependence) {
    const auto inference = std::make_shared<ErrorInference>(*model.dependence, model.class_count());
    return [inference, shares = std::vector<double>(prior.begin(), prior.end())](
               std::span<const std::uint32_t> codes, std::int32_t known, std::span<double> posterior) {
      return inference->infer(shares, codes, known, posterior);
    };
  }
  if (model.states) return posterior_of_states(*model.states);
  if (!model.is_table()) return model.model_kind().posterior(prior, model.by_judge);
  const auto independent = std::make_shared<const RowInference>(weighted, model.class_count());
  return [independent](std::span<const std::uint32_t> codes, std::int32_t known, std::span<double> posterior) {
    return independent->infer(codes, known, posterior);
  };
}

void combine(const JudgesModel& model, const Votes& votes,
             const std::function<void(std::size_t, std::span<const double>)>& visit) {
  if (votes.class_count() != model.class_count() || votes.judge_count() != model.judge_count()) {
    fail(ErrorKind::internal, "combine: the votes do not use the model's judges and classes");
  }
  std::vector<double> posterior(model.class_count());
  const RowPosterior infer = posterior_of(model);
  for (std::size_t i = 0; i < votes.item_count(); ++i) {
    infer(votes.of_item(i), votes.known_class(i), posterior);
    visit(i, posterior);
  }
}

VoteEvidence evidence_of_votes(const JudgesModel& model, const Votes& votes) {
  const std::size_t classes = model.class_count();
  VoteEvidence evidence{votes.items, model.classes, std::vector<double>(votes.item_count() * classes)};
  combine(model, votes, [&](std::size_t item, std::span<const double> posterior) {
    double* const likelihood = evidence.likelihood.data() + item * classes;
    for (std::size_t l = 0; l < classes; ++l) likelihood[l] = posterior[l] / model.prior(l);
    const double most = *std::max_element(likelihood, likelihood + classes);
    for (std::size_t l = 0; l < classes; ++l) likelihood[l] /= most;
  });
  return evidence;
}

Votes match_judges(const JudgesModel& model, const Votes& votes, std::vector<std::string>& unknown_judges) {
  const NameTable known{NameList(model.judges)};
  const auto k = static_cast<std::uint32_t>(votes.class_count());
  std::vector<std::uint32_t> number(votes.judge_count());
  for (std::size_t j = 0; j < votes.judge_count(); ++j) {
    number[j] = known.find(votes.judges[j]);
    if (number[j] == NameTable::absent) unknown_judges.emplace_back(votes.judges[j]);
  }
  Votes matched;
  matched.items = votes.items;
  matched.judges = NameList(model.judges);
  matched.classes = votes.classes;
  matched.known = votes.known;
  matched.starts.push_back(0);
  for (std::size_t i = 0; i < votes.item_count(); ++i) {
    const std::size_t begin = matched.codes.size();
    for (const std::uint32_t code : votes.of_item(i)) {
      if (number[code / k] != NameTable::absent) matched.codes.push_back(number[code / k] * k + code % k);
    }
    std::sort(matched.codes.begin() + static_cast<std::ptrdiff_t>(begin), matched.codes.end());
    matched.starts.push_back(static_cast<std::uint32_t>(matched.codes.size()));
  }
  return matched;
}

}  // namespace motet::judges
