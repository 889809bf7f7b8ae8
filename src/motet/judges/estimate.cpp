#include "motet/judges/estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motet/base/error.h"
#include "motet/judges/bootstrap.h"
#include "motet/judges/combine.h"
#include "motet/judges/confusion/fit.h"
#include "motet/judges/confusion/hierarchy.h"
#include "motet/judges/confusion/identifiability.h"
#include "motet/judges/confusion/separate.h"
#include "motet/judges/findings.h"
#include "motet/judges/states/choose.h"
#include "motet/judges/states/state_information.h"

namespace motet::judges {
namespace {

constexpr std::string_view final_stage = "fit";

EmRule rule_of(const JudgesOptions& options) {
  return {options.max_iterations, options.tolerance, 1.0, !options.plain_em};
}

std::vector<double> gold_shares(const Votes& votes) {
  std::vector<double> shares(votes.class_count(), 1.0);
  double total = static_cast<double>(votes.class_count());
  for (const std::int32_t known : votes.known) {
    if (known == Votes::unknown) continue;
    shares[static_cast<std::size_t>(known)] += 1.0;
    total += 1.0;
  }
  for (double& share : shares) share /= total;
  return shares;
}

// Options that only tables have speak of tables.
bool asks_for_tables(const JudgesOptions& options) {
  return options.separately || options.smoothing || options.bootstrap > 0 ||
         options.dependence != JudgeDependence::none || options.information != InformationKind::observed;
}

JudgesOptions settled(JudgesOptions options) {
  if (options.noise == JudgeNoise::automatic && asks_for_tables(options)) options.noise = JudgeNoise::confusion;
  return options;
}

const JudgeModelKind& kind_of(const JudgesOptions& options) {
  return judge_model_kinds()[static_cast<std::size_t>(options.noise)];
}

ConfusionSpec spec_of(const Votes& votes, const JudgesOptions& options) {
  const std::size_t k = votes.class_count();
  ConfusionSpec spec;
  spec.noise = options.noise;
  if (options.noise != JudgeNoise::symmetric) {
    const bool has_tables = options.noise == JudgeNoise::automatic || kind_of(options).fit == nullptr;
    spec.noise = has_tables ? JudgeNoise::confusion : JudgeNoise::symmetric;
  }
  spec.known_prior = parse_prior(options.prior, votes.classes);
  spec.prior.cells.assign(k * k, options.smoothing.value_or(0.0));
  if (options.separately && spec.known_prior.empty() && !votes.known.empty()) spec.known_prior = gold_shares(votes);
  return spec;
}

// Everything about one estimate that its parts share.
class Estimation {
 public:
  Estimation(const Votes& votes, const JudgesOptions& options, const RunContext& run)
      : votes_(votes),
        options_(settled(options)),
        run_(run),
        table_(make_vote_table(votes)),
        spec_(spec_of(votes, options_)) {}

  JudgesFit go() {
    refuse_the_impossible();
    if (options_.separately) {
      separately();
    } else if (options_.dependence == JudgeDependence::pairwise) {
      with_dependence();
    } else if (options_.noise == JudgeNoise::automatic) {
      by_choice();
    } else if (kind_of(options_).has_states) {
      by_states(options_.noise == JudgeNoise::shared ? WayChoice{}  // as --noise shared names it
                                                     : choose_subtypes(votes_, spec_.known_prior, run_));
    } else if (kind_of(options_).fit != nullptr) {
      by_its_kind();
    } else if (options_.noise == JudgeNoise::confusion && !options_.smoothing) {
      by_default();
    } else {
      together();
    }
    describe_model();
    count_right_votes();
    intervals();
    const JudgeFindings findings = find_oddities(table_, votes_.judges, votes_.classes, fit_);
    fit_.warnings.insert(fit_.warnings.end(), findings.warnings.begin(), findings.warnings.end());
    for (const std::size_t j : findings.constant) fit_.judges[j].constant = true;
    for (const std::size_t j : findings.worse_than_chance) fit_.judges[j].worse_than_chance = true;
    return std::move(fit_);
  }

