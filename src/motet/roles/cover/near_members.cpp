#include "motet/roles/cover/near_members.h"

#include <queue>

namespace motet::roles {
namespace {

struct Offer {
  double covered = 0.0;  // newly, and
  double beyond = 0.0;   // what is newly granted and not held, as cells of the original matrix
  std::uint32_t row = 0;
  std::uint32_t role = 0;

  bool is_worth_it() const { return covered > beyond; }
  // Whether the other one is better; the first of equals is.
  bool operator<(const Offer& other) const {
    const double here = covered * other.beyond;
    const double there = other.covered * beyond;
    if (here != there) return here < there;
    return row != other.row ? row > other.row : role > other.role;
  }
};

class NearOffers {
 public:
  NearOffers(const MergedMatrix& data, const BitMatrix& roles, const BitMatrix& granted)
      : data_(data), roles_(roles), granted_(granted) {}

  Offer offer(std::uint32_t row, std::uint32_t role) const {
    Offer offer{0.0, 0.0, row, role};
    const std::span<const std::uint64_t> held = data_.bits.row(row);
    const std::span<const std::uint64_t> has = granted_.row(row);
    for_each_bit(roles_.row(role), [&](std::size_t d) {
      const std::uint64_t bit = std::uint64_t{1} << (d % 64);
      if ((has[d / 64] & bit) != 0) return;
      ((held[d / 64] & bit) != 0 ? offer.covered : offer.beyond) += data_.row_weight[row] * data_.column_weight[d];
    });
    return offer;
  }
  void take(const Offer& offer) {
    for (std::size_t w = 0; w < granted_.words(); ++w) granted_.row(offer.row)[w] |= roles_.row(offer.role)[w];
  }
  double uncovered() const {
    double sum = 0.0;
    for (std::size_t n = 0; n < granted_.rows(); ++n) {
      for_each_bit(data_.bits.row(n), [&](std::size_t d) {
        if (!granted_(n, d)) sum += data_.row_weight[n] * data_.column_weight[d];
      });
    }
    return sum;
  }

 private:
  const MergedMatrix& data_;
  const BitMatrix& roles_;
  BitMatrix granted_;
};

}  // namespace

NearMembers with_near_members(const MergedMatrix& data, const BitMatrix& roles, BitMatrix assignments, double most) {
  NearOffers offers(data, roles, boolean_product(assignments, roles));
  NearMembers near;
  std::priority_queue<Offer> waiting;
  for (std::uint32_t n = 0; n < data.bits.rows(); ++n) {
    for (std::uint32_t k = 0; k < roles.rows(); ++k) {
      if (assignments(n, k)) continue;
      const Offer offer = offers.offer(n, k);
      if (offer.is_worth_it()) waiting.push(offer);
    }
  }
  while (!waiting.empty()) {
    const Offer before = waiting.top();
    waiting.pop();
    const Offer now = offers.offer(before.row, before.role);
    if (!now.is_worth_it() || near.over_granted + now.beyond > most) continue;
    if (now < before) {  // something else covers a part of it by now
      waiting.push(now);
      continue;
    }
    offers.take(now);
    assignments.set(now.row, now.role);
    near.over_granted += now.beyond;
  }
  near.assignments = std::move(assignments);
  near.uncovered = offers.uncovered();
  return near;
}

}  // namespace motet::roles
