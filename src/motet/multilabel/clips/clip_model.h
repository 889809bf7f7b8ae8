// Clips of sound with several sources at once, as in section 5.4.2: a hidden Markov model per source, and for a set of
// labels the frames that its sources make together.
//
//   p(clip | L) = sum over joint states of the sources of L (source_mix.h);   p(L | clip) ~ p(L) p(clip | L)
// L are the sets that were seen. Trainings:
//   deconvolution  all sources at once from all clips by exact EM
//   new            a model of its own for each set
//   cross          each source from all clips that it sounds in, as if alone
//   probabilistic  the same with weight 1 / |L|
//   point_estimate the approximation (5.23): the part of a source in a clip of m is m x - sum of the mean emissions of
//   the
//                  others, again and again; point_estimate_printed: x - ..., as printed, which forgets that (5.22) is a
//                  mean
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "motet/data/record.h"
#include "motet/temporal/hmm/source_mix.h"

namespace motet::multilabel {

enum class ClipTraining { deconvolution, own_model, cross, probabilistic, point_estimate, point_estimate_printed };
std::string_view name_of(ClipTraining training);

using ClipLabels = std::vector<std::size_t>;  // numbers of labels, ascending

struct ClipModel {
  static constexpr std::string_view kind = "multilabel-clips";
  static constexpr int newest_version = 1;

  std::vector<std::string> columns;  // of the frames
  std::vector<std::string> labels;
  ClipTraining training = ClipTraining::deconvolution;
  temporal::SourceCombination combination = temporal::SourceCombination::mean;
  std::vector<ClipLabels> sets;              // that were seen
  std::vector<double> set_shares;            // p(L)
  std::vector<temporal::SourceHmm> sources;  // one per label, or per set with own_model
  Value frames;                              // how recordings become frames, an object or null; not looked at here

  bool operator==(const ClipModel&) const = default;
};

std::string told_set(const ClipModel& model, const ClipLabels& set);  // "speech|noise"

// The sources that make a clip with set number `set`, in terms of model.sources.
std::vector<const temporal::SourceHmm*> sources_of(const ClipModel& model, std::size_t set);

Record to_record(const ClipModel& model);
ClipModel clip_model_from_record(const Record& record);

}  // namespace motet::multilabel
