// The loop of the mixture's EM from a given start, and the same loop's parts for tests.
#pragma once

#include "motet/superset/lsb_cmm/lsb_cmm.h"
#include "motet/superset/lsb_cmm/lsb_start.h"
#include "motet/superset/lsb_cmm/m_step.h"

namespace motet::superset {

constexpr double lsb_rounding = 1e-9;  // how far the bound may fall, relative

struct LsbRule {
  LsbPrior prior;
  MStepRule m_step;
  std::size_t max_iterations = 100;
  double tolerance = 1e-6;  // relative rise of the bound
  bool prune = true;        // components that lost all their items
};

// Stage names the checkpoint; empty: none is written.
LsbFit fit_from(const LsbRows& rows, const LsbStart& start, const LsbRule& rule, const Rng& jitter,
                const RunContext& run, std::string_view stage);

LsbRule rule_of(const SupersetOptions& options);
LsbParameters parameters_of(const LsbCmm& model);
LsbCmm model_of(const LsbParameters& parameters, std::vector<double> mass);

// Without components whose mass is below `least`; one stays at least. Returns whether any went.
bool prune(LsbParameters& parameters, std::vector<double>& mass, double least);

}  // namespace motet::superset
