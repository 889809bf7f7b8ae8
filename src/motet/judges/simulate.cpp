#include "motet/judges/simulate.h"

#include <fmt/format.h>

#include "motet/base/error.h"
#include "motet/base/streams.h"
#include "motet/judges/estimate.h"

namespace motet::judges {
namespace {

constexpr std::size_t items_between_looks = 1024;  // at progress and cancellation

double parse_probability(std::string_view text) {
  const Result<double> parsed = parse_double(text);
  if (!parsed) fail(ErrorKind::usage, "--accuracy: " + parsed.reason());
  if (parsed.value() < 0.0 || parsed.value() > 1.0) fail_range("--accuracy " + std::string(text), "0", "1");
  return parsed.value();
}

std::vector<double> planted_accuracies(const SimulateOptions& options, Rng rng) {
  const std::string_view text = options.accuracy;
  if (const std::size_t dots = text.find(".."); dots != std::string_view::npos) {
    const double low = parse_probability(text.substr(0, dots));
    const double high = parse_probability(text.substr(dots + 2));
    if (low > high) fail(ErrorKind::usage, "--accuracy: '" + options.accuracy + "' runs from high to low");
    std::vector<double> accuracy(options.judges);
    for (double& value : accuracy) value = rng.uniform(low, high);
    return accuracy;
  }
  std::vector<double> accuracy;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    accuracy.push_back(parse_probability(text.substr(begin, comma - begin)));
    begin = comma + 1;
  }
  if (accuracy.size() == 1) accuracy.resize(options.judges, accuracy[0]);
  if (accuracy.size() != options.judges) {
    fail(ErrorKind::usage, fmt::format("--accuracy: {} values for {} judges", accuracy.size(), options.judges));
  }
  return accuracy;
}

std::uint32_t wrong_class(std::uint32_t truth, const SimulateOptions& options, Rng& rng) {
  const auto k = static_cast<std::uint32_t>(options.classes);
  if (rng.uniform() < options.bias) return (truth + 1) % k;
  return (truth + 1 + static_cast<std::uint32_t>(rng.below(k - 1))) % k;
}

}  // namespace

NameList simulated_classes(std::size_t count) {
  NameList classes;
  for (std::size_t c = 0; c < count; ++c) {
    classes.push_back(count <= 26 ? std::string(1, static_cast<char>('a' + c)) : fmt::format("c{}", c + 1));
  }
  return classes;
}

SimulatedVotes simulate_votes(const SimulateOptions& options, Seed seed, const RunContext& run) {
  check_ranges(options);
  const Rng root = stream(seed, Stream::judges_simulation);
  const NameList classes = simulated_classes(options.classes);
  const std::vector<double> prior = parse_prior(options.prior, classes);
  if (prior.empty()) fail(ErrorKind::usage, "--prior: 'estimate' is not possible here; say 'uniform' or the shares");
  SimulatedVotes result;
  result.accuracy = planted_accuracies(options, root.child(0));
  NameList items;
  NameList judges;
  for (std::size_t j = 0; j < options.judges; ++j) judges.push_back(fmt::format("judge{}", j + 1));
  std::vector<Vote> list;
  for (std::size_t i = 0; i < options.items; ++i) {
    if (i % items_between_looks == 0) {
      if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted while simulating");
      if (run.observer) {
        run.observer({"simulating", static_cast<double>(i), static_cast<double>(options.items), "items"});
      }
    }
    Rng rng = root.child(i + 1);  // a stream per item: more items leave the first ones alone
    items.push_back(fmt::format("item{}", i + 1));
    const auto truth = static_cast<std::uint32_t>(rng.categorical(prior));
    result.truth.push_back(static_cast<std::int32_t>(truth));
    std::uint32_t before = truth;
    for (std::uint32_t j = 0; j < options.judges; ++j) {
      std::uint32_t label = rng.uniform() < result.accuracy[j] ? truth : wrong_class(truth, options, rng);
      const bool answers = rng.uniform() < options.answered;
      if (j > 0 && j + 1 == options.judges && rng.uniform() < options.copying) label = before;
      if (answers) list.push_back({static_cast<std::uint32_t>(i), j, label});
      before = label;
    }
  }
  result.votes = make_votes(std::move(items), std::move(judges), classes, list);
  return result;
}

}  // namespace motet::judges