 private:
  void refuse_the_impossible() {
    if (options_.dependence == JudgeDependence::pairwise &&
        (options_.noise != JudgeNoise::symmetric || options_.separately)) {
      fail(ErrorKind::usage,
           "--dependence: 'pairwise' works with --noise symmetric and all judges together (tied errors)");
    }
    if (options_.noise != JudgeNoise::automatic && (kind_of(options_).fit != nullptr || kind_of(options_).has_states)) {
      refuse_what_tables_have();
    }
    check_known_classes(votes_, spec_.known_prior);
    Identifiability found = check_identifiable(table_, spec_, options_.separately, votes_.judges);
    if (!found.refusal.empty()) fail(ErrorKind::unanswerable, found.refusal);
    undetermined_ = std::move(found.undetermined);
    fit_.warnings = std::move(found.warnings);
  }

  void refuse_what_tables_have() {
    const auto refuse = [&](bool is_given, std::string_view flag) {
      if (is_given)
        fail(ErrorKind::usage, fmt::format("{} cannot be used with --noise {}", flag, kind_of(options_).name));
    };
    refuse(options_.separately, "--separately");
    refuse(options_.smoothing.has_value(), "--smoothing");
    refuse(options_.bootstrap > 0, "--bootstrap");
  }

  void take(ConfusionFit found) {
    fit_.summary = std::move(found.result.summary);
    fit_.starts = std::move(found.starts);
    fit_.winning_start = found.winner;
    model().parameters = std::move(found.result.parameters);
    model().statistics = std::move(found.result.statistics);
    fit_.log_likelihood = model().statistics[0];
    if (fit_.summary.stop == Stop::interrupted) {
      fail(ErrorKind::interrupted, fmt::format("interrupted at iteration {}", fit_.summary.iterations()));
    }
    if (found.relabelled) {
      fit_.warnings.emplace_back("the best fit had classes swapped; they were named so that judges are mostly right");
    }
  }

  void together() { take(fit_confusion(table_, spec_, options_.starts, rule_of(options_), run_, final_stage)); }

  void by_default() {
    const VoteShares shares = vote_shares(table_);
    spec_.prior = centred_prior(shares);
    // One start: from the vote shares. More would only change which of several
    // nearly equal readings wins, and the one near the majority is the one to trust.
    ConfusionFit first = fit_confusion(table_, spec_, 1, rule_of(options_), run_, "first fit");
    if (first.result.summary.stop == Stop::interrupted) {
      take(std::move(first));
      return;
    }
    const Echo echo = measure_echo(table_, first.result.parameters, run_);
    if (echo.vote_weight == 1.0) {
      take(std::move(first));
      return;
    }
    spec_.vote_weight = echo.vote_weight;
    spec_.prior = discounted_prior(table_, shares, echo.vote_weight);
    take(fit_confusion(table_, spec_, 1, rule_of(options_), run_, final_stage));
    fit_.warnings.push_back(fmt::format(
        "votes on an item echo each other ({:.2f} ± {:.2f} times the spread of independent judges), so each "
        "counts as {:.2f} of a vote",
        echo.phi, echo.standard_error, echo.vote_weight));
    ConfusionSpec plain = spec_;
    plain.vote_weight = 1.0;
    fit_.log_likelihood = expect(confusion_problem(table_, plain), model().parameters, 1.0, run_.threads)[0];
  }

  void separately() {
    SeparateFit found = fit_separately(table_, spec_, rule_of(options_), options_.information, run_);
    model().parameters = std::move(found.parameters);
    model().statistics = std::move(found.statistics);
    model().accuracy_votes = std::move(found.accuracy_votes);
    confusion_votes_ = std::move(found.confusion_votes);
    fit_.log_likelihood = found.log_likelihood;
    fit_.summary.stop = Stop::converged;
    fit_.summary.objective.assign(found.iterations, found.log_likelihood);
    fit_.starts = {"each judge alone"};
  }

