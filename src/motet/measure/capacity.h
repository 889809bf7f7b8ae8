// Approximation capacity: how many bits per user of the clustering can be told from two
// noisy data sets. Chapter 10.
//
// In a factorial model (10.5) to (10.8) become, with spec/roles.md on 10.5,
//   I_b = H + (1/N) sum_n log2 sum_c g1_n(c) g2_n(c),   g_n(c) proportional to exp(-b R_n(c)),
// H the entropy of the label sets in bits (log2 of the number of relabelings, per user),
// R_n(c) the cost of user n under proxy centroid c, and the capacity is the largest I_b.
// b = 0 gives H - log2(number of centroids) <= 0, b = infinity on clean data H.
// Label sets with equal proxy centroids must count as one (`distinct_rows`), else two
// names of one centroid halve the sum. The costs of both data sets are those of one
// model, fitted to the first: with two models the clusters would have to be matched.
//
// The sum goes over pairs of users with the same label set, which nobody knows. The model that is judged must have no
// part in choosing them: what it says of two users that it takes for alike agrees with itself, and a wrong model that
// is sure of itself has the most bits. There are two ways. Overlapping sources of chapter 10, 3 x 100 users, true
// centroids; mean of 20 runs in bits at noise .2, .3, .5, .7, .8:
//   true sets                                                  1.547  1.448  .932  .288  .074
//   nearest rows, (10.9), by an assignment in O(N^3)           1.437  1.212  .719  .314  .235
//   drawn from responsibilities of the truth (pair_by_label)   1.550  1.448  .927  .275  .076
// (10.9) is what the document does. It is too low where the nearest row has another set, the more so the more sets
// there are for few users; and under much noise it is too high for every model, since the nearest rows share some
// noise. Draws need responsibilities of another model, fitted to data that the judged one has not seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "motet/base/parallel.h"
#include "motet/base/rng.h"
#include "motet/data/bit_matrix.h"

namespace motet {

struct UserPair {
  std::uint32_t first = 0;   // user of the first data set
  std::uint32_t second = 0;  // of the second
  bool operator==(const UserPair&) const = default;
};

// (0, 0), (1, 1), ...: data sets whose users are paired already.
std::vector<UserPair> pair_in_order(std::size_t users);

// (10.9): one to one, such that the rows differ in the fewest cells in all. As many rows in both; O(rows^3) at worst.
std::vector<UserPair> pair_nearest(const BitMatrix& first, const BitMatrix& second);

// Pairs with the same label set, for the expectation over what the sets may be: a set c
// is drawn from the responsibilities of a first user, then a second user in proportion
// to their responsibility for c; `draws` pairs per first user, cost (N1 draws log N2).
// Since p(x | c) is proportional to P(c | x) p(x), the mean over such pairs is that over
// true pairs as far as the responsibilities are calibrated: take them at temperature 1
// with the shares of the sets and the fitted noise. A draw of a set that the second users have less than a twentieth
// as often as the first is left out: it has no partner, and a wrong one would count as
// noise. So there may be fewer than N1 draws pairs, even none.
std::vector<UserPair> pair_by_label(std::span<const double> first_responsibility,
                                    std::span<const double> second_responsibility, std::size_t sets, std::size_t draws,
                                    Rng rng);

struct CapacityData {
  std::span<const double> first_cost;   // R, [user * sets + set], nats; of the first data set
  std::span<const double> second_cost;  // of the second
  std::size_t sets = 0;                 // distinct proxy centroids
  std::span<const UserPair> pairs;
  double entropy = 0.0;  // H in bits, see type_entropy
};

struct Capacity {
  double bits = 0.0;
  double error = 0.0;                // standard error: spread over the users of both data sets
  double inverse_temperature = 0.0;  // b of the maximum; infinity when nothing finite reaches it
};

// I_b at one b >= 0, infinity included; -infinity where two posteriors exclude each other.
double mutual_information(const CapacityData& data, double inverse_temperature, Threads threads);

// The largest I_b: 0, a grid over b in [1e-4, 1e4] and infinity, then golden section.
Capacity approximation_capacity(const CapacityData& data, Threads threads);

// Entropy in bits of shares that sum to 1.
double type_entropy(std::span<const double> shares);

// By row: the number of its value among the distinct rows, in order of first appearance.
struct DistinctRows {
  std::vector<std::uint32_t> group_of;
  std::vector<std::uint32_t> first;  // by group: a row of it
};
DistinctRows distinct_rows(const BitMatrix& proxies);

// Costs of groups of sets, -log of the mean of exp(-R) weighted by the shares in the
// group, and the shares of the groups. The mean is of equal costs for rounded roles.
std::vector<double> merge_costs(std::span<const double> costs, std::span<const double> set_share,
                                const DistinctRows& groups);
std::vector<double> merge_shares(std::span<const double> set_share, const DistinctRows& groups);

// Responsibilities at temperature 1: share exp(-R), normalised for each user.
std::vector<double> responsibilities(std::span<const double> costs, std::span<const double> shares);

}  // namespace motet
