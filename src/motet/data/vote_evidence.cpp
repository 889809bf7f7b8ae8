#include "motet/data/vote_evidence.h"

#include <algorithm>
#include <utility>

#include "motet/data/dataset.h"

namespace motet {
namespace {

std::size_t number_among(std::span<const std::string> names, const std::string& name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

// Sets the classes and numbers the truth by them; returns what only the truth names.
std::vector<std::string> join_classes(CandidateItems& items, std::span<const std::string> classes) {
  const std::vector<std::string> old = std::move(items.classes);
  items.classes.assign(classes.begin(), classes.end());
  for (std::int32_t& truth : items.truth) {
    if (truth < 0) continue;
    const std::string& name = old[static_cast<std::size_t>(truth)];
    const std::size_t number = number_among(items.classes, name);
    if (number == items.classes.size()) items.classes.push_back(name);
    truth = static_cast<std::int32_t>(number);
  }
  return {items.classes.begin() + static_cast<std::ptrdiff_t>(classes.size()), items.classes.end()};
}

}  // namespace

VotedItems set_candidates(CandidateItems& items, const VoteEvidence& evidence, std::span<const std::string> declared) {
  VotedItems result;
  result.only_true = join_classes(items, declared.empty() ? evidence.classes : declared);
  const std::size_t judged = evidence.classes.size();
  std::vector<std::size_t> voted_class;  // of each class, its number among those of the votes, or their count
  for (const std::string& name : items.classes) voted_class.push_back(number_among(evidence.classes, name));
  const NameTable voted(evidence.items);
  Dataset data{std::move(items.features), {}, {}};
  data.evidence.classes = std::move(items.classes);
  data.evidence.truth = std::move(items.truth);
  data.evidence.outside = items.outside;
  std::vector<double> likelihoods(voted_class.size());
  for (std::size_t n = 0; n < data.features.rows(); ++n) {
    const std::uint32_t item = voted.find(item_name(data.features, n));
    if (item == NameTable::absent) {
      ++result.without_votes;
      add_nothing(data.evidence);
      continue;
    }
    for (std::size_t l = 0; l < likelihoods.size(); ++l) {
      likelihoods[l] = voted_class[l] < judged ? evidence.likelihood[item * judged + voted_class[l]] : 0.0;
    }
    add_votes(data.evidence, likelihoods);
  }
  items = candidate_items(std::move(data));
  return result;
}

}  // namespace motet
