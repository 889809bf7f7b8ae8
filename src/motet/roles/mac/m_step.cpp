#include "motet/roles/mac/m_step.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "motet/engine/newton.h"

namespace motet::roles {
namespace {

constexpr std::size_t newton_steps = 30;
constexpr double newton_tolerance = 1e-10;
constexpr BracketRule one_dimension{newton_steps, newton_tolerance};
constexpr std::size_t most_sweeps = 20;
constexpr std::size_t columns_a_task = 16;

double bounded(double q) { return std::clamp(q, least_q, 1.0 - least_q); }

// visit(set) for the sets that have users, as far as that is known.
template <class Visit>
void for_each_used(const SetTables& tables, const Visit& visit) {
  if (tables.used.empty()) {
    for (std::size_t l = 0; l < tables.sets.size(); ++l) visit(l);
  } else {
    for (const std::uint32_t l : tables.used) visit(l);
  }
}

double union_beta(std::span<const std::uint32_t> set, std::span<const double> beta) {
  double product = 1.0;
  for (const std::uint32_t k : set) product *= beta[k];
  return product;
}

// Runs body(column) for all columns, a few per task.
void for_each_column(std::size_t columns, Threads threads, const std::function<void(std::size_t)>& body) {
  for_each_task((columns + columns_a_task - 1) / columns_a_task, threads, [&](std::size_t task) {
    const std::size_t end = std::min(columns, (task + 1) * columns_a_task);
    for (std::size_t d = task * columns_a_task; d < end; ++d) body(d);
  });
}

std::vector<double> column_beta(std::span<const double> beta, std::size_t columns, std::size_t roles, std::size_t d) {
  std::vector<double> result(roles);
  for (std::size_t k = 0; k < roles; ++k) result[k] = beta[k * columns + d];
  return result;
}

double level(std::span<const double> p, std::size_t d) { return p.size() == 1 ? p[0] : p[d]; }

}  // namespace

Derivatives by_beta(const CellCounts& counts, const SetTables& tables, std::size_t column, std::span<const double> beta,
                    double p0, double p1, std::size_t role) {
  Derivatives sum;
  const double* const ones = counts.ones.data() + column * counts.users.size();
  for (const std::uint32_t l : tables.by_role[role]) {
    double others = 1.0;
    for (const std::uint32_t k : tables.sets[l]) {
      if (k != role) others *= beta[k];
    }
    const double slope = (p1 - p0) * others;
    const double q = bounded(p1 - slope * beta[role]);
    const double n1 = ones[l];
    const double n0 = counts.users[l] - n1;
    sum.value += n1 * std::log(q) + n0 * std::log(1.0 - q);
    sum.first += slope * (n0 / (1.0 - q) - n1 / q);
    sum.second -= slope * slope * (n1 / (q * q) + n0 / ((1.0 - q) * (1.0 - q)));
  }
  return sum;
}

namespace {

void add_cells(double absent, double n1, double n0, double p0, double p1, NoiseDerivatives& sum) {
  const double q = bounded(p1 - (p1 - p0) * absent);
  const double slope = n1 / q - n0 / (1.0 - q);
  const double curve = n1 / (q * q) + n0 / ((1.0 - q) * (1.0 - q));
  sum.value += n1 * std::log(q) + n0 * std::log(1.0 - q);
  sum.first[0] += slope * absent;
  sum.first[1] += slope * (1.0 - absent);
  sum.second[0] -= curve * absent * absent;
  sum.second[1] -= curve * absent * (1.0 - absent);
  sum.second[2] -= curve * (1.0 - absent) * (1.0 - absent);
}

// visit(absent, n1, n0) for the sets with users.
template <class Visit>
void for_each_cell(const CellCounts& counts, const SetTables& tables, std::size_t column, std::span<const double> beta,
                   const Visit& visit) {
  const double* const ones = counts.ones.data() + column * counts.users.size();
  for_each_used(tables, [&](std::size_t l) {
    if (counts.users[l] > 0.0) visit(union_beta(tables.sets[l], beta), ones[l], counts.users[l] - ones[l]);
  });
}

bool is_certain(double absent) { return absent == 0.0 || absent == 1.0; }

}  // namespace

NoiseDerivatives by_noise(const CellCounts& counts, const SetTables& tables, std::size_t column,
                          std::span<const double> beta, double p0, double p1) {
  NoiseDerivatives sum;
  for_each_cell(counts, tables, column, beta,
                [&](double absent, double n1, double n0) { add_cells(absent, n1, n0, p0, p1, sum); });
  return sum;
}

void soft_centroids(const CellCounts& counts, const SetTables& tables, const MacShape& shape,
                    std::span<const double> p0, std::span<const double> p1, std::span<double> beta, Threads threads) {
  const std::size_t columns = counts.columns();
  for_each_column(columns, threads, [&](std::size_t d) {
    std::vector<double> of_column = column_beta(beta, columns, shape.roles, d);
    const double* const ones = counts.ones.data() + d * counts.users.size();
    const double low_level = level(p0, d);
    const double high_level = level(p1, d);
    std::vector<double> slope;
    for (std::size_t k = 0; k < shape.roles; ++k) {
      if (!shape.frozen.empty() && shape.frozen[k] != 0) continue;
      const std::vector<std::uint32_t>& mine = tables.by_role[k];
      slope.resize(mine.size());
      for (std::size_t i = 0; i < mine.size(); ++i) {
        double others = high_level - low_level;
        for (const std::uint32_t j : tables.sets[mine[i]]) {
          if (j != k) others *= of_column[j];
        }
        slope[i] = others;
      }
      const auto evaluate = [&](double b) {
        Derivatives at;
        for (std::size_t i = 0; i < mine.size(); ++i) {
          if (!(counts.users[mine[i]] > 0.0)) continue;
          const double q = bounded(high_level - slope[i] * b);
          const double n1 = ones[mine[i]] / q;
          const double n0 = (counts.users[mine[i]] - ones[mine[i]]) / (1.0 - q);
          at.first += slope[i] * (n0 - n1);
          at.second -= slope[i] * slope[i] * (n1 / q + n0 / (1.0 - q));
        }
        return at;
      };
      of_column[k] = maximum_within({0.0, 1.0}, of_column[k], one_dimension, evaluate);
    }
    for (std::size_t k = 0; k < shape.roles; ++k) beta[k * columns + d] = of_column[k];
  });
}

CoverGain cover_gain(const CellCounts& counts, std::span<const double> p0, std::span<const double> p1) {
  CoverGain gain;
  const std::size_t sets = counts.users.size();
  const std::size_t lines = p0.size() == 1 ? 1 : counts.columns();
  for (std::size_t d = 0; d < lines; ++d) {
    const double not_held = std::log((1.0 - p1[d]) / (1.0 - p0[d]));
    gain.slope.push_back(std::log(p1[d] / p0[d]) - not_held);
    for (std::size_t l = 0; l < sets; ++l) gain.offset.push_back(not_held * counts.users[l]);
  }
  if (lines == 1) gain.slope.assign(counts.columns(), gain.slope[0]);
  return gain;
}

namespace {

// Columns of the roles, rounded, and what they would gain.
class RoundedColumns {
 public:
  RoundedColumns(const CellCounts& counts, const SetTables& tables, const MacShape& shape, const CoverGain& gain,
                 std::span<double> beta)
      : counts_(counts), tables_(tables), shape_(shape), gain_(gain), beta_(beta) {}

