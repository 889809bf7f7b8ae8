#include "motet/judges/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <unordered_map>

#include "motet/judges/confusion/identifiability.h"

namespace motet::judges {
namespace {

constexpr double few_votes = 5.0;        // with fewer, always the same answer means little
constexpr double few_shared = 20.0;      // with fewer common items, so does agreement
constexpr double copy_agreement = 0.98;  // copies agree at least so often
constexpr double striking_z = 5.0;       // standard deviations above expectation that no chance explains
constexpr std::size_t most_named_pairs = 3;
constexpr double negligible = 1e-4;  // posterior of a class that is not worth its sum over classes
constexpr double most_pairs = 4e6;   // looked at; with more, every so many-th row is taken

std::vector<std::size_t> constant_judges(const VoteTable& table, const std::vector<double>& counts) {
  std::vector<std::size_t> found;
  for (std::size_t j = 0; j < table.judge_count; ++j) {
    const auto first = counts.begin() + static_cast<std::ptrdiff_t>(j * table.class_count);
    const auto last = first + static_cast<std::ptrdiff_t>(table.class_count);
    double total = 0.0;
    for (auto at = first; at != last; ++at) total += *at;
    if (total >= few_votes && *std::max_element(first, last) == total) found.push_back(j);
  }
  return found;
}

double pair_work(const VoteTable& table) {
  double work = 0.0;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    const auto votes = static_cast<double>(table.of_row(row).size());
    work += votes * votes / 2.0;
  }
  return work;
}

// Pairs that share items. Expected agreement comes from the fitted tables: given the class (or the hidden state and
// level, where the model has them), two independent judges agree with probability sum_c R_a(c) R_b(c).
class PairCounter {
 public:
  PairCounter(const VoteTable& table, const JudgesModel& model)
      : table_(table),
        shape_(model.states ? model.states->shape : plain_shape(model.class_count())),
        numbers_(state_numbers(shape_, model.states ? model.states->parameters : plain_parameters(model))),
        tables_(shape_, numbers_) {
    std::vector<double> posterior(tables_.width());
    const RowInference inference(weighted_tables(model.parameters, table.class_count, model.vote_weight),
                                 table.class_count);
    const auto stride = static_cast<std::size_t>(1.0 + pair_work(table) / most_pairs);
    for (std::size_t row = 0; row < table.row_count(); row += stride) {
      const auto codes = table.of_row(row);
      if (model.states) {
        tables_.infer(codes, table.known_class(row), posterior);
      } else {
        inference.infer(codes, table.known_class(row), posterior);
      }
      for (std::size_t a = 0; a < codes.size(); ++a) {
        for (std::size_t b = a + 1; b < codes.size(); ++b) add(codes[a], codes[b], table.weight(row), posterior);
      }
    }
  }

  // Pairs that agree far more often than expected, most striking first.
  std::vector<JudgePair> striking() const {
    std::vector<JudgePair> found;
    for (const auto& [key, seen] : pairs_) {
      JudgePair pair = seen;
      const double rate = pair.expected / pair.shared;
      pair.z = (pair.agreed - pair.expected) / std::sqrt(std::max(pair.shared * rate * (1.0 - rate), 1e-12));
      if (pair.shared >= few_shared && pair.z > striking_z) found.push_back(pair);
    }
    std::sort(found.begin(), found.end(), [](const JudgePair& a, const JudgePair& b) {
      return std::tuple(-a.z, a.first, a.second) < std::tuple(-b.z, b.first, b.second);
    });
    return found;
  }

 private:
  void add(std::uint32_t code_a, std::uint32_t code_b, double weight, const std::vector<double>& posterior) {
    const std::size_t k = table_.class_count;
    const std::size_t a = code_a / k;
    const std::size_t b = code_b / k;
    JudgePair& pair = pairs_[a * table_.judge_count + b];
    pair.first = a;
    pair.second = b;
    pair.shared += weight;
    if (code_a % k == code_b % k) pair.agreed += weight;
    for (std::size_t at = 0; at < posterior.size(); ++at) {
      if (posterior[at] < negligible) continue;
      double both = 0.0;
      for (std::size_t c = 0; c < k; ++c) {
        both += tables_.said(static_cast<std::uint32_t>(a * k + c))[at] *
                tables_.said(static_cast<std::uint32_t>(b * k + c))[at];
      }
      pair.expected += weight * posterior[at] * both;
    }
  }

