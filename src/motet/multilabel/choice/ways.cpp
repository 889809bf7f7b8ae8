#include "motet/multilabel/choice/ways.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motet/base/error.h"
#include "motet/sources/family.h"

namespace motet::multilabel {
namespace {

constexpr std::size_t most_landmarks = 2000;
constexpr double most_cells = 2e7;  // of the scatter matrices of all label sets: 160 MB

struct Shape {
  std::size_t rows = 0;  // of a fold's training items
  std::size_t columns = 0;
  std::size_t sets = 0;
  bool has_empty = false;
  bool is_sparse = false;  // at least half of the values are 0
  ValueShape values;
};

Shape shape_of(const LabelledItems& items, std::size_t folds) {
  Shape shape;
  shape.rows = items.rows() - (items.rows() + folds - 1) / folds;
  shape.columns = items.features.dimensions();
  const LabelSetIndex index = index_label_sets(items.sets);
  shape.sets = index.size();
  shape.has_empty = index.size() > 0 && index.sets.count(0) == 0;
  ValueShape& values = shape.values;
  std::size_t zeros = 0;
  for (const double x : items.features.values) {
    zeros += x == 0.0 ? 1 : 0;
    values.is_boolean = values.is_boolean && (x == 0.0 || x == 1.0);
    values.is_count = values.is_count && x >= 0.0 && x == std::floor(x);
    values.has_zero = values.has_zero || x == 0.0;
    values.has_negative = values.has_negative || x < 0.0;
  }
  shape.is_sparse = 2 * zeros >= items.features.values.size();
  return shape;
}

bool fits_memory(const Shape& shape, std::size_t dimensions) {
  return static_cast<double>(shape.sets * dimensions * dimensions) <= most_cells;
}

TrainOptions with(TrainOptions base, Training method, Combination combine, Covariance covariance, bool background,
                  bool noise = false) {
  base.method = method;
  base.combine = combine;
  base.covariance = covariance;
  base.background = background;
  base.noise = noise;
  return base;
}

// Where most values are 0, as in texts, or features outnumber items, sources are seldom the right picture. Elsewhere
// these ways label no better than sources, and their probabilities are surer than they may be.
bool suits_linear(const Shape& shape) { return shape.is_sparse || shape.columns > shape.rows; }

// Without sources: a strong and a weak penalty, between which the best one lies on most data.
void add_linear(const TrainOptions& base, std::vector<TrainOptions>& ways) {
  for (const double penalty : {0.5, 0.1, 0.02}) {
    TrainOptions way = with(base, Training::log_linear, Combination::sum, base.covariance, false);
    way.penalty = base.given.penalty ? base.penalty : penalty;
    ways.push_back(way);
    if (base.given.penalty) break;
  }
}

// Ways for features that are prepared already; `dimensions` is how many they are then.
void add_gaussian(const Shape& shape, const TrainOptions& base, std::size_t dimensions,
                  std::vector<TrainOptions>& ways) {
  using enum Training;
  using enum Covariance;
  if (fits_memory(shape, dimensions)) {
    ways.push_back(with(base, deconvolution, Combination::sum, point, true, true));
    ways.push_back(with(base, deconvolution, Combination::sum, shared, true));
    ways.push_back(with(base, fresh, Combination::sum, shared, false));
  }
  if (suits_linear(shape)) add_linear(base, ways);
  if (base.kernel > 0) return;
  const bool background = shape.has_empty;
  if (fits_memory(shape, dimensions)) {
    ways.push_back(with(base, deconvolution, Combination::mean, shared, background));
    if (dimensions <= 20) {
      for (const Training method : {ignore, cross, probabilistic}) {
        ways.push_back(with(base, method, Combination::mean, full, background));
      }
    }
  }
  ways.push_back(with(base, deconvolution, Combination::sum, diagonal, true));
  ways.push_back(with(base, fresh, Combination::sum, diagonal, false));
}

// All features at once, for which sources need more items: in units of their own, and as they come where most are 0.
void add_plain_linear(const Shape& shape, const TrainOptions& base, std::vector<TrainOptions>& ways) {
  for (const bool standardize : {true, false}) {
    if (!standardize && !shape.is_sparse) continue;
    TrainOptions way = base;
    way.standardize = standardize;
    const bool is_there = standardize && shape.columns <= 100 && 2 * shape.columns < shape.rows;
    if (!is_there) add_linear(way, ways);
    for (const Training method : {Training::logistic, Training::chain, Training::powerset}) {
      ways.push_back(with(way, method, Combination::sum, base.covariance, false));
    }
  }
}

void add_gaussian_preparations(const Shape& shape, const TrainOptions& base, std::vector<TrainOptions>& ways) {
  if (base.standardize || base.pca > 0 || base.kernel > 0) {  // as the user wants them
    add_gaussian(shape, base, base.pca > 0 ? base.pca : shape.columns, ways);
    return;
  }
  TrainOptions way = base;
  way.standardize = true;
  if (shape.columns <= 100 && 2 * shape.columns < shape.rows) add_gaussian(shape, way, shape.columns, ways);
  for (const std::size_t pca : {std::size_t{10}, std::size_t{20}, std::size_t{50}}) {
    if (pca >= shape.columns || 2 * pca >= shape.rows) continue;
    way.pca = pca;
    add_gaussian(shape, way, pca, ways);
  }
  if (suits_linear(shape)) add_plain_linear(shape, base, ways);
  way.kernel = most_landmarks;
  const std::vector<double> widths =
      base.given.kernel_width ? std::vector{base.kernel_width} : std::vector{0.7, 1.0, 1.4};
  for (const double width : widths) {
    way.kernel_width = width;
    for (const std::size_t pca : {std::size_t{30}, std::size_t{60}, std::size_t{120}, std::size_t{250}}) {
      if (2 * pca >= shape.rows || !fits_memory(shape, pca)) continue;
      way.pca = pca;
      add_gaussian(shape, way, pca, ways);
    }
  }
}

void add_family(const TrainOptions& base, Family family, std::vector<TrainOptions>& ways) {
  TrainOptions way = base;
  way.source = family;
  way.standardize = false;
  way.pca = 0;
  way.kernel = 0;
  if (is_gaussian(family)) way.covariance = Covariance::diagonal;
  for (const FamilyWay& own : family_of(family).ways) {
    ways.push_back(with(way, Training::deconvolution, own.combination, way.covariance, true, own.noise));
    ways.push_back(with(way, Training::fresh, own.combination, way.covariance, false));
  }
}

bool keeps_what_was_given(const TrainOptions& way, const TrainOptions& options) {
  const GivenOptions& given = options.given;
  if (given.covariance && is_gaussian(way.source) && way.covariance != options.covariance) return false;
  if (!has_sources(way.method)) {
    return !given.source && !given.combine && !given.background && !given.noise && !given.covariance;
  }
  // `new` has nothing that these could be said of: who gives them wants another method.
  if (way.method == Training::fresh) return !given.combine && !given.background && !given.noise;
  return (!given.combine || way.combine == options.combine) &&
         (!given.background || way.background == options.background) && (!given.noise || way.noise == options.noise);
}

[[noreturn]] void fail_without_ways(const TrainOptions& options) {
  std::vector<std::string> given;
  const auto add = [&](bool is_given, std::string_view name, std::string_view value) {
    if (is_given) given.push_back(fmt::format("{} {}", name, value));
  };
  const auto add_flag = [&](bool is_given, bool value, std::string_view name) {
    if (is_given) given.push_back(fmt::format("{}{}", value ? "" : "no ", name));
  };
  add(options.given.source, "--source", family_word(options.source));
  add(options.given.combine, "--combine", combination_words[static_cast<std::size_t>(options.combine)]);
  add(options.given.covariance, "--covariance", covariance_words[static_cast<std::size_t>(options.covariance)]);
  add_flag(options.given.background, options.background, "--background");
  add_flag(options.given.noise, options.noise, "--noise");
  fail(ErrorKind::usage,
       fmt::format("--method auto tries no way with {}; leave that out, or name a method", fmt::join(given, ", ")));
}

std::string prepared_name(const TrainOptions& way) {
  std::string name;
  if (way.kernel > 0) name += fmt::format(" kernel {}", way.kernel_width);
  if (way.pca > 0) name += fmt::format(" pca {}", way.pca);
  return name;
}

}  // namespace

std::vector<TrainOptions> ways_to_train(const LabelledItems& items, const TrainOptions& options) {
  const Shape shape = shape_of(items, options.folds);
  TrainOptions base = options;
  // Rare labels of a fold need a prior; one item is the least.
  if (base.prior_strength == 0.0) base.prior_strength = 1.0;
  std::vector<TrainOptions> ways;
  const bool gaussian = options.source == Family::gaussian;
  const bool any = gaussian && !options.given.source;  // the default: data decide
  const bool prepared = options.standardize || options.pca > 0 || options.kernel > 0;
  if (gaussian) add_gaussian_preparations(shape, base, ways);
  // Those of whole numbers first.
  for (const bool whole : {true, false}) {
    for (std::size_t i = 0; i < source_families().size(); ++i) {
      const SourceFamily& family = source_families()[i];
      const bool is_wanted = options.source == static_cast<Family>(i) || (any && !prepared);
      if (!is_wanted || family.is_whole != whole || family.ways.empty()) continue;
      if (family.suits(shape.values, !any)) add_family(base, static_cast<Family>(i), ways);
    }
  }
  if (ways.empty() && any) add_plain_linear(shape, base, ways);  // items are too few for sources
  const bool has_sources_to_try =
      std::any_of(ways.begin(), ways.end(), [](const TrainOptions& way) { return has_sources(way.method); });
  std::erase_if(ways, [&](const TrainOptions& way) { return !keeps_what_was_given(way, options); });
  if (ways.empty() && !has_sources_to_try) {
    fail(ErrorKind::unanswerable, fmt::format("{} items are too few for --method auto; name a method", items.rows()));
  }
  if (ways.empty()) fail_without_ways(options);
  return ways;
}

std::string name_of_way(const TrainOptions& way) {
  std::string name = training_words[static_cast<std::size_t>(way.method)];
  if (!has_sources(way.method)) {
    name += fmt::format(" penalty {:.3g}", way.penalty);
    if (way.standardize) name += " standardized";
    return name + prepared_name(way);
  }
  if (way.source != Family::gaussian) name += fmt::format(" {}", family_word(way.source));
  if (way.method != Training::fresh)
    name += fmt::format(" {}", combination_words[static_cast<std::size_t>(way.combine)]);
  if (is_gaussian(way.source)) name += fmt::format(" {}", covariance_words[static_cast<std::size_t>(way.covariance)]);
  if (way.background && way.method != Training::fresh) name += " background";
  if (way.noise) name += " noise";
  return name + prepared_name(way);
}

}  // namespace motet::multilabel