  void sweep(std::size_t d, bool may_add) {
    std::vector<double> own = column(d);
    std::vector<double> cell;
    std::vector<std::uint32_t> cover;
    read_gains(d, cell);
    count_cover(own, cover);
    for (std::size_t sweep = 0; sweep < most_sweeps; ++sweep) {
      bool changed = false;
      for (std::size_t k = 0; k < shape_.roles; ++k) {
        if (is_frozen(k)) continue;
        const bool is_set = own[k] < 0.5;
        const bool wanted = gain_of(cell, cover, k, is_set) > 0.0;
        if (wanted == is_set || (wanted && !may_add)) continue;
        own[k] = wanted ? 0.0 : 1.0;
        for (const std::uint32_t l : tables_.by_role[k]) cover[l] += wanted ? 1U : -1U;
        changed = true;
      }
      if (!changed) break;
    }
    for (std::size_t k = 0; k < shape_.roles; ++k) beta_[k * counts_.columns() + d] = own[k];
  }

  // Adds roles to a column where that gains more than the columns that it excludes lose. A permission that was barred
  // from its role must not be granted to more users who lack it than to users who hold it, however noise makes that
  // likely.
  void add_against_others(std::size_t d) {
    const std::size_t columns = counts_.columns();
    std::vector<double> own = column(d);
    std::vector<double> cell;
    std::vector<double> other_cell;
    std::vector<std::uint32_t> cover;
    read_gains(d, cell);
    for (std::size_t k = 0; k < shape_.roles; ++k) {
      if (own[k] < 0.5 || is_frozen(k)) continue;
      count_cover(own, cover);
      const std::vector<std::uint32_t> cover_of_column = cover;
      const double here = counts_.column_weight[d] * gain_of(cell, cover, k, false);
      double lost = 0.0;
      for (const std::uint32_t e : shape_.never_with[d]) {
        const std::vector<double> other = column(e);
        if (other[k] >= 0.5) continue;
        read_gains(e, other_cell);
        count_cover(other, cover);
        lost += counts_.column_weight[e] * gain_of(other_cell, cover, k, true);
      }
      if (!(here > std::max(lost, 0.0)) || !covers_more(d, cover_of_column, k)) continue;
      for (const std::uint32_t e : shape_.never_with[d]) beta_[k * columns + e] = 1.0;
      own[k] = 0.0;
      beta_[k * columns + d] = 0.0;
    }
  }

