// A measure of several trainings over the number of items: ours with its standard error, what
// theory says, a reference, and how many standard errors lie between.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "experiments/agreement.h"

namespace motet::multilabel {

Measured root_mean_of(const std::vector<double>& squares);  // sqrt of the mean, its error by the delta method

class Curves {
 public:
  Curves(std::string title, std::string y_title) : title_(std::move(title)), y_title_(std::move(y_title)) {}

  // One place on a curve. Theory NaN: none; no reference: empty.
  void add(const std::string& training, double items, Measured ours, double theory = no_theory,
           const std::map<double, Measured>& reference = {});
  // Every row with a reference is told to `agreement`.
  void write(ExperimentWriter& writer, ReferenceAgreement& agreement, bool log_y, int digits = 4) const;

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
};

// How often each came first: "deconvolution (3), new (1)".
std::string leaders_text(const std::map<std::string, std::size_t>& counts);

}  // namespace motet::multilabel
