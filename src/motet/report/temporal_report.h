// A mixture fitted to rows in time order, told to a terminal, to machines and to a browser.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "motet/data/features.h"
#include "motet/data/value.h"
#include "motet/report/page.h"
#include "motet/temporal/fit.h"

namespace motet {

// Rows of one component that follow one another.
struct RunLengths {
  std::size_t rows = 0;  // of the component
  std::size_t runs = 0;
  double mean = 0.0;  // rows a run; 0 without any
  std::size_t median = 0;
  std::size_t longest = 0;
};
std::vector<RunLengths> run_lengths(const Features& features, const std::vector<std::uint8_t>& states,
                                    std::size_t components);

struct TemporalReport {
  const TemporalFit& fit;
  const Features& features;
  std::string source = {};
  std::size_t labelled = 0;                                       // rows with a known class
  std::vector<std::pair<std::string, std::string>> options = {};  // shown with the fit: what, value
  std::vector<std::string> warnings = {};                         // beside those of the fit
};

std::string temporal_text(const TemporalReport& report);
Value temporal_json(const TemporalReport& report);
Page temporal_page(const TemporalReport& report);

// Of a chain: how long components stay and which come next.
Table transition_table(const Mixture& mixture);

// "1", or "3 (owl)" when the component belongs to a class.
std::string component_name(const Mixture& mixture, std::size_t component);

}  // namespace motet
