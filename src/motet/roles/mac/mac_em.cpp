#include "motet/roles/mac/mac_em.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "motet/roles/mac/beta_parameters.h"
#include "motet/roles/mac/bit_product.h"
#include "motet/roles/mac/m_step.h"
#include "motet/roles/mac/user_noise.h"

namespace motet::roles {
namespace {

constexpr std::size_t leaf_rows = 128;       // fewer rows per leaf cost more to add up than they save
constexpr std::size_t numbers_a_row = 2000;  // of the statistics: adding up a leaf costs as much as so few rows
constexpr double farthest = 25.0;            // sets less likely than e^-25 of the best are left out
constexpr std::size_t rounded_rounds = 3;    // of centroids and noise in one M-step

std::vector<double> row_sizes(const MergedMatrix& data) {
  std::vector<double> sizes(data.bits.rows());
  for (std::size_t n = 0; n < sizes.size(); ++n) {
    for_each_bit(data.bits.row(n), [&](std::size_t d) { sizes[n] += data.column_weight[d]; });
  }
  return sizes;
}

// Counts of rounded centroids: common ones of rows and label sets, weighted sizes.
class Overlaps {
 public:
  Overlaps(const MergedMatrix& data, const MacShape& shape, std::span<const double> beta)
      : data_(data), sets_(shape.sets.size()), unions_(sets_, data.bits.columns()) {
    const std::size_t columns = data.bits.columns();
    BitMatrix roles(shape.roles, columns);
    for (std::size_t k = 0; k < shape.roles; ++k) {
      for (std::size_t d = 0; d < columns; ++d) roles.set(k, d, beta[k * columns + d] < 0.5);
    }
    for (std::size_t l = 0; l < sets_; ++l) {
      const std::span<std::uint64_t> to = unions_.row(l);
      for (const std::uint32_t k : shape.sets[l]) {
        const std::span<const std::uint64_t> from = roles.row(k);
        for (std::size_t w = 0; w < to.size(); ++w) to[w] |= from[w];
      }
    }
    plain_ = std::all_of(data.column_weight.begin(), data.column_weight.end(), [](double w) { return w == 1.0; });
    set_size.resize(sets_);
    for (std::size_t l = 0; l < sets_; ++l) {
      for_each_bit(unions_.row(l), [&](std::size_t d) { set_size[l] += data.column_weight[d]; });
    }
    for (const double w : data.column_weight) total += w;
    if (plain_) return;
    weights_.resize(columns * sets_);
    for (std::size_t l = 0; l < sets_; ++l) {
      for_each_bit(unions_.row(l), [&](std::size_t d) { weights_[d * sets_ + l] = data.column_weight[d]; });
    }
  }

  void common(std::size_t begin, std::size_t end, std::vector<double>& result) const {
    result.assign((end - begin) * sets_, 0.0);
    if (!plain_) {
      add_bit_product(data_.bits, begin, end, weights_, sets_, result);
      return;
    }
    std::vector<std::uint32_t> counts(sets_);
    for (std::size_t n = begin; n < end; ++n) {
      count_common_ones(data_.bits.row(n), unions_, counts);
      std::copy(counts.begin(), counts.end(), result.begin() + static_cast<std::ptrdiff_t>((n - begin) * sets_));
    }
  }

  std::vector<double> set_size;  // by set: weighted ones
  double total = 0.0;            // weighted columns

