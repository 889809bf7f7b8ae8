#include "motet/roles/told_roles.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "motet/base/error.h"
#include "motet/roles/mac/bit_product.h"
#include "motet/roles/mac/set_unions.h"

namespace motet::roles {
namespace {

std::size_t blocks_of(const BitMatrix& held) { return (held.rows() + block_rows - 1) / block_rows; }

std::vector<std::uint8_t> roles_that_grant(const RoleModel& model) {
  std::vector<std::uint8_t> grants(model.role_count(), 0);
  for (std::size_t k = 0; k < model.role_count(); ++k) {
    for (std::size_t d = 0; d < model.permission_count() && grants[k] == 0; ++d) grants[k] = model.has(k, d) ? 1 : 0;
  }
  return grants;
}

// The set that leaves least extra + price * missing of one user.
class CheapestSet {
 public:
  CheapestSet(const RoleModel& model, const BitMatrix& unions, const BitMatrix& held, const BitMatrix* known)
      : held_(held),
        known_(known),
        price_(model.over_grant_cost.value_or(1.0)),
        unions_(unions),
        common_(unions_.rows()),
        size_(unions_.rows()),
        row_(held.words()) {
    for (std::size_t l = 0; l < unions_.rows(); ++l) size_[l] = static_cast<std::uint32_t>(unions_.count(l));
  }

  // Of all sets.
  std::uint32_t of(std::size_t user, std::span<const SetShare> shares) {
    std::copy(held_.row(user).begin(), held_.row(user).end(), row_.begin());
    if (known_ != nullptr) {
      for (std::size_t w = 0; w < row_.size(); ++w) row_[w] &= known_->row(user)[w];
      count_common_ones(known_->row(user), unions_, size_);
    }
    count_common_ones(row_, unions_, common_);
    const auto cost_of = [&](std::size_t set) { return cost(common_[set], size_[set]); };
    std::uint32_t cheapest = 0;
    for (std::uint32_t l = 1; l < unions_.rows(); ++l) {
      if (cost_of(l) < cost_of(cheapest)) cheapest = l;
    }
    for (const SetShare& share : shares) {  // most probable first
      if (cost_of(share.set) <= cost_of(cheapest)) return share.set;
    }
    return cheapest;
  }

  // Of those that may be the user's, all cells known.
  std::uint32_t of_probable(std::size_t user, std::span<const SetShare> shares) const {
    std::uint32_t cheapest = shares.front().set;
    double least = std::numeric_limits<double>::infinity();
    for (const SetShare& share : shares) {
      const double here = cost(common_ones(held_.row(user), unions_.row(share.set)), size_[share.set]);
      if (here >= least) continue;
      least = here;
      cheapest = share.set;
    }
    return cheapest;
  }

 private:
  // Without the ones of the user, which are the same for every set.
  double cost(std::size_t common, std::size_t size) const {
    const auto missing = static_cast<double>(size - common);
    return (missing == 0.0 ? 0.0 : price_ * missing) - static_cast<double>(common);
  }