 private:
  std::vector<double> column(std::size_t d) const { return column_beta(beta_, counts_.columns(), shape_.roles, d); }
  bool is_frozen(std::size_t k) const { return !shape_.frozen.empty() && shape_.frozen[k] != 0; }

  void read_gains(std::size_t d, std::vector<double>& cell) const {
    const std::size_t sets = counts_.users.size();
    const double* const offset = gain_.offset.data() + (gain_.offset.size() == sets ? 0 : d * sets);
    const double* const ones = counts_.ones.data() + d * sets;
    cell.resize(sets);
    for_each_used(tables_, [&](std::size_t l) { cell[l] = gain_.slope[d] * ones[l] + offset[l]; });
  }

  // What covering a column by role k would add, given the other roles of the column.
  double gain_of(const std::vector<double>& cell, const std::vector<std::uint32_t>& cover, std::size_t k,
                 bool is_set) const {
    double sum = 0.0;
    for (const std::uint32_t l : tables_.by_role[k]) {
      if (cover[l] == (is_set ? 1U : 0U)) sum += cell[l];
    }
    return sum;
  }

  // Of the users that role k would bring column d, more than half hold it.
  bool covers_more(std::size_t d, const std::vector<std::uint32_t>& cover, std::size_t k) const {
    const double* const ones = counts_.ones.data() + d * counts_.users.size();
    double held = 0.0;
    double users = 0.0;
    for (const std::uint32_t l : tables_.by_role[k]) {
      if (cover[l] != 0) continue;
      held += ones[l];
      users += counts_.users[l];
    }
    return 2.0 * held > users;
  }

  void count_cover(std::span<const double> of_column, std::vector<std::uint32_t>& cover) const {
    cover.assign(counts_.users.size(), 0);
    for (std::size_t k = 0; k < shape_.roles; ++k) {
      if (of_column[k] >= 0.5) continue;
      for (const std::uint32_t l : tables_.by_role[k]) ++cover[l];
    }
  }

