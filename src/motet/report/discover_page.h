// A search for rare classes as a page: what was found, when, and how far the guarantee reaches.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "motet/data/features.h"
#include "motet/data/segment.h"
#include "motet/discover/discovery.h"
#include "motet/discover/learning_curve.h"
#include "motet/discover/project.h"
#include "motet/discover/simulate.h"
#include "motet/report/discover_text.h"
#include "motet/report/page.h"

namespace motet {

struct DiscoverReport {
  const DiscoverStatus& status;
  const Features& features;
  const Discovery& discovery;
  const std::vector<Segment>& segments;
  const std::vector<AnswerEntry>& history;
  const LearningCurve& curve;
};

Page discover_page(const DiscoverReport& report);

// The first is the strategy asked for, the others stand beside it. `source` is where the rows came from.
Page simulation_page(std::span<const DiscoveryComparison> comparisons, const std::string& source);

}  // namespace motet
