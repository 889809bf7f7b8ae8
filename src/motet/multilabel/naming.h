// Words for a classifier and its parts, as results and files tell them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "motet/multilabel/model.h"

namespace motet::multilabel {

// "deconvolution, gaussian sum, shared covariance, background, 20 components"
std::string describe(const TrainOptions& options);

// Name of a source: a label, or "background"; for `new` a label set.
std::string source_name(const MultilabelModel& model, std::size_t source);

// What the locations of a family are: "mean", "probability", ...
std::string_view location_word(Family family);

// Features as the model has them: the columns, or pc1, pc2, ... after a projection.
std::vector<std::string> model_columns(const Preparation& preparation);

// "speech|music", or "(none)".
std::string set_name(std::span<const std::uint64_t> set, const std::vector<std::string>& labels);

}  // namespace motet::multilabel
