#include "motet/multilabel/sources/design.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "motet/base/error.h"
#include "motet/multilabel/sources/identifiability.h"

namespace motet::multilabel {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " and " : ", ";
    text += words[i];
  }
  return text;
}

}  // namespace

SetDesign design_of(const BitMatrix& sets, std::span<const double> count, Combination combination, bool background) {
  SetDesign design;
  design.sources = sets.columns() + (background ? 1 : 0);
  design.items.assign(design.sources, 0.0);
  for (std::size_t l = 0; l < sets.rows(); ++l) {
    std::vector<std::uint32_t> members;
    for_each_bit(sets.row(l), [&](std::size_t k) { members.push_back(static_cast<std::uint32_t>(k)); });
    if (background) members.push_back(static_cast<std::uint32_t>(sets.columns()));
    for (const std::uint32_t k : members) design.items[k] += count[l];
    const double m = static_cast<double>(std::max<std::size_t>(members.size(), 1));
    design.factor.push_back(combination == Combination::mean ? 1.0 / m : 1.0);
    design.members.push_back(std::move(members));
  }
  return design;
}

std::string source_name(std::size_t source, std::size_t sources, bool background, std::span<const std::string> names) {
  if (background && source + 1 == sources) return "the background";
  return names.empty() ? fmt::format("label {}", source + 1) : fmt::format("label '{}'", names[source]);
}

void require_answerable(const SetDesign& design, std::span<const double> count, bool background, bool has_prior,
                        std::span<const std::string> names) {
  const auto name = [&](std::size_t k) { return source_name(k, design.sources, background, names); };
  double without = 0.0;
  for (std::size_t l = 0; l < design.sets(); ++l) without += design.members[l].empty() ? count[l] : 0.0;
  if (without > 0.0) {
    fail(ErrorKind::unanswerable,
         fmt::format("{} items have no label, so no source explains them; use --background", without));
  }
  for (std::size_t k = 0; k < design.sources; ++k) {
    if (design.items[k] > 0.0) continue;
    fail(ErrorKind::unanswerable, fmt::format("{} is in no item, so nothing can be learnt about it", name(k)));
  }
  if (has_prior) return;
  const std::size_t labels = design.sources - (background ? 1 : 0);
  BitMatrix sets(design.sets(), labels);
  for (std::size_t l = 0; l < design.sets(); ++l) {
    for (const std::uint32_t k : design.members[l]) {
      if (k < labels) sets.set(l, k);
    }
  }
  std::vector<std::string> label_names(labels);
  for (std::size_t k = 0; k < labels; ++k) label_names[k] = names.empty() ? std::to_string(k + 1) : names[k];
  const SourceIdentifiability found = identifiability(sets, label_names, background);
  if (found.identifiable) return;
  std::string groups;
  for (const std::vector<std::uint32_t>& group : found.confounded) {
    std::vector<std::string> confounded;
    confounded.reserve(group.size());
    for (const std::uint32_t k : group) confounded.push_back(name(k));
    groups += (groups.empty() ? "" : "; ") + joined(confounded);
  }
  fail(
      ErrorKind::unanswerable,
      fmt::format("the label sets have rank {}, below the {} sources: {} cannot be told apart; add items in which they "
                  "occur in other sets, or use --prior-strength",
                  found.rank, design.sources, groups));
}

std::vector<std::vector<std::uint32_t>> connected_sources(const SetDesign& design) {
  std::vector<std::uint32_t> least(design.sources);  // a source of the same group, never a later one
  std::iota(least.begin(), least.end(), 0U);
  const auto least_of = [&](std::uint32_t source) {
    while (least[source] != source) source = least[source] = least[least[source]];
    return source;
  };
  for (const std::vector<std::uint32_t>& members : design.members) {
    for (const std::uint32_t k : members) {
      const auto [low, high] = std::minmax({least_of(members.front()), least_of(k)});
      least[high] = low;
    }
  }
  std::vector<std::vector<std::uint32_t>> groups;
  std::vector<std::size_t> number(design.sources);
  for (std::uint32_t k = 0; k < design.sources; ++k) {
    const std::uint32_t first = least_of(k);
    if (first == k) {
      number[k] = groups.size();
      groups.emplace_back();
    }
    groups[number[first]].push_back(k);
  }
  return groups;
}

std::vector<std::size_t> cut_sets(std::size_t sets, std::size_t tasks) {
  const std::size_t count = std::max<std::size_t>(1, std::min(sets, tasks));
  std::vector<std::size_t> bounds;
  for (std::size_t i = 0; i <= count; ++i) bounds.push_back(sets * i / count);
  return bounds;
}

}  // namespace motet::multilabel