 private:
  const MergedMatrix& data_;
  std::size_t sets_;
  BitMatrix unions_;
  bool plain_ = false;
  std::vector<double> weights_;
};

}  // namespace

MacParts mac_parts(const MacShape& shape, std::size_t columns) {
  const std::size_t levels = shape.scope == NoiseScope::permission ? columns : shape.scope == NoiseScope::user ? 2 : 1;
  return {shape.roles, columns, levels};
}

std::vector<double> absence_of(const BitMatrix& roles) {
  std::vector<double> beta(roles.rows() * roles.columns(), 1.0);
  for (std::size_t k = 0; k < roles.rows(); ++k) {
    for_each_bit(roles.row(k), [&](std::size_t d) { beta[k * roles.columns() + d] = 0.0; });
  }
  return beta;
}

std::vector<double> mac_start(const MacShape& shape, std::span<const double> beta, std::size_t columns, double p0,
                              double p1) {
  const MacParts parts = mac_parts(shape, columns);
  std::vector<double> parameters(beta.begin(), beta.end());
  if (shape.rounded) {
    for (double& b : parameters) b = b < 0.5 ? 0.0 : 1.0;
  }
  if (shape.noise == RoleNoise::none) {
    p0 = least_noise;
    p1 = 1.0 - least_noise;
  }
  if (shape.scope == NoiseScope::user) {
    constexpr double cells = 30.0;  // how alike users are to begin with
    for (const double p : {p0, p1}) {
      parameters.push_back(cells * p);
      parameters.push_back(cells * (1.0 - p));
    }
  } else {
    parameters.insert(parameters.end(), parts.levels, p0);
    parameters.insert(parameters.end(), parts.levels, p1);
  }
  const std::size_t sets = shape.sets.size();
  const std::vector<double> alike(sets, 1.0 / static_cast<double>(sets));
  const std::vector<double> prior = SetPrior(sets, shape.groups, shape.prior_centre).start(alike);
  parameters.insert(parameters.end(), prior.begin(), prior.end());
  return parameters;
}

MacScores::MacScores(const MergedMatrix& data, const MacShape& shape, std::span<const double> parameters)
    : data_(data),
      shape_(shape),
      log_prior_(SetPrior(shape.sets.size(), shape.groups, shape.prior_centre, shape.has_uniform_sets)
                     .log_table(parameters.subspan(mac_parts(shape, data.bits.columns()).prior()))) {
  const std::size_t columns = data.bits.columns();
  const std::size_t sets = shape.sets.size();
  const MacParts parts = mac_parts(shape, columns);
  for (double& p : log_prior_) p *= shape.prior_weight;
  base_.resize(sets);
  weights_.resize(columns * sets);
  for (std::size_t d = 0; d < columns; ++d) {
    const double p0 = parameters[parts.p0() + (parts.levels == 1 ? 0 : d)];
    const double p1 = parameters[parts.p1() + (parts.levels == 1 ? 0 : d)];
    for (std::size_t l = 0; l < sets; ++l) {
      double beta = 1.0;
      for (const std::uint32_t k : shape.sets[l]) beta *= parameters[k * columns + d];
      const double q = std::clamp(p1 - (p1 - p0) * beta, least_q, 1.0 - least_q);
      const double rest = std::log(1.0 - q);
      base_[l] += data.column_weight[d] * rest;
      weights_[d * sets + l] = data.column_weight[d] * (std::log(q) - rest);
    }
  }
}

void MacScores::compute(std::size_t begin, std::size_t end, std::vector<double>& scores) const {
  const std::size_t sets = base_.size();
  scores.resize((end - begin) * sets);
  for (std::size_t n = begin; n < end; ++n) {
    const std::size_t group = shape_.groups.group_of.empty() ? 0 : shape_.groups.group_of[n];
    for (std::size_t l = 0; l < sets; ++l) scores[(n - begin) * sets + l] = base_[l] + log_prior_[group * sets + l];
  }
  add_bit_product(data_.bits, begin, end, weights_, sets, scores);
}

namespace {

// Where things are in the statistics: objective, dropped mass, users [group * sets + set],
// ones [column * sets + set]; with user-wise noise the ones and `offset` are weighted by
// log-odds, and `moments` are the sums of E log p0, E log(1 - p0), E log p1, E log(1 - p1)
// and of users.
struct StatisticParts {
  std::size_t groups, sets, columns;
  bool by_user;
  std::size_t users() const { return 2; }
  std::size_t ones() const { return users() + groups * sets; }
  std::size_t offset() const { return ones() + columns * sets; }
  std::size_t moments() const { return offset() + (by_user ? sets : 0); }
  std::size_t size() const { return moments() + (by_user ? 5 : 0); }
};

struct Responsibilities {
  std::vector<std::uint32_t> set;
  std::vector<double> share;
};

// Posterior over label sets at inverse temperature b; returns (1/b) log of the state sum.
double respond(std::span<const double> scores, double b, Responsibilities& kept, double& dropped) {
  const double best = *std::max_element(scores.begin(), scores.end());
  kept.set.clear();
  kept.share.clear();
  double sum = 0.0;
  std::size_t left_out = 0;
  for (std::size_t l = 0; l < scores.size(); ++l) {
    const double behind = b * (scores[l] - best);
    if (behind < -farthest) {
      ++left_out;
      continue;
    }
    kept.set.push_back(static_cast<std::uint32_t>(l));
    kept.share.push_back(std::exp(behind));
    sum += kept.share.back();
  }
  for (double& share : kept.share) share /= sum;
  dropped += static_cast<double>(left_out) * std::exp(-farthest);
  return best + std::log(sum) / b;
}

struct MacStep {
  const MergedMatrix& data;
  const MacShape& shape;
  Threads threads;  // of the M-step
  MacParts parts;
  StatisticParts statistics;
  SetPrior prior;
  SetTables tables;
  std::size_t leaves;
  std::vector<double> row_size;  // weighted ones
  bool by_counts;                // rounded centroids, one noise level or user-wise noise: AND and count

