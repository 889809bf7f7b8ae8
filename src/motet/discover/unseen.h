// How many classes are still unseen, and the chance that the next question finds one.
//
// The number of the question that first meets a class is taken to be drawn, class by class, from one distribution with
// a heavy tail, S(t) = P(first met after question t) = 1 / (1 + (t / a)^b): some stand out and are met at once, some
// late, some hardly ever. Classes that q questions have not met are those whose draw lies beyond q. With t_c for the m
// classes that were met,
//
//   P(U unseen | t)  ~  sum over a, b of  (m + U)! / U!  S(q)^U  prod_c (S(t_c - 1) - S(t_c))  /  (m + U)^2
//
// over a grid of scales a, evenly in their logarithm, and of b, each as likely, and with a prior of the number N of all
// classes that falls as 1 / N^2. An unseen class is met by the next question with 1 - S(q + 1) / S(q).
//
// When classes were met tells more than how often: questions keep away from what was answered, and a class may well
// occur once. The b, the power of the prior and the level were settled on recordings of half A so that the bound holds
// the truth in nine of ten; how often it does elsewhere is measured (docs/experiments.md, discover-recordings,
// discover-tables).
#pragma once

#include <cstddef>
#include <span>

#include "motet/discover/discovery.h"

namespace motet::discover {

struct UnseenClasses {
  std::size_t seen = 0;
  double expected = 0.0;     // number of classes unseen, its posterior mean
  std::size_t most = 0;      // the least number that is not exceeded with 90 %
  double next_is_new = 0.0;  // chance that the next question finds one
  bool can_tell = false;     // not before a class was met
};

// `first_met`: by class that was found, the number of the answer that found it, 1 to `answers`.
UnseenClasses unseen_classes(std::span<const std::size_t> first_met, std::size_t answers);

// Rows are counted once, in the order in which they were first spoken of; those that nobody was sure of are not.
UnseenClasses unseen_classes(const Discovery& discovery);

}  // namespace motet::discover
