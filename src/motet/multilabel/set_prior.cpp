#include "motet/multilabel/set_prior.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <string>
#include <unordered_map>

#include "motet/base/error.h"
#include "motet/base/numeric.h"

namespace motet::multilabel {
namespace {

double log_add(double a, double b) {
  const double high = std::max(a, b);
  if (high == -infinity) return -infinity;
  return high + std::log1p(std::exp(std::min(a, b) - high));
}

// log e_m(o), m = 0 ... K: labels are let in one after the other, and every term is positive, so
// -infinity cancels.
std::vector<double> log_symmetric(std::span<const double> log_odds) {
  std::vector<double> result(log_odds.size() + 1, -infinity);
  result[0] = 0.0;
  for (std::size_t k = 0; k < log_odds.size(); ++k) {
    for (std::size_t m = k + 1; m > 0; --m) result[m] = log_add(result[m], result[m - 1] + log_odds[k]);
  }
  return result;
}

std::size_t degree(std::span<const std::uint64_t> set) {
  std::size_t count = 0;
  for (const std::uint64_t word : set) count += static_cast<std::size_t>(std::popcount(word));
  return count;
}

double smooth_by(const LabelSetPrior& prior, std::span<const double> weights, std::span<const std::uint64_t> set) {
  double sum = weights[degree(set)];
  for_each_bit(set, [&](std::size_t k) { sum += prior.log_odds[k]; });
  return sum;
}

double mixture(const LabelSetPrior& prior, double smooth, double share) {
  return log_add(std::log(prior.novel) + smooth, std::log1p(-prior.novel) + share);
}

double total(const LabelSetPrior& prior) { return std::accumulate(prior.counts.begin(), prior.counts.end(), 0.0); }

struct RowHash {
  std::size_t operator()(const std::vector<std::uint64_t>& words) const {
    std::uint64_t hash = 0;
    for (const std::uint64_t word : words) hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL ^ hash >> 29;
    return static_cast<std::size_t>(hash);
  }
};

}  // namespace

LabelSetPrior learn_set_prior(const LabelSetIndex& index) {
  LabelSetPrior prior;
  prior.sets = index.sets;
  const std::size_t labels = index.sets.columns();
  std::vector<double> of_degree(labels + 1, 1.0 / static_cast<double>(labels + 1));
  std::vector<double> of_label(labels);
  double once = 0.0;
  double items = 0.0;
  for (std::size_t j = 0; j < index.size(); ++j) {
    const auto count = static_cast<double>(index.count(j));
    prior.counts.push_back(count);
    items += count;
    if (count == 1.0) once += 1.0;
    of_degree[index.sets.count(j)] += count;
    for_each_bit(index.sets.row(j), [&](std::size_t k) { of_label[k] += count; });
  }
  for (const double count : of_degree) prior.log_degree.push_back(std::log(count / (items + 1.0)));
  for (const double count : of_label) prior.log_odds.push_back(std::log((count + 0.5) / (items - count + 0.5)));
  prior.novel = (once + 0.5) / (items + 1.0);
  return prior;
}

std::vector<double> log_degree_weights(const LabelSetPrior& prior) {
  std::vector<double> result = log_symmetric(prior.log_odds);
  for (std::size_t m = 0; m < result.size(); ++m) result[m] = prior.log_degree[m] - result[m];
  return result;
}

double log_smooth(const LabelSetPrior& prior, std::span<const std::uint64_t> set) {
  return smooth_by(prior, log_degree_weights(prior), set);
}

double log_share(const LabelSetPrior& prior, std::size_t observed) {
  return std::log(prior.counts[observed] / total(prior));
}

double log_prior(const LabelSetPrior& prior, std::span<const std::uint64_t> set) {
  const std::size_t observed = find_set(prior.sets, set);
  return mixture(prior, log_smooth(prior, set), observed == no_set ? -infinity : log_share(prior, observed));
}

std::vector<double> log_shares(const LabelSetPrior& prior) {
  const double all = total(prior);
  std::vector<double> result;
  for (const double count : prior.counts) result.push_back(std::log(count / all));
  return result;
}

std::vector<double> log_smooths(const LabelSetPrior& prior, const BitMatrix& sets) {
  const std::vector<double> weights = log_degree_weights(prior);
  std::vector<double> result(sets.rows());
  for (std::size_t j = 0; j < sets.rows(); ++j) result[j] = smooth_by(prior, weights, sets.row(j));
  return result;
}

std::vector<double> log_priors(const LabelSetPrior& prior, const BitMatrix& sets) {
  std::unordered_map<std::vector<std::uint64_t>, std::size_t, RowHash> observed;
  for (std::size_t j = 0; j < prior.sets.rows(); ++j) {
    const std::span<const std::uint64_t> row = prior.sets.row(j);
    observed.emplace(std::vector<std::uint64_t>(row.begin(), row.end()), j);
  }
  const std::vector<double> shares = log_shares(prior);
  std::vector<double> result = log_smooths(prior, sets);
  std::vector<std::uint64_t> words(sets.words());
  for (std::size_t j = 0; j < sets.rows(); ++j) {
    std::copy_n(sets.row(j).begin(), sets.words(), words.begin());
    const auto place = observed.find(words);
    result[j] = mixture(prior, result[j], place == observed.end() ? -infinity : shares[place->second]);
  }
  return result;
}

Value to_value(const LabelSetPrior& prior) {
  Value::List sets;
  for (std::size_t j = 0; j < prior.sets.rows(); ++j) {
    Value::List labels;
    for_each_bit(prior.sets.row(j), [&](std::size_t k) { labels.emplace_back(k); });
    sets.emplace_back(std::move(labels));
  }
  Value::List degrees;  // JSON has no infinity
  for (const double p : prior.log_degree) {
    if (p == -infinity) {
      degrees.emplace_back();
    } else {
      degrees.emplace_back(p);
    }
  }
  return Value::object({{"labels", prior.labels()},
                        {"sets", std::move(sets)},
                        {"counts", Value::list_of(prior.counts)},
                        {"log_degree", std::move(degrees)},
                        {"log_odds", Value::list_of(prior.log_odds)},
                        {"novel", prior.novel}});
}

LabelSetPrior set_prior_from(const Value& value) {
  LabelSetPrior prior;
  const std::int64_t labels = value.at("labels").as_whole();
  constexpr std::int64_t most_labels = 1'000'000;
  if (labels < 1 || labels > most_labels) {
    fail(ErrorKind::bad_data, "field 'labels' is " + std::to_string(labels) + "; from 1 to 1000000 is allowed");
  }
  const auto size = static_cast<std::size_t>(labels);
  const Value::List& sets = value.at("sets").as_list();
  prior.sets = BitMatrix(sets.size(), size);
  for (std::size_t j = 0; j < sets.size(); ++j) {
    for (const Value& label : sets[j].as_list()) {
      const std::int64_t k = label.as_whole();
      if (k < 0 || k >= labels) {
        fail(ErrorKind::bad_data, "field 'sets' has label " + std::to_string(k) + "; there are " +
                                      std::to_string(labels) + ", the first is 0");
      }
      prior.sets.set(j, static_cast<std::size_t>(k));
    }
  }
  prior.counts = numbers_at(value, "counts", sets.size());
  for (const double count : prior.counts) {
    if (!(count > 0.0) || !std::isfinite(count)) fail(ErrorKind::bad_data, "field 'counts' has a count not above 0");
  }
  for (const Value& p : value.at("log_degree").as_list()) {
    prior.log_degree.push_back(p.is_null() ? -infinity : p.as_number());
    if (!(prior.log_degree.back() <= 1e-9)) fail(ErrorKind::bad_data, "field 'log_degree' has a probability above 1");
  }
  if (prior.log_degree.size() != size + 1) {
    fail(ErrorKind::bad_data, "field 'log_degree' has " + std::to_string(prior.log_degree.size()) +
                                  " numbers; it must have " + std::to_string(size + 1));
  }
  prior.log_odds = numbers_at(value, "log_odds", size);
  prior.novel = value.at("novel").as_number();
  if (!(prior.novel >= 0.0 && prior.novel <= 1.0)) fail(ErrorKind::bad_data, "field 'novel' is outside [0, 1]");
  return prior;
}

}  // namespace motet::multilabel