  MacStep(const MergedMatrix& d, const MacShape& s, Threads t)
      : data(d),
        shape(s),
        threads(threads_for(t, static_cast<double>(d.bits.columns()) * static_cast<double>(s.sets.size()) *
                                   static_cast<double>(s.roles))),
        parts(mac_parts(s, d.bits.columns())),
        statistics{s.groups.groups, s.sets.size(), d.bits.columns(), s.scope == NoiseScope::user},
        prior(s.sets.size(), s.groups, s.prior_centre, s.has_uniform_sets),
        tables{s.sets, sets_by_role(s.sets, s.roles), {}},
        leaves(std::clamp<std::size_t>(d.bits.rows() / std::max(leaf_rows, statistics.size() / numbers_a_row), 1,
                                       default_leaf_count)),
        row_size(row_sizes(d)),
        by_counts(s.rounded && s.scope != NoiseScope::permission) {}

  // Scores of a block of rows; `common` is filled when noise differs by user.
  class Scorer {
   public:
    Scorer(const MacStep& step, std::span<const double> prepared) : step_(step) {
      const std::size_t sets = step.shape.sets.size();
      if (!step.by_counts) {
        prepared_ = prepared;
        return;
      }
      const std::span<const double> parameters = prepared;
      overlaps_ = std::make_unique<Overlaps>(step.data, step.shape, parameters.first(step.parts.p0()));
      log_prior_ = step.prior.log_table(parameters.subspan(step.parts.prior()));
      for (double& p : log_prior_) p *= step.shape.prior_weight;
      if (step.statistics.by_user) {
        noise_ = std::make_unique<UserNoise>(parameters.subspan(step.parts.p0(), 2),
                                             parameters.subspan(step.parts.p1(), 2), overlaps_->total);
        return;
      }
      const double p0 = parameters[step.parts.p0()];
      const double p1 = parameters[step.parts.p1()];
      one_ = std::log(p0) - std::log(1.0 - p0);
      common_ = std::log(p1) - std::log(p0) - std::log(1.0 - p1) + std::log(1.0 - p0);
      size_ = std::log(1.0 - p1) - std::log(1.0 - p0);
      base_.resize(sets);
      for (std::size_t l = 0; l < sets; ++l) {
        base_[l] = overlaps_->total * std::log(1.0 - p0) + size_ * overlaps_->set_size[l];
      }
    }

    void compute(std::size_t begin, std::size_t end) {
      const std::size_t sets = step_.shape.sets.size();
      if (!step_.by_counts) {
        // prepared: base [sets], log prior [groups * sets], weights [columns * sets]
        const std::size_t groups = step_.shape.groups.groups;
        scores.resize((end - begin) * sets);
        for (std::size_t n = begin; n < end; ++n) {
          const double* const prior = prepared_.data() + sets + step_.group(n) * sets;
          for (std::size_t l = 0; l < sets; ++l) scores[(n - begin) * sets + l] = prepared_[l] + prior[l];
        }
        add_bit_product(step_.data.bits, begin, end, prepared_.subspan((1 + groups) * sets), sets, scores);
        return;
      }
      overlaps_->common(begin, end, common);
      scores.resize(common.size());
      for (std::size_t n = begin; n < end; ++n) {
        const double row = step_.row_size[n];
        const double* const prior = log_prior_.data() + step_.group(n) * sets;
        const double* const from = common.data() + (n - begin) * sets;
        double* const to = scores.data() + (n - begin) * sets;
        if (noise_) {
          for (std::size_t l = 0; l < sets; ++l) to[l] = prior[l] + noise_->log_likelihood(cells(from[l], row, l));
        } else {
          const double start = one_ * row;
          for (std::size_t l = 0; l < sets; ++l) to[l] = base_[l] + start + common_ * from[l] + prior[l];
        }
      }
    }

    UserCells cells(double common_ones, double row, std::size_t set) const {
      return user_cells(common_ones, row, overlaps_->set_size[set], overlaps_->total);
    }
    const UserNoise& noise() const { return *noise_; }

    std::vector<double> scores;
    std::vector<double> common;

   private:
    const MacStep& step_;
    std::span<const double> prepared_;
    std::unique_ptr<Overlaps> overlaps_;
    std::unique_ptr<UserNoise> noise_;
    std::vector<double> log_prior_;
    std::vector<double> base_;
    double one_ = 0.0, common_ = 0.0, size_ = 0.0;
  };

