#include "motet/multilabel/sources/fit_sources.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "motet/base/error.h"
#include "motet/data/views.h"
#include "motet/multilabel/sources/deconvolution_rates.h"
#include "motet/multilabel/sources/design.h"
#include "motet/multilabel/sources/gaussian_problem.h"
#include "motet/multilabel/sources/integrated.h"
#include "motet/multilabel/sources/one_of.h"
#include "motet/multilabel/sources/trainings.h"
#include "motet/sources/density/pair_density.h"
#include "motet/sources/family.h"

namespace motet::multilabel {
namespace {

void require_possible(const TrainOptions& options) {
  check_ranges(options);
  const bool apart = options.method == Training::deconvolution && options.combine != Combination::one_of;
  if (apart && is_gaussian(options.source) && options.covariance != Covariance::diagonal &&
      !is_closed_form(options.source, options.combine)) {
    require_pair(options.source, options.combine);
    fail(ErrorKind::usage,
         fmt::format("--covariance {}: --source {} with --combine {} has only diagonal",
                     covariance_words[static_cast<std::size_t>(options.covariance)], family_word(options.source),
                     combination_words[static_cast<std::size_t>(options.combine)]));
  }
  require_density(options.source, options.combine, options.covariance, options.noise);
  if (options.method == Training::automatic) {
    fail(ErrorKind::usage, "--method auto is chosen from items, not from statistics");
  }
  if (options.noise && options.method != Training::deconvolution && options.covariance != Covariance::point) {
    fail(ErrorKind::usage, fmt::format("--noise: --method {} cannot tell it from the sources; deconvolution can",
                                       training_words[static_cast<std::size_t>(options.method)]));
  }
}

void describe(Sources& sources, const TrainOptions& options, std::size_t dimensions, std::size_t count,
              bool background) {
  sources.family = options.source;
  sources.combination = options.combine;
  sources.covariance = options.covariance;
  sources.dimensions = dimensions;
  sources.count = count;
  sources.background = background;
}

// What the items say beside their statistics: the scatter of all sets together, by the weights of the design.
using Within = std::function<std::vector<double>(const SetDesign&)>;

SourceFit fit_from_statistics(const SetStatistics& statistics, const TrainOptions& options, const RunContext& run,
                              std::span<const std::string> names, const Within& within) {
  require_possible(options);
  const bool is_deconvolution = options.method == Training::deconvolution;
  if (is_deconvolution && !is_closed_form(options.source, options.combine)) {
    fail(ErrorKind::usage,
         fmt::format("--source {} with --combine {} cannot be learnt from statistics of label sets",
                     family_word(options.source), combination_words[static_cast<std::size_t>(options.combine)]));
  }
  const SetStatistics taught = is_deconvolution ? SetStatistics{} : taught_statistics(statistics, options, names);
  const SetStatistics& used = is_deconvolution ? statistics : taught;
  const bool background = is_deconvolution && options.background;
  const SetDesign design = design_of(used.sets, used.count, options.combine, background);
  if (is_deconvolution) {
    require_answerable(design, used.count, background, options.prior_strength > 0.0, names);
  }
  const std::vector<double> scatter = within ? within(design) : std::vector<double>{};
  SourceFit fit = is_gaussian(options.source) ? fit_gaussian(used, design, options, run, scatter)
                                              : fit_rates(used, design, options, run);
  describe(fit.sources, options, statistics.dimensions, design.sources,
           options.background && options.method != Training::fresh);
  return fit;
}

}  // namespace

bool is_closed_form(Family family, Combination combination) {
  return combination != Combination::one_of && has_closed_form(family, combination);
}

SourceFit fit_named_sources(const SetStatistics& statistics, const TrainOptions& options, const RunContext& run,
                            std::span<const std::string> names) {
  return fit_from_statistics(statistics, options, run, names, {});
}

SourceFit fit_named_sources(const LabelSetIndex& all, std::span<const double> x, std::size_t dimensions,
                            const TrainOptions& options, const RunContext& run, std::span<const std::string> names) {
  require_possible(options);
  // Items that teach nothing are not even looked at: their values need not suit the sources.
  LabelSetIndex some;
  std::vector<std::uint32_t> teaching;
  Rows rows = Rows::all(all.of_row.size());
  const bool leaves_out = options.method == Training::ignore;
  if (leaves_out) {
    const BitMatrix sets = all.sets.rows_of(all.of_row);
    teaching = teaching_rows(sets, options);
    rows = teaching;
    some = index_label_sets(sets, rows);
  }
  const LabelSetIndex& index = leaves_out ? some : all;
  const bool from_statistics =
      options.method != Training::deconvolution || is_closed_form(options.source, options.combine);
  if (from_statistics) {
    // Sets whose items teach one source each, or all in one way, need no matrix per set when there is one covariance.
    const bool pooled = is_gaussian(options.source) && has_one_covariance(options) &&
                        (options.method == Training::deconvolution || options.method == Training::fresh);
    const bool full = is_gaussian(options.source) && needs_matrices(options) && !pooled;
    SetStatistics statistics = gather(index, x, dimensions, options.source, full, run.threads);
    const auto log_constant = family_of(options.source).log_constant;
    if (log_constant != nullptr) statistics.log_jacobian = log_constant(x, dimensions, rows);
    Within within;
    if (pooled) {
      within = [&](const SetDesign& design) {
        return pooled_scatter(index, x, statistics, design, options, run.threads);
      };
    }
    return fit_from_statistics(statistics, options, run, names, within);
  }
  std::vector<double> count(index.size());
  for (std::size_t l = 0; l < index.size(); ++l) count[l] = static_cast<double>(index.count(l));
  const SetDesign design = design_of(index.sets, count, options.combine, options.background);
  // What several sources emit together must be told apart, but one of them alone shows itself.
  require_answerable(design, count, options.background,
                     options.prior_strength > 0.0 || options.combine == Combination::one_of, names);
  SourceFit fit = options.combine == Combination::one_of ? fit_one_of(index, x, dimensions, design, options, run)
                                                         : fit_integrated(index, x, dimensions, design, options, run);
  describe(fit.sources, options, dimensions, design.sources, options.background);
  return fit;
}

SourceFit fit_sources(const SetStatistics& statistics, const TrainOptions& options, const RunContext& run) {
  return fit_named_sources(statistics, options, run, {});
}

SourceFit fit_sources(const LabelSetIndex& index, std::span<const double> x, std::size_t dimensions,
                      const TrainOptions& options, const RunContext& run) {
  return fit_named_sources(index, x, dimensions, options, run, {});
}

}  // namespace motet::multilabel
