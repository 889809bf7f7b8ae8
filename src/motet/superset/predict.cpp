#include "motet/superset/predict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "motet/base/error.h"
#include "motet/superset/companions.h"
#include "motet/superset/stack.h"

namespace motet::superset {
namespace {

constexpr std::size_t levels = 1000;

// The items with labels numbered as the model numbers them.
CandidateItems renumbered(const CandidateItems& items, const std::vector<std::string>& classes) {
  std::unordered_map<std::string, std::uint32_t> number;
  for (std::uint32_t l = 0; l < classes.size(); ++l) number.emplace(classes[l], l);
  std::vector<std::uint32_t> to;
  for (const std::string& name : items.classes) {
    const auto found = number.find(name);
    if (found == number.end()) {
      fail(ErrorKind::bad_data,
           fmt::format("class '{}' is not one of the {} classes of the model", name, classes.size()));
    }
    to.push_back(found->second);
  }
  CandidateItems result = items;
  result.classes = classes;
  for (std::uint32_t& label : result.label) label = to[label];
  return result;
}

// Few enough rows at a time that what lies between features and probabilities needs little memory.
template <class Body>
void for_each_block(std::size_t rows, const Body& body) {
  constexpr std::size_t block_rows = 8192;
  for (std::size_t begin = 0; begin < rows; begin += block_rows) body(begin, std::min(rows, begin + block_rows));
}

std::vector<double> block_probabilities(const SupersetModel& model, std::span<const double> x, Threads threads) {
  const std::size_t classes = model.classes.size();
  std::vector<double> mean(x.size() / model.dimensions() * classes, 0.0);
  for (std::size_t m = 0; m < model.members.size(); ++m) {
    const SupersetMember& member = model.members[m];
    const std::vector<double> p =
        sharpened(member_scores(member, x, model.dimensions(), threads), classes, member.sharpness);
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += model.weights[m] * p[i];
  }
  if (model.sharpness == 1.0) return mean;
  return sharpened(log_scores(std::move(mean)), classes, model.sharpness);
}

// Candidates of some rows, without features.
CandidateItems candidates_between(const CandidateItems& items, std::size_t begin, std::size_t end) {
  const auto from = static_cast<std::ptrdiff_t>(items.starts[begin]);
  const auto to = static_cast<std::ptrdiff_t>(items.starts[end]);
  CandidateItems part;
  part.classes = items.classes;
  part.outside = items.outside;
  part.label.assign(items.label.begin() + from, items.label.begin() + to);
  if (!items.weight.empty()) part.weight.assign(items.weight.begin() + from, items.weight.begin() + to);
  for (std::size_t n = begin; n < end; ++n) part.starts.push_back(items.starts[n + 1] - items.starts[begin]);
  return part;
}

}  // namespace

std::vector<double> probabilities_of(const SupersetModel& model, std::span<const double> x, Threads threads) {
  const std::size_t classes = model.classes.size();
  const std::size_t rows = x.size() / model.dimensions();
  std::vector<double> all(rows * classes);
  for_each_block(rows, [&](std::size_t begin, std::size_t end) {
    const std::vector<double> part =
        block_probabilities(model, x.subspan(begin * model.dimensions(), (end - begin) * model.dimensions()), threads);
    std::copy(part.begin(), part.end(), all.begin() + static_cast<std::ptrdiff_t>(begin * classes));
  });
  return all;
}

SupersetPrediction predict(const SupersetModel& model, const NumberTable& features,
                           const SupersetPredictOptions& options, Threads threads) {
  check_ranges(options);
  SupersetPrediction result;
  result.probability = probabilities_of(model, prepare(model.preparation, features, threads), threads);
  const std::size_t classes = model.classes.size();
  for (std::size_t n = 0; n < features.rows(); ++n) {
    const std::span<const double> p = std::span<const double>(result.probability).subspan(n * classes, classes);
    const auto best = std::max_element(p.begin(), p.end());
    result.confidence.push_back(*best);
    result.label.push_back(*best < options.abstain_below ? -1 : static_cast<std::int32_t>(best - p.begin()));
    if (options.coverage > 0.0) result.sets.push_back(label_set(model.sets, p, options.coverage));
  }
  return result;
}

std::vector<double> disambiguate(const CandidateItems& items, const SupersetModel& model, Threads threads) {
  CandidateItems known = renumbered(items, model.classes);
  known.features.columns = model.preparation.columns;
  known.features.values = prepare(model.preparation, items.features, threads);
  return disambiguate_prepared(known, model, threads);
}

std::vector<double> disambiguate_prepared(const CandidateItems& items, const SupersetModel& model, Threads threads) {
  const std::size_t classes = model.classes.size();
  std::vector<double> p = probabilities_of(model, items.features.values, threads);
  for_each_block(items.rows(), [&](std::size_t begin, std::size_t end) {
    const EvidenceMatrix evidence =
        credited(evidence_of(candidates_between(items, begin, end), model.options.outside_probability), model.credit);
    const std::span<double> part = std::span(p).subspan(begin * classes, (end - begin) * classes);
    const std::vector<double> found = posterior(evidence, part);
    std::copy(found.begin(), found.end(), part.begin());
  });
  return p;
}

SetCalibration calibrate_sets(const EvidenceMatrix& evidence, std::span<const double> probability) {
  struct Score {
    double value, weight;
  };
  std::vector<Score> scores;
  const std::vector<double> q = posterior(evidence, probability);
  SetCalibration sets;
  for (std::size_t n = 0; n < evidence.rows; ++n) {
    if (is_silent(evidence.row(n))) continue;  // says nothing of how right the probabilities are
    ++sets.items;
    for (std::size_t l = 0; l < evidence.classes; ++l) {
      const std::size_t i = n * evidence.classes + l;
      if (q[i] > 0.0 && std::isfinite(probability[i])) scores.push_back({1.0 - probability[i], q[i]});
    }
  }
  if (scores.empty()) return {};  // nothing speaks of the probabilities, or they are no numbers
  std::stable_sort(scores.begin(), scores.end(), [](const Score& a, const Score& b) { return a.value < b.value; });
  sets.quantile.reserve(levels + 1);
  double below = 0.0;
  std::size_t next = 0;
  const auto total = static_cast<double>(sets.items);
  for (std::size_t level = 0; level <= levels; ++level) {
    const double wanted = total * static_cast<double>(level) / static_cast<double>(levels);
    while (next < scores.size() && below + scores[next].weight < wanted - 1e-9) below += scores[next++].weight;
    sets.quantile.push_back(scores[std::min(next, scores.size() - 1)].value);
  }
  return sets;
}

std::vector<std::uint32_t> label_set(const SetCalibration& sets, std::span<const double> p, double coverage) {
  // One item more than was seen: the new one may be the worst.
  const double items = static_cast<double>(sets.items);
  const double level = sets.items == 0 ? 1.0 : coverage * (items + 1.0) / items;
  const auto place = static_cast<std::size_t>(std::ceil(level * static_cast<double>(levels) - 1e-9));
  const double limit = sets.quantile.empty() || place > levels ? 1.0 : sets.quantile[place];
  const auto best = static_cast<std::uint32_t>(std::max_element(p.begin(), p.end()) - p.begin());
  std::vector<std::uint32_t> set;
  for (std::uint32_t l = 0; l < p.size(); ++l) {
    if (l == best || 1.0 - p[l] <= limit) set.push_back(l);
  }
  return set;
}

}  // namespace motet::superset
