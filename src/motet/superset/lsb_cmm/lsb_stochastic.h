// The mixture for data of millions of rows: steps on a batch of rows each, then a few iterations over
// all of them.
//
// A step takes the batch for the whole data, every row standing for N / B items, and goes a share r of
// the way to the parameters that it asks for: the natural gradient for a (Hoffman et al. 2013), Newton
// steps for w, so both have the same r_t = r_1 (1 + t / 4)^-0.6. r_1 is the one of 1, 1/2, 1/4 and 1/8 that
// after some steps foresees the candidates of rows that are kept aside best. The iterations at the end
// take w by the bound of Boehning, which needs nothing of a row but the row: their bound never falls, and
// the memory beside the data is that of a batch and of one number per row.
#pragma once

#include "motet/superset/lsb_cmm/lsb_fit.h"

namespace motet::superset {

// With batches of so many rows. The summary is that of the full iterations.
LsbFit fit_stochastic(const LsbRows& rows, const LsbStart& start, const LsbRule& rule, std::size_t batch,
                      const Rng& rng, const RunContext& run, std::string_view stage);

// The model after more rows. What it learnt counts as items seen: a_kl goes on from the model's, and w goes
// the share of the new rows among all of the way that they ask for. Rows come prepared as the model's; no
// component is added. The summary's objective is sum_n log Z_n of the new rows, which may fall.
LsbFit update_lsb_cmm(const LsbCmm& model, const CandidateItems& items, std::span<const double> x,
                      const SupersetOptions& options, const RunContext& run);

}  // namespace motet::superset