  void with_dependence() {
    DependenceFit found = fit_dependence(table_, spec_.known_prior, rule_of(options_), run_, votes_.judges);
    take_accuracies(found.prior, found.dependence.accuracy);
    model().accuracy_votes = std::move(found.accuracy_votes);
    prior_votes_ = std::move(found.prior_votes);
    model().dependence = std::move(found.dependence);
    fit_.summary = std::move(found.summary);
    fit_.log_likelihood = found.log_likelihood;
    fit_.starts = {"independent judges"};
    fit_.warnings.insert(fit_.warnings.end(), found.warnings.begin(), found.warnings.end());
  }

  // The best of several ways, as votes tell that they were not shown.
  void by_choice() {
    const WayChoice choice = choose_way(votes_, table_, spec_.known_prior, run_);
    for (std::size_t w = 0; w < choice.ways.size(); ++w) {
      const ComparedWay& way = choice.ways[w];
      fit_.ways.push_back({way.way.name, w == choice.best, way.foresight, way.behind});
    }
    const FittingWay& chosen = choice.chosen();
    options_.noise = chosen.noise;
    if (kind_of(options_).has_states) {
      by_states(choice);
      return;
    }
    spec_.noise = chosen.noise;
    spec_.prior.cells.assign(votes_.class_count() * votes_.class_count(), chosen.smoothing);
    together();
  }

  void by_states(const WayChoice& choice) {
    const StateOptions ways = choice.ways.empty() ? shared_options(table_) : choice.chosen().states;
    states_ = finish_states(table_, learn_states(table_, ways, spec_.known_prior, run_), rule_of(options_), run_,
                            final_stage);
    fit_.summary = std::move(states_.result.summary);
    if (fit_.summary.stop == Stop::interrupted) {
      fail(ErrorKind::interrupted, fmt::format("interrupted at iteration {}", fit_.summary.iterations()));
    }
    model().states = {states_.spec.shape, states_.result.parameters, states_.spec.right_strength,
                      states_.spec.wrong_strength};
    model().parameters = class_tables(states_.spec.shape, states_.result.parameters, table_.judge_count);
    fit_.log_likelihood = states_.log_likelihood();
    fit_.starts = {"vote shares"};
    spec_.prior.cells = class_pseudo();
  }

  // The pseudo votes of a class: those of its states, by their shares.
  std::vector<double> class_pseudo() const {
    const StateShape& shape = states_.spec.shape;
    const std::size_t k = shape.class_count;
    std::vector<double> cells(k * k, 0.0);
    for (std::size_t z = 0; z < shape.state_count(); ++z) {
      const std::size_t y = shape.class_of(z);
      const double share = fit_.model.prior(y) > 0.0 ? states_.result.parameters[z] / fit_.model.prior(y) : 0.0;
      for (std::size_t c = 0; c < k; ++c) {
        cells[y * k + c] += share * states_.spec.right_strength * states_.spec.rows[z * k + c];
      }
    }
    return cells;
  }

  void by_its_kind() {
    ModelAnswer found =
        kind_of(options_).fit({table_, spec_.known_prior, rule_of(options_), options_.confidence, run_, final_stage});
    if (found.summary.stop == Stop::interrupted) {
      fail(ErrorKind::interrupted, fmt::format("interrupted at iteration {}", found.summary.iterations()));
    }
    take_accuracies(found.prior, found.accuracy);
    model().by_judge = std::move(found.by_judge);
    model().accuracy_votes = std::move(found.accuracy_votes);
    prior_votes_ = std::move(found.prior_votes);
    for (std::size_t i = 0; i < votes_.item_count() && !found.difficulty.empty(); ++i) {
      fit_.difficulty.push_back(found.difficulty[table_.row_of.empty() ? i : table_.row_of[i]]);
    }
    fit_.summary = std::move(found.summary);
    fit_.log_likelihood = found.log_likelihood;
    fit_.starts = {std::move(found.start)};
    fit_.warnings.insert(fit_.warnings.end(), found.warnings.begin(), found.warnings.end());
  }

