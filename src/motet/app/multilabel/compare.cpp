#include "motet/app/multilabel/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "motet/app/comma_names.h"
#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/multilabel/baselines/compare.h"

namespace motet::multilabel {
namespace {

constexpr std::array trainings{Training::fresh,         Training::cross,      Training::probabilistic, Training::ignore,
                               Training::deconvolution, Training::log_linear, Training::logistic,      Training::svm,
                               Training::chain,         Training::powerset};

std::string word_of(Training method) { return training_words[static_cast<std::size_t>(method)]; }

[[noreturn]] void fail_unknown(const std::string& word) {
  std::vector<std::string> known{"all"};
  for (const Training method : trainings) known.push_back(word_of(method));
  for (const Baseline& baseline : baselines()) known.push_back(baseline.word);
  fail(ErrorKind::usage,
       fmt::format("--compare: '{}' is not one of {{{}}}; a training can have its decision behind it, as in {}/ml",
                   word, fmt::join(known, ", "), word_of(Training::cross)));
}

Decision decision_of(const std::string& word, const std::string& decision) {
  for (std::size_t d = 0; d < std::size(decision_words); ++d) {
    if (decision == decision_words[d]) return static_cast<Decision>(d);
  }
  fail(ErrorKind::usage, fmt::format("--compare: '{}': decision '{}' is not one of {{{}}}", word, decision,
                                     fmt::join(decision_words, ", ")));
}

std::optional<Rival> training_rival(const std::string& word, const FoldOptions& base) {
  const std::size_t slash = word.find('/');
  const std::string named = word.substr(0, slash);
  for (const Training method : trainings) {
    if (named != word_of(method)) continue;
    Rival rival{word, word, base};
    rival.training->train.method = method;
    rival.training->calibrate = false;
    rival.training->name = word;
    Decision& decision = rival.training->decide.decision;
    if (slash != std::string::npos) {
      decision = decision_of(word, word.substr(slash + 1));
      rival.name = fmt::format("{}, {}", named, word.substr(slash + 1));
      if (decision == Decision::one_against_all && !has_one_against_all(method)) {
        fail(ErrorKind::usage,
             fmt::format("--compare: '{}': one-against-all goes with cross and probabilistic training", word));
      }
    } else if (decision == Decision::one_against_all && !has_one_against_all(method)) {
      decision = Decision::map;
    }
    return rival;
  }
  return std::nullopt;
}

// Runs `body`; a training that these items cannot answer, or that has not what the options ask for, says why.
template <class Body>
Attempt attempt(const Rival& rival, const Body& body) {
  Attempt result{rival.name, {}, ""};
  try {
    body(result);
  } catch (const Error& error) {
    const ErrorKind kind = error.kind();
    if (kind != ErrorKind::unanswerable && kind != ErrorKind::bad_data && kind != ErrorKind::usage) throw;
    result.failure = error.what();
  }
  return result;
}

}  // namespace

std::vector<Rival> rivals_of(const std::string& text, const FoldOptions& base) {
  std::vector<Rival> rivals;
  if (text == "all") {
    for (const Baseline& baseline : baselines()) rivals.push_back({baseline.word, baseline.name, {}});
    return rivals;
  }
  for (const std::string& word : comma_names(text)) {
    const auto same = [&](const auto& known) { return known.word == word; };
    if (std::any_of(rivals.begin(), rivals.end(), same)) {
      fail(ErrorKind::usage, fmt::format("--compare: '{}' is named twice", word));
    }
    const auto baseline = std::find_if(baselines().begin(), baselines().end(), same);
    if (baseline != baselines().end()) {
      rivals.push_back({word, baseline->name, {}});
      continue;
    }
    std::optional<Rival> training = training_rival(word, base);
    if (!training) fail_unknown(word);
    rivals.push_back(std::move(*training));
  }
  return rivals;
}

bool names_training(const std::vector<Rival>& rivals) {
  return std::any_of(rivals.begin(), rivals.end(), [](const Rival& rival) { return rival.training.has_value(); });
}

Attempt try_rival(const Rival& rival, const LabelledItems& train, const LabelledItems& test, const RunContext& run) {
  return attempt(rival, [&](Attempt& tried) {
    if (rival.training) {
      tried.decided = decide_about(train, test, *rival.training, run);
    } else {
      tried.decided.sets = baseline_about(rival.word, train, test.features, run);
    }
  });
}

Attempt try_rival(const Rival& rival, const LabelledItems& items, const Parts& parts, const RunContext& run) {
  return attempt(rival, [&](Attempt& tried) {
    tried.decided = Decided(items.rows(), items.labels.size());
    if (rival.training) {
      decide_by_folds(items, parts, *rival.training, run, tried.decided, tried.warnings);
    } else {
      decide_by_folds(rival.word, rival.name, items, parts, run, tried.decided);
    }
  });
}

std::vector<CurveMethod> curve_methods(const std::vector<Rival>& rivals) {
  std::vector<CurveMethod> methods;
  methods.reserve(rivals.size());
  for (const Rival& rival : rivals) {
    methods.push_back(
        {rival.name, [rival](const LabelledItems& train, const LabelledItems& test, const RunContext& run) {
           Attempt tried = try_rival(rival, train, test, run);
           return tried.failure.empty() ? std::optional(std::move(tried.decided.sets)) : std::nullopt;
         }});
  }
  return methods;
}

ClassifierScore score_of(const Attempt& attempt, const LabelledItems& items, const BitMatrix& first) {
  if (!attempt.failure.empty()) return {attempt.name, {}, 0.0, 0.0, attempt.failure};
  return score_of(attempt.name, items.sets, attempt.decided.sets, first);
}

ClassifierScore score_of(const std::string& name, const BitMatrix& truth, const BitMatrix& sets,
                         const BitMatrix& first) {
  ClassifierScore score{name, label_set_quality(truth, sets)};
  const std::vector<std::uint8_t> right = right_of(truth, sets);
  const std::vector<std::uint8_t> first_right = right_of(truth, first);
  std::vector<double> difference(truth.rows());
  for (std::size_t n = 0; n < truth.rows(); ++n) {
    difference[n] = static_cast<double>(first_right[n]) - static_cast<double>(right[n]);
  }
  const MeanSd over = mean_sd(difference);
  score.error_difference = over.mean;
  score.difference_error = over.error;
  return score;
}

std::vector<std::uint8_t> right_of(const BitMatrix& truth, const BitMatrix& sets) {
  std::vector<std::uint8_t> right(truth.rows());
  for (std::size_t n = 0; n < truth.rows(); ++n) {
    right[n] = std::equal(truth.row(n).begin(), truth.row(n).end(), sets.row(n).begin()) ? 1 : 0;
  }
  return right;
}

}  // namespace motet::multilabel
