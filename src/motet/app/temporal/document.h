// A mixture fitted to rows in time order, told once.
#pragma once

#include "motet/report/document.h"
#include "motet/temporal/fit.h"

namespace motet::temporal {

struct TemporalReport {
  const TemporalFit& fit;
  const Features& features;
  std::string source = {};
  std::size_t labelled = 0;                // rows with a known class
  WhatAndValue options = {};               // shown with the fit
  std::vector<std::string> warnings = {};  // beside those of the fit
};
Document temporal_document(const TemporalReport& report);

// "1", or "3 (owl)" when the component belongs to a class.
std::string component_name(const Mixture& mixture, std::size_t component);

}  // namespace motet::temporal