  void take_accuracies(const std::vector<double>& prior, const std::vector<double>& accuracies) {
    const std::size_t k = votes_.class_count();
    model().parameters = prior;
    for (const double accuracy : accuracies) {
      for (std::size_t cell = 0; cell < k * k; ++cell) {
        model().parameters.push_back(cell / k == cell % k ? accuracy : (1.0 - accuracy) / static_cast<double>(k - 1));
      }
    }
    model().statistics = expect(confusion_problem(table_, spec_), model().parameters, 1.0, run_.threads);
  }

  void describe_model() {
    JudgesModel& m = model();
    m.classes = votes_.classes.to_vector();
    m.judges = votes_.judges.to_vector();
    m.noise = options_.noise;
    if (m.states) m.statistics.assign(m.parameters.size() + 1, 0.0);  // counted with the right votes
    m.prior_known = !spec_.known_prior.empty();
    m.pseudo = spec_.prior;
    if (m.pseudo.class_mass.empty()) m.pseudo.class_mass.assign(m.class_count(), 0.0);
    m.vote_weight = spec_.vote_weight;
    m.items = table_.item_total();
    m.judge_votes.assign(m.judge_count(), 0.0);
    const std::vector<double> counts = vote_counts(table_);
    for (std::size_t i = 0; i < counts.size(); ++i) m.judge_votes[i / m.class_count()] += counts[i];
  }

  // The expected share of right votes of each judge among those it gave; and where the model has states, what is
  // expected to have been said of which class.
  void count_right_votes() {
    JudgesModel& m = model();
    const std::size_t k = m.class_count();
    const RowPosterior infer = posterior_of(m);
    std::vector<double> q(k);
    right_votes_.assign(m.judge_count(), 0.0);
    for (std::size_t row = 0; row < table_.row_count(); ++row) {
      infer(table_.of_row(row), table_.known_class(row), q);
      const double weight = table_.weight(row);
      for (const std::uint32_t code : table_.of_row(row)) {
        right_votes_[code / k] += weight * q[code % k];
        for (std::size_t y = 0; y < k && m.states; ++y) m.statistics[1 + k + code * k + y] += weight * q[y];
      }
      for (std::size_t y = 0; y < k && m.states; ++y) m.statistics[1 + y] += weight * q[y];
    }
    if (m.states) m.statistics[0] = fit_.log_likelihood;
  }

  void tell_accuracy(std::size_t j) {
    JudgeEstimate& judge = fit_.judges[j];
    judge.long_run_accuracy = model().accuracy(j);
    const double votes = model().judge_votes[j];
    judge.seen_accuracy = votes > 0.0 ? std::min(1.0, right_votes_[j] / votes) : judge.long_run_accuracy;
    // A method that was asked for by name tells what it has always told.
    judge.accuracy = fit_.ways.empty() ? judge.long_run_accuracy : judge.seen_accuracy;
    if (!fit_.ways.empty()) model().seen_accuracy[j] = judge.seen_accuracy;
  }

  void state_votes() {
    const StateUncertainty found = state_uncertainty(table_, states_, run_);
    const std::size_t k = model().class_count();
    model().accuracy_votes = found.accuracy_votes;
    prior_votes_ = found.prior_votes;
    confusion_votes_.resize(found.right_votes.size() * k);
    for (std::size_t i = 0; i < confusion_votes_.size(); ++i) {
      confusion_votes_[i] = found.right_votes[i / (k * k) * k + i % k];
    }
    if (!found.judges_apart) return;
    fit_.interval_source += ", judge by judge";
    fit_.warnings.push_back(fmt::format(
        "there are {} free parameters; intervals take the other judges as known and are somewhat too narrow",
        found.free_numbers));
  }

