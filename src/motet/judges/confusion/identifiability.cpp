#include "motet/judges/confusion/identifiability.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motet/base/error.h"

namespace motet::judges {
namespace {

bool is_uniform(const std::vector<double>& prior) {
  constexpr double rounding = 1e-9;
  return std::all_of(prior.begin(), prior.end(), [&](double p) { return std::abs(p - prior[0]) <= rounding; });
}

struct Support {
  bool with_two_others = false;
  bool with_gold = false;
};

std::vector<Support> support_of(const VoteTable& table) {
  std::vector<Support> support(table.judge_count);
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    const auto codes = table.of_row(row);
    for (const std::uint32_t code : codes) {
      Support& judge = support[code / table.class_count];
      judge.with_two_others = judge.with_two_others || codes.size() >= 3;
      judge.with_gold = judge.with_gold || table.known_class(row) != Votes::unknown;
    }
  }
  return support;
}

// Judges linked by common items; several groups can each swap classes on their own.
std::size_t group_count(const VoteTable& table, const std::vector<double>& votes) {
  std::vector<std::size_t> parent(table.judge_count);
  for (std::size_t j = 0; j < parent.size(); ++j) parent[j] = j;
  const auto root = [&](std::size_t j) {
    while (parent[j] != j) j = parent[j] = parent[parent[j]];
    return j;
  };
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    const auto codes = table.of_row(row);
    for (const std::uint32_t code : codes) parent[root(code / table.class_count)] = root(codes[0] / table.class_count);
  }
  std::size_t groups = 0;
  for (std::size_t j = 0; j < parent.size(); ++j) groups += votes[j] > 0.0 && root(j) == j ? 1 : 0;
  return groups;
}

std::string refusal_text(const ConfusionSpec& spec, bool separately, std::size_t judges_with_votes) {
  const bool symmetric = spec.noise == JudgeNoise::symmetric;
  if (separately) {
    return symmetric ? "one judge alone can be measured only against a known and unequal class prior; give --prior "
                       "such as yes=0.75,no=0.25, or --gold, or leave out --separately"
                     : "a full confusion table cannot be learned from one judge's votes alone; use --noise symmetric "
                       "with a known --prior, two-populations, or --gold";
  }
  const std::string fix = symmetric ? "add judges, give known labels with --gold, or a known and unequal --prior"
                                    : "add judges, give known labels with --gold, or use --noise symmetric with a "
                                      "known and unequal --prior";
  if (judges_with_votes < 3) {
    return fmt::format("{} cannot be told apart from how {} agree: at least three judges must label the same items; {}",
                       judges_with_votes == 1 ? "one judge's errors" : "the errors of two judges",
                       judges_with_votes == 1 ? "its votes" : "they", fix);
  }
  return fmt::format("no item has votes of three judges, so nothing tells a good judge from a bad one; {}", fix);
}

}  // namespace

std::string name_some(const std::vector<std::size_t>& which, const NameList& names) {
  constexpr std::size_t most = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(which.size(), most); ++i) {
    text += fmt::format("{}'{}'", i == 0 ? "" : ", ", names[which[i]]);
  }
  if (which.size() > most) text += fmt::format(" and {} more", which.size() - most);
  return text;
}

void check_known_classes(const Votes& votes, std::span<const double> known_prior) {
  for (std::size_t i = 0; i < votes.item_count() && !known_prior.empty(); ++i) {
    const std::int32_t known = votes.known_class(i);
    if (known == Votes::unknown || known_prior[static_cast<std::size_t>(known)] > 0.0) continue;
    fail(ErrorKind::usage, fmt::format("--prior: class '{}' has share 0, but item '{}' is known to be of it",
                                       votes.classes[static_cast<std::size_t>(known)], votes.items[i]));
  }
}

Identifiability check_identifiable(const VoteTable& table, const ConfusionSpec& spec, bool separately,
                                   const NameList& judges) {
  const std::size_t k = table.class_count;
  const std::vector<double> counts = vote_counts(table);
  std::vector<double> votes(table.judge_count, 0.0);
  for (std::size_t i = 0; i < counts.size(); ++i) votes[i / k] += counts[i];
  const bool prior_tells =
      spec.noise == JudgeNoise::symmetric && !spec.known_prior.empty() && !is_uniform(spec.known_prior);
  const std::vector<Support> support = support_of(table);

  Identifiability result;
  std::vector<std::size_t> silent;
  std::size_t with_votes = 0;
  for (std::size_t j = 0; j < table.judge_count; ++j) {
    if (votes[j] == 0.0) {
      silent.push_back(j);
      result.undetermined.push_back(j);
      continue;
    }
    ++with_votes;
    const bool told = prior_tells || support[j].with_gold || (!separately && support[j].with_two_others);
    if (!told) result.undetermined.push_back(j);
  }
  if (result.undetermined.size() == table.judge_count) {
    result.refusal = refusal_text(spec, separately, with_votes);
    return result;
  }
  if (!silent.empty()) result.warnings.push_back(fmt::format("no votes of {}", name_some(silent, judges)));
  std::vector<std::size_t> lonely;
  std::set_difference(result.undetermined.begin(), result.undetermined.end(), silent.begin(), silent.end(),
                      std::back_inserter(lonely));
  if (!lonely.empty()) {
    result.warnings.push_back(
        fmt::format("{} {} no item with two other judges: what is said of {} rests on the "
                    "others' habits, not on {} own votes",
                    name_some(lonely, judges), lonely.size() == 1 ? "shares" : "share",
                    lonely.size() == 1 ? "it" : "them", lonely.size() == 1 ? "its" : "their"));
  }
  const std::size_t groups = group_count(table, votes);
  if (groups > 1 && !separately && !prior_tells) {
    result.warnings.push_back(
        fmt::format("the judges fall into {} groups that share no items; how the groups compare "
                    "with each other rests on the class prior alone",
                    groups));
  }
  return result;
}

}  // namespace motet::judges
