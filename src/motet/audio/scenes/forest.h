// Random forests: XGBoost's trees, all grown at once on samples of the rows, with some of the features at each split.
//
// 63.2 % of the rows per tree; at a split the root of the number of features for classes, a third of them for numbers;
// one thread, so that the same seed gives the same trees.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "motet/audio/scenes/examples.h"
#include "motet/base/rng.h"

namespace motet::audio {

struct ForestOptions {
  std::size_t trees = 500;
};

class Forest {
 public:
  static Forest grow(const Rows2d& rows, const Target& target, const ForestOptions& options, Seed seed);

  // XGBoost's own form of a model. Throws Error{bad_data} for what is none.
  static Forest from_text(const std::string& text, std::size_t width, std::size_t classes);
  std::string to_text() const;

  std::vector<double> say(const Rows2d& rows) const;  // the number of a class, or a number

  // Of classes: a column each, the mean of the trees' leaves.
  Rows2d margins(const Rows2d& rows) const;

 private:
  struct Inside;
  std::shared_ptr<Inside> inside_;
};

}  // namespace motet::audio
