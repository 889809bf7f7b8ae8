#include "motet/multilabel/predict.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <mutex>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/multilabel/calibration.h"
#include "motet/multilabel/item_decision.h"
#include "motet/multilabel/linear/open_sets.h"
#include "motet/multilabel/search/candidate_sets.h"
#include "motet/multilabel/search/search.h"
#include "motet/multilabel/search/searched_candidates.h"

namespace motet::multilabel {
namespace {

constexpr std::size_t block_cells = std::size_t{1} << 20;  // densities at a time in a thread: 8 MiB
constexpr std::size_t most_block_rows = 256;
constexpr std::size_t search_block_rows = 16;
constexpr double least_posterior = 1e-300;

std::size_t block_rows(std::size_t candidates) {
  return std::clamp<std::size_t>(block_cells / std::max<std::size_t>(candidates, 1), 1, most_block_rows);
}

bool knows_observed_only(const MultilabelModel& model) {
  return model.per_set() || model.options.method == Training::powerset;
}

bool can_be_empty(const MultilabelModel& model) {
  return knows_observed_only(model) || model.linear || model.sources.background;
}

// Observed sets of at most `degree` labels; all when degree is 0.
BitMatrix observed_sets(const LabelSetPrior& prior, std::size_t degree) {
  std::vector<std::uint32_t> rows;
  for (std::size_t j = 0; j < prior.sets.rows(); ++j) {
    if (degree == 0 || prior.sets.count(j) <= degree) rows.push_back(static_cast<std::uint32_t>(j));
  }
  return prior.sets.rows_of(rows);
}

BitMatrix joined(const BitMatrix& a, const BitMatrix& b) {
  BitMatrix both(a.rows() + b.rows(), a.columns());
  for (std::size_t j = 0; j < both.rows(); ++j) {
    const auto row = j < a.rows() ? a.row(j) : b.row(j - a.rows());
    std::copy(row.begin(), row.end(), both.row(j).begin());
  }
  return both;
}

// Candidate sets that can be written out, with their priors.
struct Enumerated {
  BitMatrix sets;
  std::vector<double> log_prior;
};

Enumerated enumerate(const MultilabelModel& model, const CandidateRule& candidates) {
  Enumerated result;
  const LabelSetPrior& prior = model.prior;
  if (candidates.kind == CandidateKind::observed) {
    result.sets = prior.sets;
    result.log_prior = log_observed_priors(model);
    return result;
  }
  const std::size_t degree = candidates.kind == CandidateKind::all ? prior.labels() : candidates.degree;
  result.sets = knows_observed_only(model) ? observed_sets(prior, degree)
                                           : enumerate_sets(prior.labels(), degree, can_be_empty(model));
  result.log_prior = log_candidate_priors(model, result.sets);
  return result;
}

class Predictor {
 public:
  Predictor(const MultilabelModel& model, const NumberTable& features, const PredictOptions& options,
            const RunContext& run)
      : model_(model), options_(options), run_(run) {
    x_ = prepare(model.preparation, features, run.threads);
    dimensions_ = model.preparation.outputs();
    const std::size_t rows = features.rows();
    out_.labels = model.labels;
    out_.sets = BitMatrix(rows, model.labels.size());
    for (std::vector<double>* numbers :
         {&out_.probability, &out_.posterior, &out_.log_likelihood, &out_.log_evidence, &out_.gap}) {
      numbers->resize(rows);
    }
    out_.marginal.resize(rows * model.labels.size());
    out_.outlier.resize(rows);
    out_.rejected.resize(rows);
    out_.novel.resize(rows);
    out_.ranked.resize(rows);
    shares_ = log_observed_priors(model);
    bound_ = outlier_bound(model.calibration, options.outlier_level);
  }

  // By the thresholds that training has learnt.
  void use_thresholds() { thresholds_ = model_.thresholds; }

