// Numeric judges, and judges rated on two populations, told to a terminal, to machines
// and to a browser.
#pragma once

#include <string>

#include "motet/data/value.h"
#include "motet/judges/regression.h"
#include "motet/judges/two_populations.h"
#include "motet/report/page.h"

namespace motet {

std::string regression_text(const RegressionFit& fit);
Value regression_json(const RegressionFit& fit);
Page regression_page(const RegressionFit& fit, const std::string& source, std::size_t items);

std::string two_populations_text(const TwoPopulationsResult& result, double confidence);
Page two_populations_page(const TwoPopulationsResult& result, const std::string& source);
Value two_populations_json(const TwoPopulationsResult& result);

}  // namespace motet
