// The classifiers behind compare.h. Each sees standardised features.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "motet/base/run.h"
#include "motet/data/labelled_items.h"

namespace motet::multilabel {

struct BaselineData {
  std::size_t dimensions = 0;
  std::vector<double> train;  // rows x D, standardised on themselves
  std::vector<double> test;   // rows x D, by the same centre and scale
  LabelSetIndex index;        // label sets of the training items
  BitMatrix sets;             // training items x labels

  std::size_t train_rows() const { return index.of_row.size(); }
  std::size_t test_rows() const { return dimensions == 0 ? 0 : test.size() / dimensions; }
  std::size_t labels() const { return sets.columns(); }
};

// Trains on classes 0 ... count - 1 of the training items and gives the class of each test item.
// Every class has an item; count is at least 2.
using ClassRule = std::function<std::vector<std::uint32_t>(const BaselineData& data, std::span<const std::uint32_t> of,
                                                           std::size_t count, const RunContext& run)>;

// Linear discriminant: one covariance for all classes, the mean of theirs, each shrunk to its
// diagonal with the weight of Ledoit and Wolf (2004); what scikit-learn calls shrinkage = "auto".
std::vector<std::uint32_t> linear_discriminant(const BaselineData& data, std::span<const std::uint32_t> of,
                                               std::size_t count, const RunContext& run);

// Logistic regression, multinomial for more than two classes: least C sum of losses + |w|^2 / 2,
// C = 0.1, intercepts free.
std::vector<std::uint32_t> logistic_regression(const BaselineData& data, std::span<const std::uint32_t> of,
                                               std::size_t count, const RunContext& run);

// libsvm's C-SVC with exp(-gamma |u - v|^2), C = 3, gamma = 1 / (D x variance of all values); one
// against one for more than two classes. Without probability estimates it has no randomness.
std::vector<std::uint32_t> support_vectors(const BaselineData& data, std::span<const std::uint32_t> of,
                                           std::size_t count, const RunContext& run);

// ML-kNN (Zhang and Zhou 2007): a label is given when it is likelier than not, by Bayes' rule from
// how many of the 10 nearest training items have it; counts are smoothed by 1.
BitMatrix nearest_neighbours(const BaselineData& data, const RunContext& run);

}  // namespace motet::multilabel
