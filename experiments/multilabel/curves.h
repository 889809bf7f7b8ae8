// A measure of several trainings over the number of items: ours with its standard error, what
// theory says, a reference, and how many standard errors lie between.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "experiments/experiment.h"

namespace motet {

struct Measured {
  double value = 0.0;
  double error = 0.0;  // standard error; 0: not known
};

Measured mean_of(const std::vector<double>& values);
Measured root_mean_of(const std::vector<double>& squares);  // sqrt of the mean, its error by the delta method

class Curves {
 public:
  Curves(std::string title, std::string y_title) : title_(std::move(title)), y_title_(std::move(y_title)) {}

  // One place on a curve. Theory NaN: none; no reference: empty.
  void add(const std::string& training, double items, Measured ours, double theory = no_theory,
           const std::map<double, Measured>& reference = {});
  void write(ExperimentWriter& writer, bool log_y, int digits = 4) const;
  std::size_t compared() const { return compared_; }
  std::size_t far() const { return far_; }  // of them more than three standard errors away

  static const double no_theory;

 private:
  struct Place {
    std::string training;
    double items = 0.0;
    Measured ours;
    double theory = 0.0;
    Measured reference;
    double away = 0.0;  // NaN without a reference
  };

  std::string title_, y_title_;
  std::vector<Place> places_;
  std::size_t compared_ = 0;
  std::size_t far_ = 0;
};

// "36 of 38 references lie within three standard errors"
void note_agreement(ExperimentWriter& writer, const std::vector<const Curves*>& curves);

}  // namespace motet
