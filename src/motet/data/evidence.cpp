#include "motet/data/evidence.h"

#include <algorithm>

namespace motet {
namespace {

// Lists a label; weights begin to be kept with the first that is not 1.
void list(Evidence& evidence, std::uint32_t label, double weight) {
  if (weight != 1.0 && evidence.weight.empty()) evidence.weight.assign(evidence.label.size(), 1.0);
  evidence.label.push_back(label);
  if (weight != 1.0 || !evidence.weight.empty()) evidence.weight.push_back(weight);
}

void end_item(Evidence& evidence, EvidenceKind kind) {
  evidence.starts.push_back(evidence.label.size());
  evidence.kinds.push_back(kind);
}

}  // namespace

bool Candidates::weighs_alike(std::size_t n) const {
  if (weight.empty()) return true;
  const auto begin = weight.begin() + static_cast<std::ptrdiff_t>(starts[n]);
  const auto end = weight.begin() + static_cast<std::ptrdiff_t>(starts[n + 1]);
  return std::all_of(begin, end, [&](double one) { return one == *begin; });
}

Candidates rows_of(const Candidates& candidates, std::span<const std::uint32_t> rows) {
  Candidates part;
  part.outside = candidates.outside;
  part.starts.reserve(rows.size() + 1);
  for (const std::uint32_t row : rows) {
    for (std::size_t i = candidates.starts[row]; i < candidates.starts[row + 1]; ++i) {
      part.label.push_back(candidates.label[i]);
      if (!candidates.weight.empty()) part.weight.push_back(candidates.weight[i]);
    }
    part.starts.push_back(part.label.size());
  }
  return part;
}

Evidence rows_of(const Evidence& evidence, std::span<const std::uint32_t> rows) {
  Evidence part{rows_of(static_cast<const Candidates&>(evidence), rows), evidence.classes, {}, {}};
  for (const std::uint32_t row : rows) {
    part.kinds.push_back(evidence.kinds[row]);
    if (!evidence.truth.empty()) part.truth.push_back(evidence.truth[row]);
  }
  return part;
}

void add_nothing(Evidence& evidence) { end_item(evidence, EvidenceKind::nothing); }

void add_known(Evidence& evidence, std::span<const std::uint32_t> labels) {
  for (const std::uint32_t label : labels) list(evidence, label, 1.0);
  end_item(evidence, EvidenceKind::known);
}

void add_candidates(Evidence& evidence, std::span<const std::uint32_t> labels, std::span<const double> weights) {
  for (std::size_t i = 0; i < labels.size(); ++i) list(evidence, labels[i], weights.empty() ? 1.0 : weights[i]);
  end_item(evidence, EvidenceKind::candidates);
}

void add_votes(Evidence& evidence, std::span<const double> likelihoods) {
  for (std::uint32_t l = 0; l < likelihoods.size(); ++l) {
    if (likelihoods[l] > 0.0) list(evidence, l, likelihoods[l]);
  }
  end_item(evidence, EvidenceKind::votes);
}

}  // namespace motet
