// The closest of all sums of columns, when the scale of the distance depends on how many are summed.
//
// cost(z) = c_j (z'Gz - 2 b'z + t't) + w'z + constant_j,  z in {0,1}^K, j = |z|.
//
// G = M'M is the Gram matrix of the (whitened) source means, b = M't. With R'R = G the quadratic
// form is a sum over columns, each term known once the later columns are decided: a tree, walked
// depth first, nearer child first (Schnorr and Euchner 1994). Columns are decided in V-BLAST order,
// best determined first. What is still open costs at least lambda_min of its Gram matrix times the
// squared distance of its least-squares solution from {0,1}; w'z at least its least weights.
// A branch is cut when for no j it can come below the best so far: the answer is exact.
//
// Singular G (K > D): z^2 = z, so rho may be added to G's diagonal and rho / 2 to b.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "motet/multilabel/search/best_sets.h"

namespace motet::multilabel {

// What does not depend on the item. Columns are numbered by position: the last is decided first.
struct Lattice {
  std::size_t size = 0;
  double rho = 0.0;
  std::vector<std::uint32_t> order;  // label of a position
  std::vector<double> gram;          // with rho, by position
  std::vector<double> inverse;       // of gram
  std::vector<double> pivot;         // by position, the squared diagonal of R
  std::vector<double> step;          // row p: how least squares of positions before p moves with z_p
  std::vector<double> least;         // lambda_min of the first p positions, p = 0 ... size
  std::vector<double> cheapest;      // row p: sums of the r least weights of the first p, r = 0 ... p
  std::vector<double> weight;        // w by position
};

// gram: K x K of all labels; weight: K.
Lattice make_lattice(std::size_t size, std::span<const double> gram, std::span<const double> weight);

// The j that may be, with their terms; constant is infinite for a j that may not.
struct DegreeTerms {
  std::vector<double> scale;     // c_j, j = 0 ... K
  std::vector<double> constant;  // constant_j
};

// One item's problem on a lattice; b one per label. `allowed`: one per label, empty: all.
struct SphereItem {
  std::span<const double> b;
  double tt = 0.0;
  std::span<const std::uint8_t> allowed;
};

// Offers sets found by flips and swaps from several starts.
void search_nearby(const Lattice& lattice, const DegreeTerms& terms, const SphereItem& item, BestSets& best);

// The rest of the proof: every set that is not offered costs at least best.threshold(), unless the
// node limit was hit.
void search_sphere(const Lattice& lattice, const DegreeTerms& terms, const SphereItem& item, BestSets& best);

}  // namespace motet::multilabel
