// Which figures of an experiment lie near their references: counted over every row that has one, never by hand.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "experiments/experiment.h"

namespace motet {

struct Measured {
  double value = 0.0;
  double error = 0.0;  // standard error; 0: not known
};

// Mean and its standard error; error 0 of one value.
Measured mean_of(const std::vector<double>& values);

// (ours - reference) in standard errors of both. A reference without one came from as many runs as ours and has
// been rounded to `digits` digits. NaN where ours has none either: then nothing can be said.
double away(const Measured& ours, const Measured& reference, int digits = 3);

// "0.0534 ± 0.0012", or without an error that is not known; empty for NaN.
std::string text_of(const Measured& measured, int digits);

class ReferenceAgreement {
 public:
  // Does not count where `away` is NaN.
  void add(const std::string& what, const std::string& ours, const std::string& reference, double away);
  void add(const std::string& what, const Measured& ours, const Measured& reference, int digits = 4);
  // "35 of 36 references lie within three standard errors; not so: recall, cross with 3000 items (0.8334 ± 0.0004
  // against 0.7520, +144.2)"
  std::string text() const;
  void note(ExperimentWriter& writer) const { writer.note(text()); }

 private:
  std::size_t compared_ = 0;
  std::vector<std::string> far_;
};

}  // namespace motet