  SetPredictions by_enumeration() {
    Enumerated candidates = enumerate(model_, options_.candidates);
    if (candidates.sets.rows() == 0) fail(ErrorKind::unanswerable, "there is no candidate label set");
    const bool observed = options_.candidates.kind == CandidateKind::observed;
    const std::size_t size = candidates.sets.rows();
    in_blocks(block_rows(size), [&](std::size_t begin, std::size_t end) {
      const std::span<const double> x = rows(begin, end);
      const std::vector<double> density = log_densities(model_, candidates.sets, x, {1});
      if (!observed) evidence(begin, end);
      for (std::size_t n = begin; n < end; ++n) {
        const std::span<const double> mine = std::span(density).subspan((n - begin) * size, size);
        ItemDecision decision =
            decide_item(candidates.sets, mine, candidates.log_prior, options_.decision, options_.best, hamming(n));
        if (observed) {  // candidates and their priors are those of the evidence; `ml` leaves the priors out
          options_.decision == Decision::ml ? evidence_of(n, mine) : note_evidence(n, decision.log_sum);
        }
        take(n, std::move(decision));
      }
      told(end - begin);
    });
    out_.candidates = std::move(candidates.sets);
    return finish();
  }

  SetPredictions by_labels() {
    const std::size_t labels = out_.sets.columns();
    BitMatrix decided(out_.sets.rows(), labels);
    in_blocks(block_rows(labels), [&](std::size_t begin, std::size_t end) {
      evidence(begin, end);
      const std::vector<double> posterior = label_posteriors(model_.sources, *model_.against, rows(begin, end), {1});
      std::vector<std::uint32_t> block;
      for (std::size_t i = 0; i < posterior.size(); ++i) {
        if (posterior[i] > 0.5) decided.set(begin + i / labels, i % labels);
      }
      for (std::size_t n = begin; n < end; ++n) block.push_back(static_cast<std::uint32_t>(n));
      const LabelSetIndex index = index_label_sets(decided.rows_of(block));
      const std::vector<double> density = log_densities(model_, index.sets, rows(begin, end), {1});
      for (std::size_t n = begin; n < end; ++n) {
        ItemDecision decision;
        const auto own = posterior.begin() + static_cast<std::ptrdiff_t>((n - begin) * labels);
        decision.marginal.assign(own, own + static_cast<std::ptrdiff_t>(labels));
        decision.posterior = 1.0;
        for (const double p : decision.marginal) decision.posterior *= std::max(p, 1.0 - p);
        decision.set.assign(decided.row(n).begin(), decided.row(n).end());
        decision.log_likelihood = density[(n - begin) * index.size() + index.of_row[n - begin]];
        if (decided.count(n) == 0 && !model_.sources.background) {
          decision.log_likelihood = std::numeric_limits<double>::quiet_NaN();
        }
        take(n, std::move(decision));
      }
      told(end - begin);
    });
    LabelSetIndex index = index_label_sets(decided);
    for (std::size_t n = 0; n < out_.ranked.size(); ++n) out_.ranked[n] = {{index.of_row[n], out_.posterior[n]}};
    out_.candidates = std::move(index.sets);
    return finish();
  }

  SetPredictions by_open_sets() {
    const bool limited = options_.candidates.kind == CandidateKind::degree;
    const OpenSets open(model_.prior, limited ? options_.candidates.degree : no_set);
    const BitMatrix& observed = model_.prior.sets;
    const std::size_t labels = out_.sets.columns();
    std::vector<std::vector<std::vector<std::uint64_t>>> found(out_.sets.rows());  // ranked sets never observed
    in_blocks(block_rows(observed.rows()), [&](std::size_t begin, std::size_t end) {
      const std::vector<double> z = line_scores(*model_.linear, rows(begin, end), {1});
      for (std::size_t n = begin; n < end; ++n) {
        const std::span<const double> own = std::span(z).subspan((n - begin) * labels, labels);
        OpenItem item = open.of(own);
        const AllSets all{item.log_sum, open.marginals(own, item)};
        const BitMatrix sets = joined(observed, item.unseen);
        std::vector<double> joint = std::move(item.observed);
        joint.insert(joint.end(), item.log_joint.begin(), item.log_joint.end());
        const std::vector<double> no_prior(joint.size(), 0.0);
        ItemDecision decision = decide_item(sets, joint, no_prior, options_.decision, options_.best, hamming(n), &all);
        // A set by label may be none of the candidates; how probable it is, is known all the same.
        decision.posterior = std::exp(open.log_joint(own, decision.set) - all.log_sum);
        note_evidence(n, all.log_sum);
        for (RankedSet& ranked : decision.ranked) {
          if (ranked.set < observed.rows()) continue;
          const std::span<const std::uint64_t> set = sets.row(ranked.set);
          ranked.set = static_cast<std::uint32_t>(observed.rows() + found[n].size());
          found[n].emplace_back(set.begin(), set.end());
        }
        take(n, std::move(decision));
      }
      told(end - begin);
    });
    number_found(observed, found);
    return finish();
  }

