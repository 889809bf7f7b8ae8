#include "motet/judges/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "motet/judges/identifiability.h"

namespace motet {
namespace {

constexpr double few_votes = 5.0;        // with fewer, always the same answer means little
constexpr double few_shared = 20.0;      // with fewer common items, so does agreement
constexpr double copy_agreement = 0.98;  // copies agree at least so often
constexpr double copy_z = 5.0;           // and so many standard deviations above expectation
constexpr double most_pairs = 4e6;       // looked at; with more, every so many-th row is taken

std::vector<std::size_t> constant_judges(const VoteTable& table) {
  const std::vector<double> counts = vote_counts(table);
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

// Pairs that share items. Expected agreement comes from the fitted tables: given the
// class, two independent judges agree with probability sum_c pi_a(c|y) pi_b(c|y).
class PairCounter {
 public:
  PairCounter(const VoteTable& table, const JudgesModel& model) : table_(table), model_(model) {
    std::vector<double> posterior(table.class_count);
    const RowInference inference(weighted_tables(model.parameters, table.class_count, model.vote_weight),
                                 table.class_count);
    const auto stride = static_cast<std::size_t>(1.0 + pair_work(table) / most_pairs);
    for (std::size_t row = 0; row < table.row_count(); row += stride) {
      const auto codes = table.of_row(row);
      inference.infer(codes, table.known_class(row), posterior);
      for (std::size_t a = 0; a < codes.size(); ++a) {
        for (std::size_t b = a + 1; b < codes.size(); ++b) add(codes[a], codes[b], table.weight(row), posterior);
      }
    }
  }

  std::vector<JudgePair> copies() const {
    std::vector<JudgePair> found;
    for (const auto& [key, pair] : pairs_) {
      if (pair.shared < few_shared || pair.agreed < copy_agreement * pair.shared) continue;
      const double rate = pair.expected / pair.shared;
      const double deviation = std::sqrt(std::max(pair.shared * rate * (1.0 - rate), 1e-12));
      if (pair.agreed - pair.expected > copy_z * deviation) found.push_back(pair);
    }
    std::sort(found.begin(), found.end(), [](const JudgePair& a, const JudgePair& b) {
      return std::pair(a.first, a.second) < std::pair(b.first, b.second);
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
    for (std::size_t y = 0; y < k; ++y) {
      double both = 0.0;
      for (std::size_t c = 0; c < k; ++c) both += model_.cell(a, c, y) * model_.cell(b, c, y);
      pair.expected += weight * posterior[y] * both;
    }
  }

  const VoteTable& table_;
  const JudgesModel& model_;
  std::unordered_map<std::size_t, JudgePair> pairs_;
};

}  // namespace

JudgeFindings find_oddities(const VoteTable& table, const NameList& judges, const NameList& classes,
                            const JudgesFit& fit) {
  JudgeFindings result;
  result.constant = constant_judges(table);
  for (const std::size_t j : result.constant) {
    const std::vector<double> counts = vote_counts(table);
    const auto first = counts.begin() + static_cast<std::ptrdiff_t>(j * table.class_count);
    const auto said = std::max_element(first, first + static_cast<std::ptrdiff_t>(table.class_count)) - first;
    result.warnings.push_back(fmt::format("judge '{}' always says '{}': its votes tell nothing about an item",
                                          judges[j], classes[static_cast<std::size_t>(said)]));
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
  result.copies = PairCounter(table, fit.model).copies();
  for (const JudgePair& pair : result.copies) {
    result.warnings.push_back(fmt::format(
        "judges '{}' and '{}' agree on {:.0f} of {:.0f} shared items where independent judges would agree on {:.0f}: "
        "one may copy the other, and together they count as little more than one",
        judges[pair.first], judges[pair.second], pair.agreed, pair.shared, pair.expected));
  }
  return result;
}

}  // namespace motet