  void intervals() {
    JudgesModel& m = model();
    const std::size_t k = m.class_count();
    fit_.judges.resize(m.judge_count());
    fit_.prior.resize(k);
    if (prior_votes_.empty()) prior_votes_.assign(k, std::numeric_limits<double>::infinity());
    const bool observed =
        options_.information == InformationKind::observed && !m.dependence && (m.is_table() || m.states);
    fit_.interval_source = observed ? "observed information" : "outer products of the score";
    if (m.states) {
      state_votes();
    } else if (m.accuracy_votes.empty()) {
      ConfusionSpec seen = spec_;
      // What holds the class shares where votes are discounted is no item that was seen.
      if (spec_.vote_weight != 1.0) seen.prior.class_mass = centred_prior(vote_shares(table_)).class_mass;
      Uncertainty found = uncertainty(table_, seen, m.parameters, options_.information, run_);
      m.accuracy_votes = std::move(found.accuracy_votes);
      confusion_votes_ = std::move(found.confusion_votes);
      prior_votes_ = std::move(found.prior_votes);
      judge_by_information(found);
    } else if (confusion_votes_.empty()) {
      for (const double votes : m.accuracy_votes) confusion_votes_.insert(confusion_votes_.end(), k * k, votes);
    }
    for (const std::size_t j : undetermined_) fit_.judges[j].determined = false;
    fit_.identifiable = undetermined_.empty();
    if (!fit_.ways.empty()) m.seen_accuracy.resize(m.judge_count());
    for_each_task(m.judge_count(), run_.threads, [&](std::size_t j) {
      JudgeEstimate& judge = fit_.judges[j];
      tell_accuracy(j);
      judge.standard_error = standard_error(judge.accuracy, m.accuracy_votes[j]);
      judge.interval = probability_interval(judge.accuracy, m.accuracy_votes[j], options_.confidence);
      for (std::size_t y = 0; y < k; ++y) {
        for (std::size_t c = 0; c < k; ++c) {
          judge.cells.push_back(
              probability_interval(m.cell(j, c, y), confusion_votes_[(j * k + c) * k + y], options_.confidence));
        }
      }
    });
    for (std::size_t y = 0; y < k; ++y)
      fit_.prior[y] = probability_interval(m.prior(y), prior_votes_[y], options_.confidence);
    if (options_.bootstrap > 0) bootstrap_intervals();
  }

  void judge_by_information(const Uncertainty& found) {
    constexpr double votes_a_number = 2.0;
    const auto votes = static_cast<double>(votes_.vote_count());
    if (votes < votes_a_number * static_cast<double>(found.free_parameters)) {
      fit_.warnings.push_back(
          fmt::format("there are only {} votes for {} numbers to be learned: what is said here rests "
                      "mostly on assumptions",
                      votes_.vote_count(), found.free_parameters));
    }
    if (found.judges_apart) {
      fit_.interval_source += ", judge by judge";
      fit_.warnings.push_back(
          fmt::format("there are {} free parameters; intervals take the other judges as known and "
                      "are somewhat too narrow (--bootstrap does not)",
                      found.free_parameters));
    }
    if (found.undetermined.empty()) return;
    if (fit_.summary.stop == Stop::iteration_limit) {  // there the information is that of no maximum
      fit_.warnings.push_back(
          fmt::format("the fit stopped at --max-iterations {} before its end: the intervals of {} do not mean anything "
                      "there",
                      options_.max_iterations, name_some(found.undetermined, votes_.judges)));
      return;
    }
    if (found.undetermined.size() == votes_.judge_count()) {
      fail(ErrorKind::unanswerable,
           fmt::format("these votes do not determine any judge's errors (the information has rank {} of {}); add "
                       "judges or items, give --gold, a known --prior, or --noise symmetric",
                       found.rank, found.free_parameters));
    }
    fit_.warnings.push_back(
        fmt::format("the votes do not determine the errors of {} (the information has rank {} of {})",
                    name_some(found.undetermined, votes_.judges), found.rank, found.free_parameters));
    undetermined_.insert(undetermined_.end(), found.undetermined.begin(), found.undetermined.end());
  }

