// Numeric judges, and judges rated on two populations, told once.
#pragma once

#include "motet/judges/confusion/two_populations.h"
#include "motet/judges/numeric/regression.h"
#include "motet/report/document.h"

namespace motet::judges {

Document regression_document(const RegressionFit& fit, const std::string& source, std::size_t items);

Document two_populations_document(const TwoPopulationsResult& result, const std::string& source, double confidence);

}  // namespace motet::judges
