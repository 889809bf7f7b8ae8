#include "experiments/multilabel/rare_words.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace motet::multilabel {
namespace {

constexpr double label_exponent = 1.2;
constexpr std::size_t most_labels = 3;  // of a set
constexpr double more_labels = 0.3;     // chance of one more, twice

// The number whose turn it is, by cumulative shares.
std::size_t drawn(const std::vector<double>& cumulative, Rng& rng) {
  const double lot = rng.uniform() * cumulative.back();
  const auto found = std::upper_bound(cumulative.begin(), cumulative.end(), lot);
  return std::min(static_cast<std::size_t>(found - cumulative.begin()), cumulative.size() - 1);
}

std::vector<double> falling(std::size_t count, double exponent) {
  std::vector<double> shares;
  for (std::size_t i = 0; i < count; ++i) shares.push_back(std::pow(static_cast<double>(i + 1), -exponent));
  std::partial_sum(shares.begin(), shares.end(), shares.begin());
  return shares;
}

// Sparse shares of words: the rth word of a random order is as frequent as e^(-r / spread).
std::vector<double> words_of(std::size_t vocabulary, double spread, Rng& rng) {
  std::vector<std::size_t> order(vocabulary);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = vocabulary; i > 1; --i) {
    std::swap(order[i - 1], order[static_cast<std::size_t>(rng.uniform() * static_cast<double>(i))]);
  }
  std::vector<double> shares(vocabulary);
  for (std::size_t r = 0; r < vocabulary; ++r) shares[order[r]] = std::exp(-static_cast<double>(r) / spread);
  std::partial_sum(shares.begin(), shares.end(), shares.begin());
  return shares;
}

std::vector<std::size_t> drawn_set(const std::vector<double>& popularity, Rng& rng) {
  std::size_t size = 1;
  for (std::size_t more = 1; more < most_labels; ++more) size += rng.uniform() < more_labels ? 1 : 0;
  size = std::min(size, popularity.size());
  std::vector<std::size_t> set;
  while (set.size() < size) {
    const std::size_t label = drawn(popularity, rng);
    if (std::find(set.begin(), set.end(), label) == set.end()) set.push_back(label);
  }
  return set;
}

}  // namespace

LabelledItems rare_words(const RareWordsOptions& options, Seed seed) {
  Rng rng(seed);
  const std::vector<double> popularity = falling(options.labels, label_exponent);
  std::vector<std::vector<double>> words;
  for (std::size_t k = 0; k < options.labels; ++k) {
    words.push_back(words_of(options.vocabulary, 6.0, rng));
  }
  const std::vector<double> background =
      words_of(options.vocabulary, static_cast<double>(options.vocabulary) / 6.0, rng);
  std::vector<std::vector<std::size_t>> sets;
  for (std::size_t s = 0; s < options.label_sets; ++s) sets.push_back(drawn_set(popularity, rng));
  const std::vector<double> frequency = falling(options.label_sets, 1.0);

  LabelledItems items;
  for (std::size_t d = 0; d < options.vocabulary; ++d) items.features.columns.push_back("w" + std::to_string(d + 1));
  for (std::size_t k = 0; k < options.labels; ++k) items.labels.push_back("label" + std::to_string(k + 1));
  items.features.values.assign(options.items * options.vocabulary, 0.0);
  items.sets = BitMatrix(options.items, options.labels);
  for (std::size_t n = 0; n < options.items; ++n) {
    const std::vector<std::size_t> set =
        rng.uniform() < options.own_sets ? drawn_set(popularity, rng) : sets[drawn(frequency, rng)];
    for (const std::size_t k : set) items.sets.set(n, k);
    for (std::size_t w = 0; w < options.text; ++w) {
      const bool from_labels = rng.uniform() < options.of_labels;
      const std::size_t label = set[static_cast<std::size_t>(rng.uniform() * static_cast<double>(set.size()))];
      items.features.values[n * options.vocabulary + drawn(from_labels ? words[label] : background, rng)] = 1.0;
    }
  }
  return items;
}

}  // namespace motet::multilabel
