// The register of random streams: every draw off the seed of a run has a name here.
//
// A stream is one child of the seed, or a row of them with an index (a start, a fold, a repeat). Numbers below 2^48 are
// kept for the sake of results that are known; what is not given any, and an index past those given, has the block of
// numbers of its name, (name + 1) 2^48 + index. No two streams of one run share numbers but those of known_overlaps().
#pragma once

#include <cstdint>
#include <span>

#include "motet/base/rng.h"

namespace motet {

enum class Stream : std::uint8_t {
  judges_random_start,
  judges_bootstrap,
  judges_simulation,
  superset_class_order,
  superset_calibration_folds,
  superset_judged_rows,
  superset_mixture,  // its index is a hash of the order of the classes
  superset_landmarks,
  superset_evaluation_folds,
  superset_study,
  superset_blobs,
  superset_candidates,
  multilabel_trial_folds,
  multilabel_calibration_folds,
  multilabel_sample,
  multilabel_evaluation_folds,
  multilabel_part,  // a fold, or a rival of a given model: never both in one run
  multilabel_learning_curve,
  multilabel_simulation,
  roles_growth,
  roles_searched_users,
  roles_held_out_users,
  roles_annealing,
  roles_comparison_split,
  roles_capacity_halves,
  roles_ino_chains,
  roles_moves,
  roles_select_halves,
  roles_select_growth,
  roles_select_measures,
  roles_stability,
  roles_bica,
  roles_pairs,
  roles_disclosed,
  roles_simulation,
  roles_dormant,
  temporal_kmeans,
  temporal_trimmed_sample,
  discover_median_rows,
  discover_company,
  discover_random_order,
  discover_repeat,
  discover_events,
  discover_toy,
  roles_cover,
  roles_model_users,
  roles_known_users,
  audio_field,
  audio_mix,
  audio_room,
  audio_sound,
  audio_split,
  audio_folds,
  audio_forest,
  audio_importance,
  audio_scene,
  discover_isolation_forest,
  discover_grid,
};

// What happens with one seed: streams of one of these must not meet.
enum StreamRun : std::uint16_t {
  judges_run = 1,
  judges_simulation_run = 2,
  superset_run = 4,  // train, and evaluate, which trains with the same seed
  superset_simulation_run = 8,
  multilabel_run = 16,
  multilabel_evaluation_run = 32,  // trains with seeds drawn for the parts
  multilabel_simulation_run = 64,
  roles_run = 128,
  roles_simulation_run = 256,
  temporal_run = 512,
  discover_run = 1024,  // fits mixtures with the same seed
  discover_simulation_run = 2048,
  audio_run = 4096,
};

// A stream and its children never give the same numbers, so one name may draw where another takes children.
enum class Takes : std::uint8_t { draws = 1, children = 2, both = 3 };

struct StreamRange {
  Stream name;
  std::uint16_t runs;  // StreamRun, or-ed
  Takes takes;
  std::uint64_t first = 0;
  std::uint64_t count = 0;      // of numbers from `first` on
  bool is_seed_itself = false;  // no child of the seed; `first` and `count` are the children it takes
};

std::span<const StreamRange> stream_ranges();  // in the order of the names

// Streams that share numbers within a run. Both are what they are for the sake of results that are known; what is drawn
// from them is so different (an order of classes, folds; centres, samples of rows) that nothing depends on it.
struct KnownOverlap {
  Stream first;
  Stream second;
};
std::span<const KnownOverlap> known_overlaps();

Rng stream(Seed seed, Stream name, std::uint64_t index = 0);

// The seed of a run within the run: the first draw of the stream.
Seed drawn_seed(Seed seed, Stream name, std::uint64_t index = 0);

// For what deals by a seed; only where the stream is the seed itself.
Seed whole_seed(Seed seed, Stream name);

}  // namespace motet