  static StateShape plain_shape(std::size_t k) { return {k, 1, {0.0}, std::vector<double>(k, 0.0)}; }

  static std::vector<double> plain_parameters(const JudgesModel& model) {
    std::vector<double> parameters = model.parameters;
    parameters.insert(parameters.begin() + static_cast<std::ptrdiff_t>(model.class_count()), 1.0);  // the one level
    return parameters;
  }

  const VoteTable& table_;
  StateShape shape_;
  std::vector<double> numbers_;
  StateTables tables_;
  std::unordered_map<std::size_t, JudgePair> pairs_;
};

std::string agreement_text(const JudgePair& pair, const NameList& judges) {
  return fmt::format(
      "judges '{}' and '{}' agree on {:.0f} of {:.0f} shared items where independent judges would agree on {:.0f}",
      judges[pair.first], judges[pair.second], pair.agreed, pair.shared, pair.expected);
}

}  // namespace

JudgeFindings find_oddities(const VoteTable& table, const NameList& judges, const NameList& classes,
                            const JudgesFit& fit) {
  JudgeFindings result;
  const std::vector<double> counts = vote_counts(table);
  result.constant = constant_judges(table, counts);
  for (std::size_t c = 0; c < table.class_count; ++c) {
    std::vector<std::size_t> saying_it;
    for (const std::size_t j : result.constant) {
      if (counts[j * table.class_count + c] > 0.0) saying_it.push_back(j);
    }
    if (saying_it.empty()) continue;
    const bool one = saying_it.size() == 1;
    result.warnings.push_back(fmt::format("judge{} {} always say{} '{}': {} votes tell nothing about an item",
                                          one ? "" : "s", name_some(saying_it, judges), one ? "s" : "", classes[c],
                                          one ? "its" : "their"));
  }
  const double chance = 1.0 / static_cast<double>(table.class_count);
  for (std::size_t j = 0; j < table.judge_count; ++j) {
    if (fit.judges[j].determined && fit.judges[j].interval.high < chance) result.worse_than_chance.push_back(j);
  }
  if (!result.worse_than_chance.empty()) {
    const bool one = result.worse_than_chance.size() == 1;
    result.warnings.push_back(
        fmt::format("{} {} worse than chance: {} votes are read the other way round; look whether "
                    "the labels were swapped",
                    name_some(result.worse_than_chance, judges), one ? "is" : "are", one ? "its" : "their"));
  }
  const auto is_copy = [](const JudgePair& pair) { return pair.agreed >= copy_agreement * pair.shared; };
  for (const JudgePair& pair : PairCounter(table, fit.model).striking()) {
    (is_copy(pair) ? result.copies : result.alike).push_back(pair);
  }
  if (fit.model.states) {  // subtypes of items may explain away that two judges say the same: told all the same
    JudgesModel by_class = fit.model;
    by_class.states.reset();
    result.copies.clear();
    for (const JudgePair& pair : PairCounter(table, by_class).striking()) {
      if (is_copy(pair)) result.copies.push_back(pair);
    }
  }
  for (const JudgePair& pair : result.copies) {
    result.warnings.push_back(agreement_text(pair, judges) +
                              ": one may copy the other, and together they count as little more than one");
  }
  if (fit.model.dependence || (!fit.model.is_table() && !fit.model.states))
    return result;  // what judges have in common is in the model already
  for (std::size_t i = 0; i < std::min(result.alike.size(), most_named_pairs); ++i) {
    result.warnings.push_back(
        agreement_text(result.alike[i], judges) +
        ": they may err together, and then count for more than they know; see how the labels change "
        "without one of them");
  }
  if (result.alike.size() > most_named_pairs) {
    result.warnings.push_back(fmt::format("{} more pairs of judges agree more often than independent judges would",
                                          result.alike.size() - most_named_pairs));
  }
  return result;
}

}  // namespace motet::judges
