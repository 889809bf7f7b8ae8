// What the classifiers behind compare.h are given: standardised features, and the label sets of the training items.
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

}  // namespace motet::multilabel
