#include "experiments/temporal/figures.h"

namespace motet::temporal {

std::vector<Experiment> experiments() {
  return {
      {"temporal-fig5-4", "figure 5.4: how the pull of neighbours falls off", run_figure_5_4},
      {"temporal-fig5-5", "figures 5.5 to 5.8: points and probabilities with and without time (needs data)",
       run_figures_5_5},
      {"temporal-table-5-2", "points told apart with and without time (needs data)", run_table_5_2},
  };
}

}  // namespace motet::temporal