  SetPredictions by_search() {
    const SearchedCandidates candidates(model_, options_);
    const std::size_t observed = candidates.observed().rows();
    const std::size_t shares = shares_.size();
    std::vector<std::vector<std::vector<std::uint64_t>>> found(out_.sets.rows());  // ranked sets never observed
    in_blocks(search_block_rows, [&](std::size_t begin, std::size_t end) {
      const std::vector<double> density = evidence(begin, end);
      for (std::size_t n = begin; n < end; ++n) {
        const ItemCandidates item =
            candidates.of(rows(n, n + 1), std::span(density).subspan((n - begin) * shares, shares), run_.cancel);
        if (item.sets.rows() == 0) fail(ErrorKind::unanswerable, "no candidate label set can have made an item");
        ItemDecision decision =
            decide_item(item.sets, item.log_density, item.log_prior, options_.decision, options_.best, hamming(n));
        out_.gap[n] = std::max(0.0, item.outside - decision.log_joint);
        for (RankedSet& ranked : decision.ranked) {
          if (ranked.set < observed) continue;
          const std::span<const std::uint64_t> set = item.sets.row(ranked.set);
          ranked.set = static_cast<std::uint32_t>(observed + found[n].size());
          found[n].emplace_back(set.begin(), set.end());
        }
        take(n, std::move(decision));
        told(1);
      }
    });
    number_found(candidates.observed(), found);
    return finish();
  }

 private:
  std::span<const double> rows(std::size_t begin, std::size_t end) const {
    return std::span(x_).subspan(begin * dimensions_, (end - begin) * dimensions_);
  }

  // What `hamming` may choose for an item.
  HammingSets hamming(std::size_t n) const {
    const bool limited = options_.candidates.kind == CandidateKind::degree;
    return {can_be_empty(model_) ? std::size_t{0} : 1, limited ? options_.candidates.degree : out_.sets.columns(),
            thresholds_, [this, n](std::span<const std::uint64_t> words) {
              BitMatrix set(1, out_.sets.columns());
              std::copy(words.begin(), words.end(), set.row(0).begin());
              return log_densities(model_, set, rows(n, n + 1), {1})[0];
            }};
  }

  // body(begin, end) over blocks of rows; what a block is depends on the data alone.
  void in_blocks(std::size_t size, const std::function<void(std::size_t, std::size_t)>& body) {
    const std::size_t all = out_.sets.rows();
    for_each_task((all + size - 1) / size, run_.threads, [&](std::size_t task) {
      if (run_.cancelled()) fail(ErrorKind::interrupted, "interrupted while deciding");
      body(task * size, std::min((task + 1) * size, all));
    });
  }

  // So many items more are decided.
  void told(std::size_t items) {
    if (!run_.observer) return;
    const std::lock_guard<std::mutex> lock(observing_);
    decided_ += items;
    run_.observer({"deciding", static_cast<double>(decided_), static_cast<double>(out_.sets.rows()), "items"});
  }

  void evidence_of(std::size_t n, std::span<const double> density) {
    std::vector<double> joint(density.begin(), density.end());
    for (std::size_t j = 0; j < joint.size(); ++j) joint[j] += shares_[j];
    note_evidence(n, log_sum_exp(joint));
  }