  const CellCounts& counts_;
  const SetTables& tables_;
  const MacShape& shape_;
  const CoverGain& gain_;
  std::span<double> beta_;
};

}  // namespace

void rounded_centroids(const CellCounts& counts, const SetTables& tables, const MacShape& shape, const CoverGain& gain,
                       std::span<double> beta, Threads threads) {
  const std::size_t columns = counts.columns();
  RoundedColumns rounded(counts, tables, shape, gain, beta);
  if (shape.never_with.empty()) {
    for_each_column(columns, threads, [&](std::size_t d) { rounded.sweep(d, true); });
    return;
  }
  // Columns that exclude each other depend on each other: one after the other, the others first.
  for_each_column(columns, threads, [&](std::size_t d) { rounded.sweep(d, shape.never_with[d].empty()); });
  for (std::size_t d = 0; d < columns; ++d) {
    if (!shape.never_with[d].empty()) rounded.add_against_others(d);
  }
}

namespace {

double beta_prior(double users, double centre, double p) {
  return users * (centre * std::log(p) + (1.0 - centre) * std::log(1.0 - p));
}

// Adds the pull of so many pseudo cells to the centre.
void add_prior(const MacShape& shape, double cells, double p0, double p1, NoiseDerivatives& at) {
  const double p[2] = {p0, p1};
  for (std::size_t i = 0; i < 2; ++i) {
    const double up = cells * shape.level_centre[i] / p[i];
    const double down = cells * (1.0 - shape.level_centre[i]) / (1.0 - p[i]);
    at.value += beta_prior(cells, shape.level_centre[i], p[i]);
    at.first[i] += up - down;
    at.second[2 * i] -= up / p[i] + down / (1.0 - p[i]);
  }
}

// The maximum over least_noise <= p0 <= p1 <= 1 - least_noise, from a point inside.
template <class Evaluate>
void maximise_levels(const MacShape& shape, double& p0, double& p1, const Evaluate& evaluate) {
  const double low = least_noise;
  const double high = 1.0 - least_noise;
  if (shape.noise == RoleNoise::symmetric_flip) {
    const double e = maximum_within({low, 0.5}, p0, one_dimension, [&](double x) {
      const NoiseDerivatives at = evaluate(x, 1.0 - x);
      return Derivatives{at.value, at.first[0] - at.first[1], at.second[0] - 2.0 * at.second[1] + at.second[2]};
    });
    p0 = e;
    p1 = 1.0 - e;
    return;
  }
  NoiseDerivatives at = evaluate(p0, p1);
  for (std::size_t step = 0; step < newton_steps; ++step) {
    // A coordinate at its end that the gradient pushes outwards stays where it is.
    const bool fixed0 = (p0 <= low && at.first[0] <= 0.0);
    const bool fixed1 = (p1 >= high && at.first[1] >= 0.0);
    double d0 = 0.0;
    double d1 = 0.0;
    const double determinant = at.second[0] * at.second[2] - at.second[1] * at.second[1];
    if (!fixed0 && !fixed1 && determinant > 0.0) {
      d0 = -(at.second[2] * at.first[0] - at.second[1] * at.first[1]) / determinant;
      d1 = -(at.second[0] * at.first[1] - at.second[1] * at.first[0]) / determinant;
    } else {
      if (!fixed0 && at.second[0] < 0.0) d0 = -at.first[0] / at.second[0];
      if (!fixed1 && at.second[2] < 0.0) d1 = -at.first[1] / at.second[2];
    }
    bool better = false;
    for (double t = 1.0; t > 1e-8; t *= 0.5) {
      double n0 = std::clamp(p0 + t * d0, low, high);
      double n1 = std::clamp(p1 + t * d1, low, high);
      if (n0 > n1) n0 = n1 = 0.5 * (n0 + n1);
      if (std::abs(n0 - p0) + std::abs(n1 - p1) <= newton_tolerance) return;
      const NoiseDerivatives there = evaluate(n0, n1);
      if (!(there.value > at.value)) continue;
      better = true;
      p0 = n0;
      p1 = n1;
      at = there;
      break;
    }
    if (!better) return;
  }
}

struct Covered {
  double ones[2] = {0.0, 0.0};  // [0] cells no role covers, [1] covered ones
  double cells[2] = {0.0, 0.0};
};

Covered count_covered(const CellCounts& counts, const SetTables& tables, std::size_t column,
                      std::span<const double> of_column) {
  Covered found;
  const double* const ones = counts.ones.data() + column * counts.users.size();
  for_each_used(tables, [&](std::size_t l) {
    const std::size_t side = union_beta(tables.sets[l], of_column) < 0.5 ? 1 : 0;
    found.ones[side] += counts.column_weight[column] * ones[l];
    found.cells[side] += counts.column_weight[column] * counts.users[l];
  });
  return found;
}

void levels_of_counts(const MacShape& shape, const Covered& found, double& p0, double& p1) {
  const auto share = [](double ones, double cells, double otherwise) {
    return cells > 0.0 ? std::clamp(ones / cells, least_noise, 1.0 - least_noise) : otherwise;
  };
  if (shape.noise == RoleNoise::symmetric_flip) {
    const double wrong = found.ones[0] + found.cells[1] - found.ones[1];
    p0 = std::min(share(wrong, found.cells[0] + found.cells[1], p0), 0.5);
    p1 = 1.0 - p0;
    return;
  }
  p0 = share(found.ones[0], found.cells[0], p0);
  p1 = share(found.ones[1], found.cells[1], p1);
  if (p0 > p1) p0 = p1 = share(found.ones[0] + found.ones[1], found.cells[0] + found.cells[1], p0);
}

}  // namespace

namespace {

std::vector<double> over_columns(std::size_t columns, std::size_t size, Threads threads,
                                 const std::function<void(std::size_t, std::span<double>)>& add) {
  const std::size_t tasks = (columns + columns_a_task - 1) / columns_a_task;
  return sum_over_tasks(tasks, size, threads.here(), [&](std::size_t task, std::span<double> sums) {
    for (std::size_t d = task * columns_a_task; d < std::min(columns, (task + 1) * columns_a_task); ++d) add(d, sums);
  });
}

// One level for all columns, of soft roles; `pseudo` cells pull to the centre.
void soft_levels(const CellCounts& counts, const SetTables& tables, const MacShape& shape, std::span<const double> beta,
                 double pseudo, double& p0, double& p1, Threads threads) {
  const std::size_t columns = counts.columns();
  // Most cells are certainly granted or not: they are counted once, the others at every step.
  const std::vector<double> certain = over_columns(columns, 4, threads, [&](std::size_t d, std::span<double> to) {
    for_each_cell(counts, tables, d, column_beta(beta, columns, shape.roles, d),
                  [&](double absent, double n1, double n0) {
                    if (!is_certain(absent)) return;
                    const std::size_t side = absent == 1.0 ? 0 : 2;
                    to[side] += counts.column_weight[d] * n1;
                    to[side + 1] += counts.column_weight[d] * n0;
                  });
  });
  maximise_levels(shape, p0, p1, [&](double a, double b) {
    const std::vector<double> sums = over_columns(columns, 6, threads, [&](std::size_t d, std::span<double> to) {
      NoiseDerivatives at;
      for_each_cell(counts, tables, d, column_beta(beta, columns, shape.roles, d),
                    [&](double absent, double n1, double n0) {
                      if (!is_certain(absent)) add_cells(absent, n1, n0, a, b, at);
                    });
      const double weight = counts.column_weight[d];
      to[0] += weight * at.value;
      for (std::size_t i = 0; i < 2; ++i) to[1 + i] += weight * at.first[i];
      for (std::size_t i = 0; i < 3; ++i) to[3 + i] += weight * at.second[i];
    });
    NoiseDerivatives at{sums[0], {sums[1], sums[2]}, {sums[3], sums[4], sums[5]}};
    add_cells(1.0, certain[0], certain[1], a, b, at);
    add_cells(0.0, certain[2], certain[3], a, b, at);
    add_prior(shape, pseudo, a, b, at);
    return at;
  });
}

}  // namespace

void noise_levels(const CellCounts& counts, const SetTables& tables, const MacShape& shape,
                  std::span<const double> beta, std::span<double> p0, std::span<double> p1, Threads threads) {
  if (shape.noise == RoleNoise::none) return;
  const std::size_t columns = counts.columns();
  if (p0.size() > 1) {
    for_each_column(columns, threads, [&](std::size_t d) {
      const std::vector<double> of_column = column_beta(beta, columns, shape.roles, d);
      if (shape.rounded) {
        Covered found = count_covered(counts, tables, d, of_column);
        for (int side = 0; side < 2; ++side) {
          found.ones[side] += counts.column_weight[d] * shape.level_users * shape.level_centre[side];
          found.cells[side] += counts.column_weight[d] * shape.level_users;
        }
        levels_of_counts(shape, found, p0[d], p1[d]);
      } else {
        maximise_levels(shape, p0[d], p1[d], [&](double a, double b) {
          NoiseDerivatives at = by_noise(counts, tables, d, of_column, a, b);
          add_prior(shape, shape.level_users, a, b, at);
          return at;
        });
      }
    });
    return;
  }
  const double pseudo =
      shape.level_users * std::accumulate(counts.column_weight.begin(), counts.column_weight.end(), 0.0);
  if (shape.rounded) {
    const std::vector<double> sums = over_columns(columns, 4, threads, [&](std::size_t d, std::span<double> to) {
      const Covered found = count_covered(counts, tables, d, column_beta(beta, columns, shape.roles, d));
      for (std::size_t side = 0; side < 2; ++side) {
        to[side] += found.ones[side];
        to[2 + side] += found.cells[side];
      }
    });
    const std::span<const double> centre = shape.level_centre;
    levels_of_counts(
        shape, {{sums[0] + pseudo * centre[0], sums[1] + pseudo * centre[1]}, {sums[2] + pseudo, sums[3] + pseudo}},
        p0[0], p1[0]);
    return;
  }
  soft_levels(counts, tables, shape, beta, pseudo, p0[0], p1[0], threads);
}

double log_prior_of_levels(const MacShape& shape, std::span<const double> column_weight, std::span<const double> p0,
                           std::span<const double> p1) {
  if (shape.scope == NoiseScope::user || shape.noise == RoleNoise::none) return 0.0;
  double sum = 0.0;
  for (std::size_t d = 0; d < column_weight.size(); ++d) {
    const double users = column_weight[d] * shape.level_users;
    sum +=
        beta_prior(users, shape.level_centre[0], level(p0, d)) + beta_prior(users, shape.level_centre[1], level(p1, d));
  }
  return sum;
}

}  // namespace motet::roles
