#include "motet/judges/vote_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motet/base/error.h"
#include "motet/data/names.h"
#include "motet/engine/em.h"

namespace motet::judges {
namespace {

// Enough items to tell whether merging pays.
constexpr std::size_t sample_size = 4096;

// A row's content as text for hashing: its codes and what is known of it.
std::string_view bytes_of(const Votes& votes, std::size_t item, std::string& buffer) {
  const auto codes = votes.of_item(item);
  const std::int32_t known = votes.known_class(item);
  buffer.assign(reinterpret_cast<const char*>(codes.data()), codes.size_bytes());
  buffer.append(reinterpret_cast<const char*>(&known), sizeof known);
  return buffer;
}

bool merging_pays(const Votes& votes) {
  const std::size_t count = std::min(votes.item_count(), sample_size);
  NameTable seen;
  std::string buffer;
  // Evenly spaced, as neighbours in a file are often alike.
  for (std::size_t i = 0; i < count; ++i) seen.id_of(bytes_of(votes, i * votes.item_count() / count, buffer));
  return 2 * seen.names().size() <= count;
}

void merge_rows(const Votes& votes, VoteTable& table) {
  NameTable seen;
  std::string buffer;
  table.row_of.resize(votes.item_count());
  table.merged.starts.push_back(0);
  for (std::size_t i = 0; i < votes.item_count(); ++i) {
    const std::uint32_t row = seen.id_of(bytes_of(votes, i, buffer));
    table.row_of[i] = row;
    if (row == table.weights.size()) {
      const auto codes = votes.of_item(i);
      table.weights.push_back(0.0);
      table.merged.codes.insert(table.merged.codes.end(), codes.begin(), codes.end());
      table.merged.starts.push_back(static_cast<std::uint32_t>(table.merged.codes.size()));
      if (!votes.known.empty()) table.merged.known.push_back(votes.known[i]);
    }
    table.weights[row] += 1.0;
  }
  table.starts = table.merged.starts;
  table.codes = table.merged.codes;
  table.known = table.merged.known;
}

}  // namespace

double VoteTable::item_total() const {
  if (weights.empty()) return static_cast<double>(row_count());
  double total = 0.0;
  for (const double weight : weights) total += weight;
  return total;
}

VoteTable make_vote_table(const Votes& votes) {
  // Tables are kept a few times over: parameters, steps of the acceleration, sums of the leaves.
  constexpr double most_cells = 2.5e7;
  const double cells = static_cast<double>(votes.judge_count()) * std::pow(static_cast<double>(votes.class_count()), 2);
  if (cells > most_cells) {
    fail(ErrorKind::machine_limit,
         fmt::format("{} judges with tables of {} x {} classes do not fit into memory; merge rare classes or leave out "
                     "judges with few votes",
                     votes.judge_count(), votes.class_count(), votes.class_count()));
  }
  VoteTable table;
  table.judge_count = votes.judge_count();
  table.class_count = votes.class_count();
  if (merging_pays(votes)) {
    merge_rows(votes, table);
  } else {
    table.starts = votes.starts;
    table.codes = votes.codes;
    table.known = votes.known;
  }
  table.leaves = cut_leaves(table.starts);
  return table;
}

std::vector<double> vote_counts(const VoteTable& table) {
  std::vector<double> counts(table.judge_count * table.class_count, 0.0);
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    for (const std::uint32_t code : table.of_row(row)) counts[code] += table.weight(row);
  }
  return counts;
}

}  // namespace motet::judges
