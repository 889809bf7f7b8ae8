// Support vector machines for classes (one against one) and for numbers, trained by libsvm on kernels that are worked
// out once.
//
// Linear: k(u, v) = u.v / D; RBF: k(u, v) = exp(-gamma |u - v|^2 / D), D features, so that costs and gammas mean the
// same for sets of 11 and of 920. A machine is plain numbers; saying something of a row needs no library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "motet/audio/scenes/examples.h"

namespace motet::audio {

enum class Kernel { linear, rbf };

struct MachineOptions {
  Kernel kernel = Kernel::linear;
  double cost = 1.0;
  double gamma = 1.0;    // of the RBF kernel
  double epsilon = 0.1;  // of numbers, by their deviation: errors below it do not count
};

struct Machine {
  Kernel kernel = Kernel::linear;
  double gamma = 1.0;
  Rows2d vectors;                       // the rows that support it
  std::size_t classes = 0;              // 0: a number
  std::vector<std::uint32_t> order;     // the classes as pairs count them
  std::vector<std::uint32_t> of_class;  // of each vector
  std::vector<double> weights;          // classes: weights against each other class, vector by vector; else one each
  std::vector<double> offsets;          // of each pair (0, 1), (0, 2) ... (1, 2) ..., or one
  double mean = 0.0;                    // of the numbers, and their deviation
  double scale = 1.0;

  double say(std::span<const double> row) const;  // the number of a class, or a number

  // Of classes: the mean of a class's decisions against the others; 0 for those that were not there to learn from.
  std::vector<double> scores(std::span<const double> row, std::size_t all_classes) const;

 private:
  std::vector<double> kernels(std::span<const double> row) const;                                    // with each vector
  double decision(std::span<const double> k, std::size_t a, std::size_t b, std::size_t pair) const;  // above 0: for a
};

// Inner products of rows, from which both kernels follow.
std::vector<double> inner_products(const Rows2d& rows);

// `products` are those of the rows.
Machine train_machine(const Rows2d& rows, std::span<const double> products, const Target& target,
                      const MachineOptions& options);

}  // namespace motet::audio