  void bootstrap_intervals() {
    if (options_.separately || model().dependence) {
      fail(ErrorKind::usage, "--bootstrap: only with judges estimated together and without dependence");
    }
    const Bootstrap drawn = bootstrap_judges(table_, spec_, model().parameters, rule_of(options_), options_.bootstrap,
                                             options_.confidence, run_);
    fit_.interval_source = fmt::format("{} bootstrap samples of the items", options_.bootstrap);
    for (std::size_t j = 0; j < fit_.judges.size(); ++j) {
      fit_.judges[j].interval = drawn.accuracy[j];
      fit_.judges[j].standard_error = drawn.accuracy_sd[j];
      fit_.judges[j].cells = drawn.cells[j];
    }
    fit_.prior = drawn.prior;
  }

  JudgesModel& model() { return fit_.model; }

  const Votes& votes_;
  JudgesOptions options_;
  const RunContext& run_;
  VoteTable table_;  // before what grows with the square of the classes: it refuses too many
  ConfusionSpec spec_;
  StateFit states_;
  std::vector<double> right_votes_;  // by judge, expected
  std::vector<std::size_t> undetermined_;
  std::vector<double> confusion_votes_;
  std::vector<double> prior_votes_;
  JudgesFit fit_;
};

}  // namespace

JudgesFit estimate_judges(const Votes& votes, const JudgesOptions& options, const RunContext& run) {
  check_ranges(options);
  if (votes.class_count() < 2) fail(ErrorKind::bad_data, "at least two classes are needed");
  return Estimation(votes, options, run).go();
}

std::vector<double> parse_prior(std::string_view text, const NameList& classes, std::string_view option) {
  constexpr double rounding = 1e-6;  // what a person leaves out when writing thirds
  const std::size_t k = classes.size();
  if (text == "estimate") return {};
  if (text == "uniform") return std::vector<double>(k, 1.0 / static_cast<double>(k));
  const NameTable known{classes};
  std::vector<double> prior(k, -1.0);
  const std::string all = fmt::format("{{{}}}", fmt::join(classes.to_vector(), ", "));
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    const std::string_view part = text.substr(begin, comma - begin);
    const std::size_t equals = part.rfind('=');
    if (equals == std::string_view::npos) {
      fail(ErrorKind::usage,
           fmt::format("{}: '{}' is not 'estimate', 'uniform' or CLASS=SHARE,CLASS=SHARE,...", option, part));
    }
    const std::string_view name = part.substr(0, equals);
    const std::uint32_t y = known.find(name);
    if (y == NameTable::absent)
      fail(ErrorKind::usage, fmt::format("{}: class '{}' is not one of {}", option, name, all));
    const Result<double> share = parse_double(part.substr(equals + 1));
    if (!share) fail(ErrorKind::usage, fmt::format("{}: class '{}': {}", option, name, share.reason()));
    if (share.value() < 0.0 || share.value() > 1.0) {
      fail(ErrorKind::usage, fmt::format("{}: class '{}' = {} is outside [0, 1]", option, name, share.value()));
    }
    prior[y] = share.value();
    begin = comma + 1;
  }
  double total = 0.0;
  for (std::size_t y = 0; y < k; ++y) {
    if (prior[y] < 0.0) fail(ErrorKind::usage, fmt::format("{}: class '{}' has no share", option, classes[y]));
    total += prior[y];
  }
  if (std::abs(total - 1.0) > rounding) {
    fail(ErrorKind::usage, fmt::format("{}: the shares sum to {:.6g}; they must sum to 1", option, total));
  }
  for (double& share : prior) share /= total;
  return prior;
}

}  // namespace motet::judges
