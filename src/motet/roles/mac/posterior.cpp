#include "motet/roles/mac/posterior.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "motet/base/error.h"
#include "motet/roles/mac/bit_product.h"
#include "motet/roles/mac/set_unions.h"
#include "motet/roles/mac/user_noise.h"
#include "motet/roles/sparse/grown_sets.h"

namespace motet::roles {
namespace {

constexpr double least_share = 1e-6;  // of the best set; less likely sets are left out
constexpr double negligible = 40.0;   // nats: not even worth counting

// By user: which values of the model's attributes they have; unknown words are left out.
class AttributeLookup {
 public:
  AttributeLookup(const RoleModel& model, const Attributes* attributes) : model_(model), attributes_(attributes) {
    if (!model.attributes || attributes == nullptr) return;
    for (std::size_t a = 0; a < model.attributes->names.size(); ++a) {
      const auto found = std::find(attributes->names.begin(), attributes->names.end(), model.attributes->names[a]);
      if (found == attributes->names.end()) continue;
      const auto column = static_cast<std::size_t>(found - attributes->names.begin());
      const std::vector<std::string>& known = model.attributes->values[a];
      std::vector<std::size_t> number;
      for (std::size_t v = 0; v < attributes->values[column].size(); ++v) {
        const auto word = std::find(known.begin(), known.end(), attributes->values[column][v]);
        number.push_back(word == known.end() ? unknown : static_cast<std::size_t>(word - known.begin()));
      }
      parts_.push_back({a, column, std::move(number)});
    }
  }

  // log p(L | attributes of the user)
  void log_prior(std::size_t user, std::vector<double>& result) const {
    result = model_.set_share;
    double known = 0.0;  // shares of the attributes whose value the model knows
    if (!parts_.empty()) {
      const AttributePrior& prior = *model_.attributes;
      for (double& p : result) p *= prior.share[0];
      for (const Part& part : parts_) {
        const std::uint32_t word = attributes_->of(user, part.column);
        const std::size_t value = word == Attributes::missing ? prior.values[part.attribute].size() : part.number[word];
        if (value == unknown) continue;
        const double share = prior.share[1 + part.attribute];
        known += share;
        for (std::size_t l = 0; l < result.size(); ++l) result[l] += share * prior.set_given[part.attribute][value][l];
      }
      for (double& p : result) p /= prior.share[0] + known;
    }
    if (model_.attributes && known == 0.0) result = model_.attributes->marginal;
    const double weight = model_.attributes ? model_.attributes->weight : 1.0;
    for (double& p : result) p = weight * std::log(p);
  }
  bool varies() const { return !parts_.empty(); }

 private:
  static constexpr std::size_t unknown = static_cast<std::size_t>(-1);
  struct Part {
    std::size_t attribute;
    std::size_t column;
    std::vector<std::size_t> number;
  };
  const RoleModel& model_;
  const Attributes* attributes_;
  std::vector<Part> parts_;
};

// log p(known cells | L) for rows of users.
class CellScores {
 public:
  CellScores(const RoleModel& model, const BitMatrix& held, const BitMatrix* known)
      : held_(held), known_(known), sets_(model.sets.size()) {
    const std::size_t columns = model.permission_count();
    if (model.scope == NoiseScope::user && !model.user_noise.empty()) {
      unions_ = set_unions(model);
      const std::span<const double> noise = model.user_noise;
      user_noise_ = std::make_unique<UserNoise>(noise.first(2), noise.subspan(2), static_cast<double>(columns));
      return;
    }
    held_weight_.resize(columns * sets_);
    known_weight_.resize(columns * sets_);
    base_.resize(sets_);
    for (std::size_t d = 0; d < columns; ++d) {
      for (std::size_t l = 0; l < sets_; ++l) {
        const double q = held_probability(model, d, union_beta(model, l, d));
        const double rest = std::log(1.0 - q);
        held_weight_[d * sets_ + l] = std::log(q) - rest;
        known_weight_[d * sets_ + l] = rest;
        base_[l] += rest;
      }
    }
  }

  void compute(std::size_t begin, std::size_t end, std::vector<double>& scores) const {
    scores.assign((end - begin) * sets_, 0.0);
    if (user_noise_) return compute_by_user(begin, end, scores);
    if (known_ == nullptr) {
      for (std::size_t i = 0; i < scores.size(); ++i) scores[i] = base_[i % sets_];
      add_bit_product(held_, begin, end, held_weight_, sets_, scores);
      return;
    }
    BitMatrix both(end - begin, held_.columns());
    BitMatrix known(end - begin, held_.columns());
    for (std::size_t n = begin; n < end; ++n) {
      for (std::size_t w = 0; w < held_.words(); ++w) {
        known.row(n - begin)[w] = known_->row(n)[w];
        both.row(n - begin)[w] = held_.row(n)[w] & known_->row(n)[w];
      }
    }
    add_bit_product(known, 0, end - begin, known_weight_, sets_, scores);
    add_bit_product(both, 0, end - begin, held_weight_, sets_, scores);
  }

 private:
  void compute_by_user(std::size_t begin, std::size_t end, std::vector<double>& scores) const {
    std::vector<std::uint64_t> row(held_.words());
    std::vector<std::uint64_t> mask(held_.words());
    std::vector<std::uint32_t> common(sets_);
    std::vector<std::uint32_t> size(sets_);
    for (std::size_t n = begin; n < end; ++n) {
      double total = static_cast<double>(held_.columns());
      std::size_t ones = 0;
      std::size_t seen = 0;
      for (std::size_t w = 0; w < row.size(); ++w) {
        mask[w] = known_ == nullptr ? ~std::uint64_t{0} : known_->row(n)[w];
        row[w] = held_.row(n)[w] & mask[w];
        ones += static_cast<std::size_t>(std::popcount(row[w]));
        seen += static_cast<std::size_t>(std::popcount(mask[w]));
      }
      if (known_ != nullptr) total = static_cast<double>(seen);
      count_common_ones(row, unions_, common);
      count_common_ones(mask, unions_, size);
      for (std::size_t l = 0; l < sets_; ++l) {
        scores[(n - begin) * sets_ + l] =
            user_noise_->log_likelihood(user_cells(common[l], static_cast<double>(ones), size[l], total));
      }
    }
  }