  void note_evidence(std::size_t n, double log_evidence) {
    out_.log_evidence[n] = log_evidence;
    out_.outlier[n] = log_evidence < bound_ || log_evidence == -std::numeric_limits<double>::infinity();
  }

  // Returns the log densities of the observed sets.
  std::vector<double> evidence(std::size_t begin, std::size_t end) {
    const std::size_t size = shares_.size();
    std::vector<double> density = log_densities(model_, model_.prior.sets, rows(begin, end), {1});
    for (std::size_t n = begin; n < end; ++n) evidence_of(n, std::span(density).subspan((n - begin) * size, size));
    return density;
  }

  // One number for each set that some item ranks, in the order of items: observed ones come first.
  void number_found(const BitMatrix& observed, const std::vector<std::vector<std::vector<std::uint64_t>>>& found) {
    std::map<std::vector<std::uint64_t>, std::uint32_t> numbers;
    std::vector<const std::vector<std::uint64_t>*> sets;
    const std::size_t first = observed.rows();
    for (std::size_t n = 0; n < found.size(); ++n) {
      for (RankedSet& ranked : out_.ranked[n]) {
        if (ranked.set < first) continue;
        const auto next = static_cast<std::uint32_t>(first + sets.size());
        const auto [place, is_new] = numbers.try_emplace(found[n][ranked.set - first], next);
        if (is_new) sets.push_back(&place->first);
        ranked.set = place->second;
      }
    }
    out_.candidates = BitMatrix(first + sets.size(), observed.columns());
    for (std::size_t j = 0; j < first; ++j) {
      std::copy(observed.row(j).begin(), observed.row(j).end(), out_.candidates.row(j).begin());
    }
    for (std::size_t i = 0; i < sets.size(); ++i) {
      std::copy(sets[i]->begin(), sets[i]->end(), out_.candidates.row(first + i).begin());
    }
  }

  void take(std::size_t n, ItemDecision decision) {
    out_.posterior[n] = decision.posterior;
    // Without sources nothing says how an item is made: the set is told instead, given the item.
    out_.log_likelihood[n] =
        model_.linear ? std::log(std::max(decision.posterior, least_posterior)) : decision.log_likelihood;
    const bool can_calibrate = model_.calibration.known() && options_.decision != Decision::one_against_all;
    out_.probability[n] = can_calibrate ? calibrated(model_.calibration, decision.posterior) : decision.posterior;
    out_.rejected[n] = out_.probability[n] < options_.reject_below;
    out_.novel[n] = out_.rejected[n] == 0 && find_set(model_.prior.sets, decision.set) == no_set ? 1 : 0;
    if (out_.rejected[n] == 0) std::copy(decision.set.begin(), decision.set.end(), out_.sets.row(n).begin());
    std::copy(decision.marginal.begin(), decision.marginal.end(),
              out_.marginal.begin() + static_cast<std::ptrdiff_t>(n * out_.sets.columns()));
    out_.ranked[n] = std::move(decision.ranked);
  }

  SetPredictions finish() {
    for (const double gap : out_.gap) out_.unproved += gap > 0.0 ? 1 : 0;
    if (model_.groups) {
      out_.labels = model_.groups->labels;
      out_.sets = model_.groups->widened(out_.sets);
      out_.candidates = model_.groups->widened(out_.candidates);
      out_.marginal = model_.groups->widened(out_.marginal);
    }
    return std::move(out_);
  }

