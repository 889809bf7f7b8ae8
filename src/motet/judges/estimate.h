// How good is each judge, with no truth to compare with.
//
// Judges err independently given the true class (equation (12) of the document,
// missing votes as in erratum E15). Either each has its own confusion table, rows
// drawn around what the judges have in common (the default, see hierarchy.h), or one
// accuracy each (symmetric errors, equation (8)), or they err as another model of
// model_kinds.h says. Estimates come with intervals;
// a question the votes cannot answer is refused (identifiability.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "motet/base/fields.h"
#include "motet/base/run.h"
#include "motet/data/votes.h"
#include "motet/judges/confusion/information.h"
#include "motet/judges/model.h"
#include "motet/judges/states/foresight.h"

namespace motet::judges {

enum class JudgeDependence { none, pairwise };

struct JudgesOptions {
  std::string prior = "estimate";
  JudgeNoise noise = JudgeNoise::automatic;
  bool separately = false;
  JudgeDependence dependence = JudgeDependence::none;
  std::optional<double> smoothing;
  double confidence = 0.95;
  std::size_t bootstrap = 0;
  InformationKind information = InformationKind::observed;
  std::size_t starts = 4;
  std::size_t max_iterations = 5000;
  double tolerance = 1e-8;
  bool plain_em = false;
};

template <class V>
void visit_fields(V& v, JudgesOptions& o) {
  v("prior", o.prior, Text{"PRIOR"},
    "how frequent the classes are: 'estimate', 'uniform', or known shares such as yes=0.75,no=0.25");
  v("noise", o.noise, Choices{judge_noise_names()}, judge_model_help());
  v("separately", o.separately, "measure each judge alone, by its own votes and the known prior only");
  v("dependence", o.dependence, Choices{{"none", "pairwise"}},
    "look for pairs of judges that err together, and allow for them");
  v("smoothing", o.smoothing, Range<double>{0.0, 1e6},
    "pseudo votes added to every cell; 0 is plain maximum likelihood; auto learns them from the data "
    "(confusion) or adds none (symmetric)");
  v("confidence", o.confidence, Range<double>{0.5, 0.9999}, "of the intervals");
  v("bootstrap", o.bootstrap, Range<std::size_t>{0, 100'000},
    "intervals from this many resamplings of the items instead of from the information");
  v("information", o.information, Choices{{"observed", "outer-product"}},
    "what the intervals are computed from: second derivatives, or the spread of first derivatives");
  v("starts", o.starts, Range<std::size_t>{1, 1000}, "starting points that are tried; the best goes on");
  v("max_iterations", o.max_iterations, Range<std::size_t>{1, 10'000'000}, "limit of steps of the fit");
  v("tolerance", o.tolerance, Range<double>{0.0, 0.1},
    "largest change of any probability in one step that ends the fit");
  v("plain_em", o.plain_em, "no acceleration: the textbook steps, for comparison");
}

struct JudgeEstimate {
  double accuracy = 0.0;           // what is told: one of the two below
  double seen_accuracy = 0.0;      // the expected share of right votes among those it gave
  double long_run_accuracy = 0.0;  // on items of the estimated class shares
  double standard_error = 0.0;
  Interval interval;
  std::vector<Interval> cells;  // [truth * K + said]
  bool determined = true;       // false: the votes do not tell, the prior does
  bool constant = false;        // always the same answer, whatever the item
  bool worse_than_chance = false;
};

// One of the ways of fitting that --noise auto compared by votes they were not shown.
struct ComparedFit {
  std::string name;
  bool is_chosen = false;
  Foresight foresight;  // log probability per vote
  Foresight behind;     // by how much the chosen one is ahead
};

struct JudgesFit {
  JudgesModel model;
  std::vector<JudgeEstimate> judges;
  std::vector<Interval> prior;
  std::vector<ItemDifficulty> difficulty;  // by item; empty: the model takes all items as alike
  std::vector<ComparedFit> ways;           // empty: the way was asked for
  FitSummary summary;
  double log_likelihood = 0.0;
  bool identifiable = true;
  std::string interval_source;      // in words, for the report
  std::vector<std::string> starts;  // names of the starting points that were tried
  std::size_t winning_start = 0;
  std::vector<std::string> warnings;
};

JudgesFit estimate_judges(const Votes& votes, const JudgesOptions& options, const RunContext& run);

// Text of --prior, or of another option that takes the same, to probabilities; empty for
// "estimate".
std::vector<double> parse_prior(std::string_view text, const NameList& classes, std::string_view option = "--prior");

}  // namespace motet::judges