  const BitMatrix& held_;
  const BitMatrix* known_;
  std::size_t sets_;
  std::vector<double> held_weight_;
  std::vector<double> known_weight_;
  std::vector<double> base_;
  BitMatrix unions_;
  std::unique_ptr<UserNoise> user_noise_;
};

struct Part {  // of the result, by block of users
  std::vector<std::size_t> counts;
  std::vector<SetShare> shares;
  std::vector<double> log_likelihood;
  double dropped = 0.0;
};

void keep_likely(std::span<const double> scores, Part& part) {
  const double best = *std::max_element(scores.begin(), scores.end());
  const std::size_t first = part.shares.size();
  double sum = 0.0;
  double left_out = 0.0;
  for (std::size_t l = 0; l < scores.size(); ++l) {
    if (scores[l] < best - negligible) continue;
    const double share = std::exp(scores[l] - best);
    if (share < least_share) {
      left_out += share;
      continue;
    }
    part.shares.push_back({static_cast<std::uint32_t>(l), share});
    sum += share;
  }
  for (std::size_t i = first; i < part.shares.size(); ++i) part.shares[i].probability /= sum;
  std::stable_sort(part.shares.begin() + static_cast<std::ptrdiff_t>(first), part.shares.end(),
                   [](const SetShare& a, const SetShare& b) { return a.probability > b.probability; });
  part.counts.push_back(part.shares.size() - first);
  part.log_likelihood.push_back(best + std::log(sum + left_out));
  part.dropped = std::max(part.dropped, left_out / (sum + left_out));
}

}  // namespace

UserPosteriors user_posteriors(const RoleModel& model, const BitMatrix& held, const KnownCells& cells,
                               const RunContext& run) {
  if (model.grown) return grown_posteriors(model, held, cells.known, run);
  const std::size_t users = held.rows();
  const std::size_t sets = model.sets.size();
  const CellScores scores(model, held, cells.known);
  const AttributeLookup lookup(model, cells.attributes);
  std::vector<Part> parts((users + block_rows - 1) / block_rows);
  for_each_task(parts.size(), run.threads, [&](std::size_t task) {
    if (run.cancelled()) return;
    const std::size_t begin = task * block_rows;
    const std::size_t end = std::min(users, begin + block_rows);
    std::vector<double> block;
    std::vector<double> prior;
    scores.compute(begin, end, block);
    for (std::size_t n = begin; n < end; ++n) {
      if (n == begin || lookup.varies()) lookup.log_prior(n, prior);
      const std::span<double> of_user = std::span(block).subspan((n - begin) * sets, sets);
      for (std::size_t l = 0; l < sets; ++l) of_user[l] += prior[l];
      keep_likely(of_user, parts[task]);
    }
  });
  if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted");
  UserPosteriors result;
  for (const Part& part : parts) {
    for (const std::size_t count : part.counts) {
      result.ends.push_back((result.ends.empty() ? 0 : result.ends.back()) + count);
    }
    result.shares.insert(result.shares.end(), part.shares.begin(), part.shares.end());
    result.log_likelihood.insert(result.log_likelihood.end(), part.log_likelihood.begin(), part.log_likelihood.end());
    result.dropped = std::max(result.dropped, part.dropped);
  }
  return result;
}

std::vector<double> granted(const RoleModel& model, std::span<const SetShare> shares) {
  std::vector<double> result(model.permission_count(), 1.0);
  for (const SetShare& share : shares) {
    for (std::size_t d = 0; d < result.size(); ++d) result[d] -= share.probability * union_beta(model, share.set, d);
  }
  for (double& p : result) p = std::clamp(p, 0.0, 1.0);
  return result;
}

std::vector<double> role_shares(const RoleModel& model, std::span<const SetShare> shares) {
  std::vector<double> result(model.role_count());
  for (const SetShare& share : shares) {
    for (const std::uint32_t k : model.sets[share.set]) result[k] += share.probability;
  }
  // Shares that were divided by their sum need not sum to 1 to the last bit.
  for (double& p : result) p = std::min(p, 1.0);
  return result;
}

std::vector<double> role_shares(const RoleModel& model, const UserPosteriors& posteriors) {
  std::vector<double> all;
  all.reserve(posteriors.user_count() * model.role_count());
  for (std::size_t n = 0; n < posteriors.user_count(); ++n) {
    const std::vector<double> shares = role_shares(model, posteriors.of(n));
    all.insert(all.end(), shares.begin(), shares.end());
  }
  return all;
}

double no_role_share(const RoleModel& model, std::span<const SetShare> shares) {
  double sum = 0.0;
  for (const SetShare& share : shares) sum += model.sets[share.set].empty() ? share.probability : 0.0;
  return std::min(sum, 1.0);
}

BitMatrix most_probable_roles(const RoleModel& model, const UserPosteriors& posteriors) {
  BitMatrix result(posteriors.user_count(), model.role_count());
  for (std::size_t n = 0; n < posteriors.user_count(); ++n) {
    for (const std::uint32_t k : model.sets[posteriors.of(n).front().set]) result.set(n, k);
  }
  return result;
}

}  // namespace motet::roles
