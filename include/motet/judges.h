// Several judges (classifiers, annotators, language models) voted on items and nobody knows the truth: how good
// is each judge, and what is the best answer for each item? docs/judges.md has the models.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "motet/error.h"
#include "motet/interval.h"
#include "motet/model.h"
#include "motet/options.h"
#include "motet/run.h"

#pragma GCC visibility push(default)
namespace motet::judges {

struct JudgesModel;

struct NamedVote {
  std::string item;
  std::string judge;
  std::string label;
};

struct Vote {
  std::uint32_t item = 0;  // numbers in the lists of names
  std::uint32_t judge = 0;
  std::uint32_t label = 0;
};

struct Votes {
  std::vector<std::string> items;
  std::vector<std::string> judges;
  std::vector<std::string> classes;
  std::vector<Vote> votes;            // at most one of each judge on each item
  std::vector<std::int32_t> known{};  // by item: its true class, -1 where unknown; empty: nothing is known
};

// Items and judges by first appearance; classes by value when all are numbers, else by their bytes: as the command
// line reads a file.
Votes votes_from(std::span<const NamedVote> votes);

// Everything needed to combine further votes, as a value that is cheap to copy.
class Model : public ModelOf<JudgesModel> {
 public:
  using ModelOf::ModelOf;
  const std::vector<std::string>& classes() const;
  const std::vector<std::string>& judges() const;
};

std::string to_text(const Model& model);  // a model file
Model model_from_text(std::string_view text);

struct Judge {
  std::string name;
  std::size_t votes = 0;
  double accuracy = 0.0;  // share of right answers
  double standard_error = 0.0;
  Interval interval;
  std::vector<double> confusion;             // p(said | truth) at [truth * classes + said]
  std::vector<Interval> confusion_interval;  // the same
  bool determined = true;                    // false: the votes do not tell, the prior does
  bool constant = false;                     // always the same answer, whatever the item
  bool worse_than_chance = false;
};

struct Difficulty {
  double difficulty = 1.0;  // 1 is the average, 2 is twice as hard
  Interval interval;
};

struct Estimate {
  Model model;
  std::vector<Judge> judges;
  std::vector<double> prior;  // by class: its share
  std::vector<Interval> prior_interval;
  std::vector<Difficulty> difficulty;  // by item, of models that tell items apart; else empty
  FitSummary summary;
  double log_likelihood = 0.0;
  std::vector<std::string> warnings;
  std::optional<double> effective_judges{};  // with dependence=pairwise: how many independent judges they are worth
};

// `motet judges estimate`.
Estimate estimate(const Votes& votes, const Options& options = {}, const Run& run = {});
OptionList estimate_options();

struct Labels {
  std::vector<std::uint32_t> label;         // by item: the most probable class of the model
  std::vector<double> probability;          // of it
  std::vector<double> posterior;            // of every class, at [item * classes + class]
  std::vector<std::string> unknown_judges;  // to the model: their votes are left out
};

// `motet judges combine`. Classes and judges are found by name; a class the model does not know is Error{bad_data}.
Labels combine(const Model& model, const Votes& votes);

// The model with the votes on further items added, `motet judges estimate --update`.
Model update(const Model& model, const Votes& votes, const Run& run = {});

// What a model says by itself, as after an update or from a file.
Estimate estimate_of(const Model& model, double confidence = 0.95);

struct Simulated {
  Votes votes;
  std::vector<std::int32_t> truth;  // by item
  std::vector<double> accuracy;     // by judge, as planted
};

// `motet judges simulate`.
Simulated simulate(const Options& options = {}, const Run& run = {});
OptionList simulate_options();

struct Rate {
  double value = 0.0;
  double standard_error = 0.0;
  Interval interval;
};

struct RatedJudge {
  std::string name;
  std::size_t votes_a = 0;
  std::size_t votes_b = 0;
  Rate right_on_first;  // share of right votes on items of the first class
  Rate right_on_second;
  Rate risk_a;  // probability of a wrong vote in the first set of items
  Rate risk_b;
};

struct TwoPopulations {
  std::vector<RatedJudge> judges;  // those with votes on both
  std::vector<std::string> warnings;
};

// `motet judges two-populations`: judges one by one, from votes on two sets of items of which the shares of the first
// of two classes, prior_a and prior_b, are known and unlike.
TwoPopulations two_populations(const Votes& a, const Votes& b, double prior_a, double prior_b,
                               double confidence = 0.95);

struct RegressionModel;

// What judges who give numbers said.
struct Numbers {
  std::vector<std::string> items;
  std::vector<std::string> judges;
  std::vector<double> values;  // at [item * judges + judge], NaN where a judge gave none
};

class NumericModel : public ModelOf<RegressionModel> {
 public:
  using ModelOf::ModelOf;
};

std::string to_text(const NumericModel& model);  // a model file
NumericModel numeric_model_from_text(std::string_view text);

struct NumericJudge {
  std::string name;
  std::size_t predictions = 0;
  double theta = 0.0;  // of its kind of noise
  double theta_error = 0.0;
  Interval theta_interval;
  double mse = 0.0;  // mean squared error
  double mse_error = 0.0;
  Interval mse_interval;
  bool at_boundary = false;  // theta has its least value
};

struct NumericEstimate {
  NumericModel model;
  std::vector<NumericJudge> judges;
  FitSummary summary;
  double log_likelihood = 0.0;
};

// `motet judges regression`; mean and variance of the truth are needed, and for proportional and deterministic noise
// its noise_variance.
NumericEstimate estimate_numbers(const Numbers& numbers, const Options& options, const Run& run = {});
OptionList estimate_numbers_options();
NumericEstimate estimate_of(const NumericModel& model);

struct Values {
  std::vector<double> mean;  // by item: the best guess of its value
  std::vector<double> standard_deviation;
};

// `motet judges combine` of numbers. Judges are found by name.
Values combine(const NumericModel& model, const Numbers& numbers);

}  // namespace motet::judges
#pragma GCC visibility pop
