// Votes of the nearest items (Huellermeier and Beringer 2006): the k nearest of a row vote for
// their candidates, M_jl each, with weight 1 - d_j / sum_j d_j. Silent neighbours do not vote.
#pragma once

#include "motet/superset/evidence_matrix.h"

namespace motet::superset {

// Items remembered as they are, with what is known or thought of their labels.
struct ItemMemory {
  std::size_t dimensions = 0;
  std::size_t classes = 0;
  std::vector<double> x;       // rows x dimensions
  std::vector<double> target;  // rows x classes

  std::size_t rows() const { return dimensions == 0 ? 0 : x.size() / dimensions; }
  bool operator==(const ItemMemory&) const = default;
};

ItemMemory remember(const EvidenceMatrix& evidence, std::span<const double> x, std::size_t dimensions);

// Shares of the votes, rows x L, all equal where nobody votes.
// `among_itself`: x are the remembered rows, and a row does not vote for itself.
std::vector<double> neighbour_votes(const ItemMemory& memory, std::span<const double> x, std::size_t neighbours,
                                    bool among_itself, Threads threads);

}  // namespace motet::superset