  const BitMatrix& held_;
  const BitMatrix* known_;
  double price_;
  const BitMatrix& unions_;
  std::vector<std::uint32_t> common_;
  std::vector<std::uint32_t> size_;
  std::vector<std::uint64_t> row_;
};

// The set that leaves least extra + price * missing of those that may be the user's, all cells known; for models that
// list so many sets that what each grants is not kept.
std::uint32_t cheapest_of(const RoleModel& model, const BitMatrix& roles, std::span<const std::uint64_t> held,
                          std::span<const SetShare> shares) {
  std::vector<std::uint64_t> granted(held.size());
  std::uint32_t cheapest = shares.front().set;
  double least = std::numeric_limits<double>::infinity();
  for (const SetShare& share : shares) {
    std::fill(granted.begin(), granted.end(), 0);
    for (const std::uint32_t k : model.sets[share.set]) {
      for (std::size_t w = 0; w < granted.size(); ++w) granted[w] |= roles.row(k)[w];
    }
    double cost = 0.0;
    for (std::size_t w = 0; w < granted.size(); ++w) {
      cost += std::popcount(granted[w] & ~held[w]) - std::popcount(granted[w] & held[w]);
    }
    if (cost >= least) continue;
    least = cost;
    cheapest = share.set;
  }
  return cheapest;
}

bool is_whole(const BitMatrix* known, std::size_t user) {
  return known == nullptr || known->count(user) == known->columns();
}

// The chance that roles and data disagree in a cell, given all cells of the user.
double disagreement(const RoleModel& model, std::span<const SetShare> shares, std::size_t permission, bool is_held) {
  const double p0 = model.p0_of(permission);
  const double p1 = model.p1_of(permission);
  double sum = 0.0;
  for (const SetShare& share : shares) {
    const double beta = union_beta(model, share.set, permission);
    const double q = held_probability(model, permission, beta);
    sum += share.probability * (is_held ? beta * p0 / q : (1.0 - beta) * (1.0 - p1) / (1.0 - q));
  }
  return std::min(sum, 1.0);
}

}  // namespace

BitMatrix told_roles(const RoleModel& model, const BitMatrix& held, const BitMatrix* known, const UserPosteriors& users,
                     std::optional<double> least_probability, const RunContext& run) {
  const std::vector<std::uint8_t> grants = roles_that_grant(model);
  const bool is_clean = noise_fraction(model) < clean_noise;
  // Roles as probabilities are so sure of a set that the yes/no roles of another may be far closer.
  const bool is_soft =
      std::any_of(model.absence.begin(), model.absence.end(), [](double b) { return b > 0.0 && b < 1.0; });
  const bool is_grown = model.grown && !model.over_grant_cost;
  const bool counts_cells = !least_probability && (model.over_grant_cost || is_clean);
  const BitMatrix roles = is_grown ? rounded_roles(model) : BitMatrix();
  const BitMatrix unions = counts_cells && !is_grown ? set_unions(model) : BitMatrix();
  BitMatrix told(users.user_count(), model.role_count());
  const auto tell = [&](std::size_t n, std::size_t k) {
    if (grants[k] != 0) told.set(n, k);
  };
  for_each_task(blocks_of(told), run.threads, [&](std::size_t task) {
    if (run.cancelled()) return;
    std::optional<CheapestSet> cheapest;
    if (unions.rows() > 0) cheapest.emplace(model, unions, held, known);
    const std::size_t end = std::min(told.rows(), (task + 1) * block_rows);
    for (std::size_t n = task * block_rows; n < end; ++n) {
      if (least_probability) {
        const std::vector<double> shares = role_shares(model, users.of(n));
        for (std::size_t k = 0; k < shares.size(); ++k) {
          if (shares[k] >= *least_probability) tell(n, k);
        }
        continue;
      }
      std::uint32_t set = users.of(n).front().set;
      if (model.over_grant_cost || (cheapest && is_soft && is_whole(known, n))) {
        set = cheapest->of(n, users.of(n));
      } else if (cheapest && is_whole(known, n)) {
        set = cheapest->of_probable(n, users.of(n));
      } else if (is_grown && counts_cells && is_whole(known, n)) {
        set = cheapest_of(model, roles, held.row(n), users.of(n));
      }
      for (const std::uint32_t k : model.sets[set]) tell(n, k);
    }
  });
  if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted");
  return told;
}

std::vector<FoundException> told_exceptions(const RoleModel& model, const BitMatrix& held, const BitMatrix* known,
                                            const BitMatrix& told, const UserPosteriors& users, const RunContext& run) {
  const BitMatrix roles = rounded_roles(model);
  std::vector<std::vector<FoundException>> parts(blocks_of(held));
  for_each_task(parts.size(), run.threads, [&](std::size_t task) {
    if (run.cancelled()) return;
    const std::size_t end = std::min(held.rows(), (task + 1) * block_rows);
    std::vector<std::uint64_t> differs(held.words());
    for (std::size_t n = task * block_rows; n < end; ++n) {
      std::fill(differs.begin(), differs.end(), 0);
      for_each_bit(told.row(n), [&](std::size_t k) {
        for (std::size_t w = 0; w < differs.size(); ++w) differs[w] |= roles.row(k)[w];
      });
      for (std::size_t w = 0; w < differs.size(); ++w) {
        differs[w] ^= held.row(n)[w];
        if (known != nullptr) differs[w] &= known->row(n)[w];
      }
      for_each_bit(std::span<const std::uint64_t>(differs), [&](std::size_t d) {
        parts[task].push_back({static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(d),
                               held(n, d) ? ExceptionKind::extra : ExceptionKind::missing,
                               disagreement(model, users.of(n), d, held(n, d))});
      });
    }
  });
  if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted");
  std::vector<FoundException> result;
  for (const std::vector<FoundException>& part : parts) result.insert(result.end(), part.begin(), part.end());
  std::stable_sort(result.begin(), result.end(),
                   [](const FoundException& a, const FoundException& b) { return a.probability > b.probability; });
  return result;
}

}  // namespace motet::roles
