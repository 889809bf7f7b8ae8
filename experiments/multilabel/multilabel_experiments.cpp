#include "experiments/multilabel/figures.h"
#include "experiments/multilabel/rare_labels.h"

namespace motet::multilabel {

std::vector<Experiment> experiments() {
  return {{"multilabel-fig5-2", "ten sources in ten dimensions: how well each training finds them", run_figure_5_2},
          {"multilabel-fig5-3", "ten sources in ten dimensions: how well items are classified", run_figure_5_3},
          {"multilabel-fig5-4", "figure 5.4: clips of speech, noise, both and music, six trainings", run_figure_5_4},
          {"multilabel-fig6-1",
           "figures 6.1, 6.2, 6.3: two Gaussian sources, errors of five trainings and their theory", run_figure_6_1},
          {"multilabel-fig6-4", "figures 6.4, 6.5: two Bernoulli sources joined by or, the same", run_figure_6_4},
          {"multilabel-fig6-6", "deconvolution against a source of its own for every set, by probabilities",
           run_figure_6_6},
          {"multilabel-constants", "closed forms of two sources, least errors, reject option", run_multilabel_constants,
           true},
          {"multilabel-coverage", "how often intervals of source parameters hold the truth", run_multilabel_coverage},
          {"multilabel-public-sets", "emotions, scene, yeast, birds: auto and the usual classifiers (needs data)",
           run_multilabel_public_sets},
          {"multilabel-rare-labels", "made-up texts with rare labels: auto beside what is usual",
           run_multilabel_rare_labels}};
}

}  // namespace motet::multilabel