  std::size_t group(std::size_t row) const { return shape.groups.group_of.empty() ? 0 : shape.groups.group_of[row]; }

  std::vector<double> prepare(std::span<const double> parameters) const {
    if (by_counts) return {parameters.begin(), parameters.end()};
    return MacScores(data, shape, parameters).packed();
  }

  void accumulate(std::span<const double> prepared, std::size_t leaf, double b, std::span<double> sums) const {
    const std::size_t rows = data.bits.rows();
    const std::size_t first = rows * leaf / leaves;
    const std::size_t last = rows * (leaf + 1) / leaves;
    const std::size_t sets = shape.sets.size();
    Scorer scorer(*this, prepared);
    Responsibilities kept;
    Gathered gathered;
    const std::span<double> ones = sums.subspan(statistics.ones(), statistics.columns * sets);
    for (std::size_t begin = first; begin < last; begin += block_rows) {
      const std::size_t end = std::min(last, begin + block_rows);
      scorer.compute(begin, end);
      for (std::size_t n = begin; n < end; ++n) {
        const double weight = data.row_weight[n];
        double dropped = 0.0;
        sums[0] += weight * respond(std::span(scorer.scores).subspan((n - begin) * sets, sets), b, kept, dropped);
        sums[1] += weight * dropped;
        double* const users = sums.data() + statistics.users() + group(n) * sets;
        for (std::size_t i = 0; i < kept.set.size(); ++i) {
          kept.share[i] *= weight;
          users[kept.set[i]] += kept.share[i];
        }
        if (statistics.by_user) weigh_by_user(scorer, n, begin, weight, kept, sums);
        add_ones(n, kept, gathered, ones);
      }
    }
    add_gathered(gathered, ones);
  }

  // ones += share x: set by set where few are kept; rows with many are gathered and added together.
  struct Gathered {
    std::vector<std::uint32_t> rows;
    std::vector<double> values;
  };
  void add_ones(std::size_t n, const Responsibilities& kept, Gathered& gathered, std::span<double> ones) const {
    const std::size_t sets = shape.sets.size();
    if (kept.set.size() * 8 < sets) {
      for_each_bit(data.bits.row(n), [&](std::size_t d) {
        double* const to = ones.data() + d * sets;
        for (std::size_t i = 0; i < kept.set.size(); ++i) to[kept.set[i]] += kept.share[i];
      });
      return;
    }
    gathered.values.resize((gathered.rows.size() + 1) * sets);
    double* const values = gathered.values.data() + gathered.rows.size() * sets;
    std::fill_n(values, sets, 0.0);
    for (std::size_t i = 0; i < kept.set.size(); ++i) values[kept.set[i]] = kept.share[i];
    gathered.rows.push_back(static_cast<std::uint32_t>(n));
    if (gathered.rows.size() == transposed_rows) add_gathered(gathered, ones);
  }
  void add_gathered(Gathered& gathered, std::span<double> ones) const {
    add_transposed_product(data.bits, gathered.rows, gathered.values, shape.sets.size(), ones);
    gathered.rows.clear();
  }

  void weigh_by_user(const Scorer& scorer, std::size_t n, std::size_t begin, double weight, Responsibilities& kept,
                     std::span<double> sums) const {
    const std::size_t sets = shape.sets.size();
    const double row = row_size[n];
    double* const moments = sums.data() + statistics.moments();
    moments[4] += weight;
    for (std::size_t i = 0; i < kept.set.size(); ++i) {
      const std::size_t l = kept.set[i];
      const UserCells c = scorer.cells(scorer.common[(n - begin) * sets + l], row, l);
      const BetaTable& other = scorer.noise().other;
      const BetaTable& covered = scorer.noise().covered;
      const double log0 = other.mean_log(c.other.ones, c.other.zeros);
      const double rest0 = other.mean_log_rest(c.other.ones, c.other.zeros);
      const double log1 = covered.mean_log(c.covered.ones, c.covered.zeros);
      const double rest1 = covered.mean_log_rest(c.covered.ones, c.covered.zeros);
      const double share = kept.share[i];
      const double found[4] = {log0, rest0, log1, rest1};
      for (std::size_t j = 0; j < 4; ++j) moments[j] += share * found[j];
      sums[statistics.offset() + l] += share * (rest1 - rest0);
      kept.share[i] = share * ((log1 - log0) - (rest1 - rest0));
    }
  }

