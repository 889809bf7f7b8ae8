// How a search has gone: after each answer, how many classes were known and how much
// of the data the guarantee covered, beside what rows asked at random would have found.
#pragma once

#include <vector>

#include "motet/data/features.h"
#include "motet/discover/certificate.h"
#include "motet/discover/discovery.h"
#include "motet/discover/questions/propagate.h"

namespace motet::discover {

struct LearningCurve {
  std::vector<double> classes;  // that an answer held of after 1, 2, ... answers, without the background
  std::vector<double> covered;  // share of the rows within the exclusion radius of an answer
  // What r rows drawn at random would have found of the classes known by now, had each as many rows
  // as the model gives it: sum_c 1 - C(N - n_c, r) / C(N, r).
  std::vector<double> at_random;
};

LearningCurve learning_curve(const Features& features, const Discovery& discovery, const Propagation& rows);

// At least this share of the rows is covered after 1, 2, ... answers to questions: each adds g + 1 rows.
std::vector<double> promised_cover(const SearchCertificate& certificate, std::size_t rows, std::size_t answers);

}  // namespace motet::discover