  const MultilabelModel& model_;
  const PredictOptions& options_;
  const RunContext& run_;
  std::vector<double> x_;  // prepared, rows x dimensions
  std::size_t dimensions_ = 0;
  std::vector<double> shares_;
  double bound_ = 0.0;  // below it an item is an outlier
  std::span<const double> thresholds_;
  std::mutex observing_;
  std::size_t decided_ = 0;
  SetPredictions out_;
};

void require_heuristic(const MultilabelModel& model, const PredictOptions& options) {
  if (options.candidates.kind == CandidateKind::observed) {
    fail(ErrorKind::usage, "--heuristic-error needs --candidates all or degree:M; leave it 0 with observed");
  }
  if (model.per_set()) {
    fail(ErrorKind::usage,
         "--heuristic-error needs items that are made by their sources together; leave it 0 with --method new");
  }
  if (model.linear) {
    fail(ErrorKind::usage, std::string("--heuristic-error needs sources, which a model of --method ") +
                               training_words[static_cast<std::size_t>(model.options.method)] + " has not; leave it 0");
  }
  if (!can_search(model)) {
    fail(ErrorKind::usage,
         "--heuristic-error needs gaussian sources that are summed or lognormal ones that are multiplied; leave it 0");
  }
}

void require_one_against_all(const MultilabelModel& model, const PredictOptions& options) {
  if (!has_one_against_all(model.options.method)) {
    fail(ErrorKind::usage,
         std::string("--decision one-against-all needs a model of --method cross or probabilistic, whose sources are "
                     "learnt from whole items; this one is of --method ") +
             training_words[static_cast<std::size_t>(model.options.method)]);
  }
  if (!model.against) {
    fail(ErrorKind::unanswerable,
         "--decision one-against-all: the model knows nothing of the items without a label; it was trained by an older "
         "motet, or too few items lack some label");
  }
  if (options.candidates.kind != CandidateKind::observed) {
    fail(ErrorKind::usage, "--decision one-against-all decides each label by itself; leave out --candidates");
  }
  if (options.best > 1) {
    fail(ErrorKind::usage, "--decision one-against-all finds one set; leave out --best");
  }
}

}  // namespace

CandidateRule candidate_rule(std::string_view text) {
  if (text == "auto") return {CandidateKind::trained, 0};
  if (text == "observed") return {CandidateKind::observed, 0};
  if (text == "all") return {CandidateKind::all, 0};
  constexpr std::string_view prefix = "degree:";
  if (text.starts_with(prefix)) {
    const std::string_view number = text.substr(prefix.size());
    std::size_t degree = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), degree);
    if (error == std::errc{} && end == number.data() + number.size() && degree > 0) {
      return {CandidateKind::degree, degree};
    }
  }
  fail(ErrorKind::usage,
       "--candidates: '" + std::string(text) +
           "' is not known; 'auto', 'observed', 'degree:M' with M of at least 1, or 'all' is allowed");
}

SetPredictions predict(const MultilabelModel& model, const NumberTable& features, const PredictOptions& given,
                       const RunContext& run) {
  PredictOptions options = given;
  const bool by_thresholds = given.decision == Decision::trained && !model.thresholds.empty();
  if (given.decision == Decision::trained) options.decision = by_thresholds ? Decision::hamming : Decision::map;
  const bool is_log_linear = model.options.method == Training::log_linear;
  if (given.candidates.kind == CandidateKind::trained) {
    options.candidates.kind = is_log_linear ? CandidateKind::all : CandidateKind::observed;
  }
  if (options.heuristic_error > 0.0) require_heuristic(model, options);
  const bool by_labels = options.decision == Decision::one_against_all;
  if (by_labels) require_one_against_all(model, options);
  Predictor predictor(model, features, options, run);
  if (by_thresholds) predictor.use_thresholds();
  if (by_labels) return predictor.by_labels();
  if (is_log_linear && options.decision != Decision::ml && options.candidates.kind != CandidateKind::observed) {
    return predictor.by_open_sets();
  }
  if (options.candidates.kind == CandidateKind::observed || knows_observed_only(model))
    return predictor.by_enumeration();
  const std::size_t labels = model.prior.labels();
  const std::size_t degree = options.candidates.kind == CandidateKind::all ? labels : options.candidates.degree;
  const double count = count_sets(labels, degree, can_be_empty(model));
  const bool few = count <= static_cast<double>(most_enumerated);
  if ((options.heuristic_error > 0.0 || !few) && can_search(model)) return predictor.by_search();
  if (!few) {
    fail(ErrorKind::usage, "--candidates: " + to_text(count) +
                               " label sets, which this kind of model cannot search; 'observed', or 'degree:M' with at "
                               "most " +
                               std::to_string(most_enumerated) + " sets, is allowed");
  }
  return predictor.by_enumeration();
}

}  // namespace motet::multilabel
