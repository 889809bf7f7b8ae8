#include "experiments/discover/figures.h"

namespace motet::discover {

std::vector<Experiment> experiments() {
  std::vector<Experiment> list = {
      {"discover-fig6-1", "figures 6.1 to 6.3: one rare class between two clusters, drawn", run_discover_figures},
      {"discover-toy", "figures 6.1, 6.2 and 8.1: one rare class between two clusters, every strategy",
       run_discover_toy},
      {"discover-uci", "requests to find every class of ecoli and glass (needs data)", run_discover_uci},
      {"discover-five-classes", "five rare events in a long sequence: exclusion against the published algorithm",
       run_discover_five_classes},
  };
  for (Experiment& experiment : list) experiment.is_scalable = true;
  return list;
}

}  // namespace motet::discover