  std::vector<double> maximise(std::span<const double> sums, std::span<const double> parameters) const {
    std::vector<double> next(parameters.begin(), parameters.end());
    const std::size_t sets = shape.sets.size();
    std::vector<double> users(sets);
    for (std::size_t g = 0; g < statistics.groups; ++g) {
      for (std::size_t l = 0; l < sets; ++l) users[l] += sums[statistics.users() + g * sets + l];
    }
    // Sets that nobody has say nothing; on real data they are most.
    SetTables used{shape.sets, {}, {}};
    for (const std::vector<std::uint32_t>& all : tables.by_role) {
      std::vector<std::uint32_t>& mine = used.by_role.emplace_back();
      for (const std::uint32_t l : all) {
        if (users[l] > 0.0) mine.push_back(l);
      }
    }
    for (std::uint32_t l = 0; l < sets; ++l) {
      if (users[l] > 0.0) used.used.push_back(l);
    }
    const CellCounts counts{sums.subspan(statistics.ones(), statistics.columns * sets), users, data.column_weight};
    const std::span<double> beta = std::span(next).first(parts.p0());
    const std::span<double> p0 = std::span(next).subspan(parts.p0(), parts.levels);
    const std::span<double> p1 = std::span(next).subspan(parts.p1(), parts.levels);
    if (statistics.by_user) {
      const std::span<const double> offset = sums.subspan(statistics.offset(), sets);
      const CoverGain gain{std::vector<double>(statistics.columns, 1.0), {offset.begin(), offset.end()}};
      rounded_centroids(counts, used, shape, gain, beta, threads);
      const std::span<const double> moments = sums.subspan(statistics.moments(), 5);
      beta_parameters(moments[0] / moments[4], moments[1] / moments[4], p0[0], p0[1]);
      beta_parameters(moments[2] / moments[4], moments[3] / moments[4], p1[0], p1[1]);
    } else if (shape.rounded) {
      for (std::size_t round = 0; round < rounded_rounds; ++round) {
        rounded_centroids(counts, used, shape, cover_gain(counts, p0, p1), beta, threads);
        noise_levels(counts, used, shape, beta, p0, p1, threads);
      }
    } else {
      noise_levels(counts, used, shape, beta, p0, p1, threads);
      soft_centroids(counts, used, shape, p0, p1, beta, threads);
    }
    const std::vector<double> shares =
        prior.maximise(sums.subspan(statistics.users(), statistics.groups * sets), parameters.subspan(parts.prior()));
    std::copy(shares.begin(), shares.end(), next.begin() + static_cast<std::ptrdiff_t>(parts.prior()));
    return next;
  }

  // What is extrapolated: the prior, and soft centroids; the rest stays at the EM point.
  void project(std::span<const double> em_point, std::span<double> candidate) const {
    const std::size_t fixed_from = shape.rounded ? 0 : parts.p0();
    std::copy(em_point.begin() + static_cast<std::ptrdiff_t>(fixed_from),
              em_point.begin() + static_cast<std::ptrdiff_t>(parts.prior()),
              candidate.begin() + static_cast<std::ptrdiff_t>(fixed_from));
    for (std::size_t i = 0; i < fixed_from; ++i) candidate[i] = std::clamp(candidate[i], 0.0, 1.0);
    prior.project(em_point.subspan(parts.prior()), candidate.subspan(parts.prior()));
  }

  double log_prior(std::span<const double> parameters) const {
    return shape.prior_weight * prior.log_density(parameters.subspan(parts.prior())) +
           log_prior_of_levels(shape, data.column_weight, parameters.subspan(parts.p0(), parts.levels),
                               parameters.subspan(parts.p1(), parts.levels));
  }
};

}  // namespace

std::vector<double> MacScores::packed() const {
  std::vector<double> all = base_;
  all.insert(all.end(), log_prior_.begin(), log_prior_.end());
  all.insert(all.end(), weights_.begin(), weights_.end());
  return all;
}

EmProblem mac_problem(const MergedMatrix& data, const MacShape& shape, Threads threads) {
  const auto step = std::make_shared<const MacStep>(data, shape, threads);
  EmProblem problem;
  problem.leaf_count = step->leaves;
  problem.statistic_count = step->statistics.size();
  problem.prepare = [step](std::span<const double> parameters) { return step->prepare(parameters); };
  problem.accumulate = [step](std::span<const double> prepared, std::size_t leaf, double b, std::span<double> sums) {
    step->accumulate(prepared, leaf, b, sums);
  };
  problem.maximise = [step](std::span<const double> sums, std::span<const double> parameters) {
    return step->maximise(sums, parameters);
  };
  problem.project = [step](std::span<const double> em_point, std::span<double> candidate) {
    step->project(em_point, candidate);
  };
  problem.log_prior = [step](std::span<const double> parameters) { return step->log_prior(parameters); };
  return problem;
}

}  // namespace motet::roles
