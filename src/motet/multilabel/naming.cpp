#include "motet/multilabel/naming.h"

#include <fmt/format.h>

#include "motet/sources/family.h"

namespace motet::multilabel {
namespace {

std::string preparation_text(const TrainOptions& options) {
  std::string text = options.standardize ? ", standardized" : "";
  if (options.pca > 0) {
    text += options.kernel > 0
                ? fmt::format(", {} components of a kernel of width {:.3g}", options.pca, options.kernel_width)
                : fmt::format(", {} components", options.pca);
  }
  return text;
}

}  // namespace

std::string describe(const TrainOptions& options) {
  const auto word = [](const auto& words, auto value) { return words[static_cast<std::size_t>(value)]; };
  if (!has_sources(options.method)) {
    std::string text = fmt::format("{}, penalty {:.3g}", word(training_words, options.method), options.penalty);
    return text + preparation_text(options);
  }
  std::string text = fmt::format("{}, {} {}", word(training_words, options.method), family_word(options.source),
                                 word(combination_words, options.combine));
  if (is_gaussian(options.source)) text += fmt::format(", {} covariance", word(covariance_words, options.covariance));
  if (options.background) text += ", background";
  if (options.noise) text += ", noise";
  return text + preparation_text(options);
}

std::string source_name(const MultilabelModel& model, std::size_t source) {
  if (model.per_set()) return set_name(model.prior.sets.row(source), model.labels);
  return source < model.labels.size() ? model.labels[source] : "background";
}

std::string_view location_word(Family family) { return family_of(family).location.word; }

std::vector<std::string> model_columns(const Preparation& preparation) {
  if (preparation.components.empty()) return preparation.columns;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < preparation.outputs(); ++i) names.push_back(fmt::format("pc{}", i + 1));
  return names;
}

std::string set_name(std::span<const std::uint64_t> set, const std::vector<std::string>& labels) {
  const std::string name = joined_labels(set, labels);
  return name.empty() ? "(none)" : name;
}

}  // namespace motet::multilabel
