// How far stated probabilities can be trusted, as results tell it.
#pragma once

#include "motet/data/value.h"
#include "motet/measure/label_sets.h"
#include "motet/report/page.h"

namespace motet {

// Share right against the stated probability, with the diagonal on which they agree.
Plot reliability_plot(PlotText text, const Reliability& reliability);

Value reliability_bins(const Reliability& reliability);

}  // namespace motet
