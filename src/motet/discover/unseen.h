// How many classes are still unseen, and the chance that the next question finds one.
//
// Each class has a rate at which questions meet it; rates are gamma distributed over classes, so that the number of
// times a class was met is negative binomial with shape a and share p, and 0 with probability p_0 = (1 - p)^a. With n_c
// for the S classes that were met,
//
//   P(U unseen | n)  ~  sum over a, p of  (S + U)! / U! p_0^U prod_c NB(n_c; a, p) / (S + U)
//
// on a grid of shapes and mean numbers n = a p / (1 - p), each as likely, and with the prior 1 / N of the number of all
// classes. An unseen class is met by the next question with a p / q in the mean, q questions being asked. It is a
// picture: questions are chosen, not drawn, and rare faint classes may be unlike those that were met. How often the
// interval holds the truth is measured (docs/experiments.md, discover-recordings).
#pragma once

#include <cstddef>
#include <span>

#include "motet/discover/discovery.h"

namespace motet::discover {

struct UnseenClasses {
  std::size_t seen = 0;
  double expected = 0.0;     // number of classes unseen, its posterior mean
  std::size_t most = 0;      // the least number that is not exceeded with 95 %
  double next_is_new = 0.0;  // chance that the next question finds one
  bool can_tell = false;     // not before a class was met
};

// `met`: how often each class that was found was met, at least once; `questions`: answered in all.
UnseenClasses unseen_classes(std::span<const std::size_t> met, std::size_t questions);

// Answers of a class no more than 2g + 1 rows apart, with no other answer between them, are one meeting.
UnseenClasses unseen_classes(const Features& features, const Discovery& discovery);

}  // namespace motet::discover
