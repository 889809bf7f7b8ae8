#include "experiments/judges/figures.h"

namespace motet::judges {

std::vector<Experiment> experiments() {
  std::vector<Experiment> list = {
      {"judges-constants", "sqrt(n) times the mean absolute error for large n, from the exact information",
       run_constants},
      {"judges-fig4", "error against the number of items for 1, 3, 5 and 10 judges", run_figure_4},
      {"judges-fig6", "judges measured together against each alone", run_figure_6},
      {"judges-fig7", "measured without labels against measured with labels", run_figure_7},
      {"judges-fig8", "what a wrong class prior costs", run_figure_8},
      {"judges-fig9", "accuracy of the combined answer, classes and numbers", run_figure_9},
      {"judges-fig10", "RTE and TEMP: five annotators without labels (needs data)", run_figure_10},
      {"judges-coverage", "how often the 95 % intervals hold the truth", run_coverage},
      {"judges-dependence", "judges that err together: ignored, allowed for, selected", run_dependence},
      {"judges-public-sets", "the default on six public sets, against majority vote (needs data)", run_public_sets},
      {"judges-leave-one-out", "the default and its peers on public sets and made judges (needs data)",
       run_leave_one_out},
  };
  for (Experiment& experiment : list) experiment.has_one_size = true;
  return list;
}

}  // namespace motet::judges
