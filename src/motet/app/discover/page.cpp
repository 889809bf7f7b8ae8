#include "motet/app/discover/page.h"

#include "motet/discover/learning_curve.h"
#include "motet/discover/segments.h"
#include "motet/report/discover_page.h"

namespace motet {

Page page_of(Project& project, const DiscoverStatus& status, const RunContext& run) {
  const Discovery& discovery = project.discovery();
  const Features& features = project.features();
  const Propagation rows = propagate(features, discovery, run);
  const std::vector<Segment> segments = segments_of(features, discovery, rows, {});
  const LearningCurve curve = learning_curve(features, discovery, rows);
  return discover_page({status, features, discovery, segments, project.history(), curve});
}

}  // namespace motet
