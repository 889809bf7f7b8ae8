#include "motet/judges.h"

#include "binding.h"

namespace motet::python {
namespace {

using judges::Estimate;
using judges::Model;

// Votes as Python has them: names, and a number of each for every vote.
judges::Votes votes_of(Names items, Names judges, Names classes, const Array<std::uint32_t>& item,
                       const Array<std::uint32_t>& judge, const Array<std::uint32_t>& label,
                       const std::optional<Array<std::int32_t>>& known) {
  judges::Votes votes;
  votes.items = std::move(items);
  votes.judges = std::move(judges);
  votes.classes = std::move(classes);
  const auto count = static_cast<std::size_t>(item.size());
  votes.votes.reserve(count);
  for (std::size_t i = 0; i < count; ++i) votes.votes.push_back({item.data()[i], judge.data()[i], label.data()[i]});
  if (known) votes.known.assign(known->data(), known->data() + known->size());
  return votes;
}

py::list list_of(const std::vector<judges::Judge>& judges, py::ssize_t classes) {
  py::list list;
  for (const judges::Judge& judge : judges) {
    py::dict told;
    told["name"] = judge.name;
    told["votes"] = judge.votes;
    told["accuracy"] = judge.accuracy;
    told["standard_error"] = judge.standard_error;
    told["interval"] = py::make_tuple(judge.interval.low, judge.interval.high);
    told["confusion"] = array_of(std::vector<double>(judge.confusion), {classes, classes});
    told["confusion_interval"] = array_of_intervals(judge.confusion_interval, {classes, classes});
    told["determined"] = judge.determined;
    told["constant"] = judge.constant;
    told["worse_than_chance"] = judge.worse_than_chance;
    list.append(told);
  }
  return list;
}

py::dict dict_of(Estimate& found) {
  const auto classes = static_cast<py::ssize_t>(found.prior.size());
  py::dict told;
  told["model"] = found.model;
  told["judges"] = list_of(found.judges, classes);
  told["prior"] = array_of(std::move(found.prior));
  told["prior_interval"] = array_of_intervals(found.prior_interval, {classes});
  std::vector<double> difficulty;
  std::vector<Interval> intervals;
  for (const judges::Difficulty& one : found.difficulty) {
    difficulty.push_back(one.difficulty);
    intervals.push_back(one.interval);
  }
  told["difficulty"] = array_of(std::move(difficulty));
  told["difficulty_interval"] = array_of_intervals(intervals, {static_cast<py::ssize_t>(intervals.size())});
  told["summary"] = python::dict_of(found.summary);
  told["log_likelihood"] = found.log_likelihood;
  told["warnings"] = found.warnings;
  told["effective_judges"] = found.effective_judges;
  return told;
}

py::dict dict_of(const judges::NumericEstimate& found) {
  py::dict told;
  py::list list;
  for (const judges::NumericJudge& judge : found.judges) {
    py::dict one;
    one["name"] = judge.name;
    one["predictions"] = judge.predictions;
    one["theta"] = judge.theta;
    one["theta_error"] = judge.theta_error;
    one["theta_interval"] = py::make_tuple(judge.theta_interval.low, judge.theta_interval.high);
    one["mse"] = judge.mse;
    one["mse_error"] = judge.mse_error;
    one["mse_interval"] = py::make_tuple(judge.mse_interval.low, judge.mse_interval.high);
    one["at_boundary"] = judge.at_boundary;
    list.append(one);
  }
  told["model"] = found.model;
  told["judges"] = list;
  told["summary"] = python::dict_of(found.summary);
  told["log_likelihood"] = found.log_likelihood;
  return told;
}

py::tuple told_rate(const judges::Rate& rate) {
  return py::make_tuple(rate.value, rate.standard_error, rate.interval.low, rate.interval.high);
}

py::tuple told_populations(const judges::TwoPopulations& found) {
  py::list list;
  for (const judges::RatedJudge& judge : found.judges) {
    list.append(py::make_tuple(judge.name, judge.votes_a, judge.votes_b, told_rate(judge.right_on_first),
                               told_rate(judge.right_on_second), told_rate(judge.risk_a), told_rate(judge.risk_b)));
  }
  return py::make_tuple(list, found.warnings);
}

py::dict dict_of(judges::Simulated made) {
  std::vector<std::uint32_t> item;
  std::vector<std::uint32_t> judge;
  std::vector<std::uint32_t> label;
  for (const judges::Vote& vote : made.votes.votes) {
    item.push_back(vote.item);
    judge.push_back(vote.judge);
    label.push_back(vote.label);
  }
  py::dict told;
  told["items"] = made.votes.items;
  told["judges"] = made.votes.judges;
  told["classes"] = made.votes.classes;
  told["item"] = array_of(std::move(item));
  told["judge"] = array_of(std::move(judge));
  told["label"] = array_of(std::move(label));
  told["truth"] = array_of(std::move(made.truth));
  told["accuracy"] = array_of(std::move(made.accuracy));
  return told;
}

judges::Numbers numbers_of(Names items, Names judges, const Array<double>& values) {
  return {std::move(items), std::move(judges), {values.data(), values.data() + values.size()}};
}

void bind_numbers(py::module_& module) {
  using judges::Numbers;
  using judges::NumericModel;
  py::class_<Numbers>(module, "Numbers").def(py::init(&numbers_of));
  bind_model<NumericModel>(module, "NumericModel", &judges::to_text, &judges::numeric_model_from_text);
  module.def("numbers_estimate_options", [] { return python::list_of(judges::estimate_numbers_options()); });
  module.def("numbers_estimate", [](const Numbers& numbers, const py::dict& options, const py::tuple& run) {
    const Options chosen = options_of(options);
    return dict_of(released_result(wish_of(run),
                                   [&](const Run& inner) { return judges::estimate_numbers(numbers, chosen, inner); }));
  });
  module.def("numbers_estimate_of", [](const NumericModel& model) { return dict_of(judges::estimate_of(model)); });
  module.def("numbers_combine", [](const NumericModel& model, const Numbers& numbers) {
    judges::Values found = judges::combine(model, numbers);
    return py::make_tuple(array_of(std::move(found.mean)), array_of(std::move(found.standard_deviation)));
  });
}

py::dict dict_of(judges::Labels found, std::size_t classes) {
  const auto items = static_cast<py::ssize_t>(found.label.size());
  py::dict told;
  told["label"] = array_of(std::move(found.label));
  told["posterior"] = array_of(std::move(found.posterior), {items, static_cast<py::ssize_t>(classes)});
  told["unknown_judges"] = found.unknown_judges;
  return told;
}

}  // namespace

void bind_judges(py::module_& module) {
  using judges::Votes;
  py::class_<Votes>(module, "Votes").def(py::init(&votes_of));
  bind_model<Model>(module, "JudgesModel", &judges::to_text, &judges::model_from_text)
      .def_property_readonly("classes", &Model::classes)
      .def_property_readonly("judges", &Model::judges);
  module.def("judges_estimate_options", [] { return python::list_of(judges::estimate_options()); });
  module.def("judges_estimate", [](const Votes& votes, const py::dict& options, const py::tuple& run) {
    const Options chosen = options_of(options);
    Estimate found =
        released_result(wish_of(run), [&](const Run& inner) { return judges::estimate(votes, chosen, inner); });
    return dict_of(found);
  });
  module.def("judges_combine", [](const Model& model, const Votes& votes) {
    Wish quiet{1, 1, py::none()};
    return dict_of(released_result(quiet, [&](const Run&) { return judges::combine(model, votes); }),
                   model.classes().size());
  });
  module.def("judges_update", [](const Model& model, const Votes& votes, const py::tuple& run) {
    return released_result(wish_of(run), [&](const Run& inner) { return judges::update(model, votes, inner); });
  });
  module.def("judges_estimate_of", [](const Model& model, double confidence) {
    Estimate found = judges::estimate_of(model, confidence);
    return dict_of(found);
  });
  module.def("judges_simulate_options", [] { return python::list_of(judges::simulate_options()); });
  module.def("judges_simulate", [](const py::dict& options, const py::tuple& run) {
    const Options chosen = options_of(options);
    return dict_of(released_result(wish_of(run), [&](const Run& inner) { return judges::simulate(chosen, inner); }));
  });
  module.def("two_populations", [](const Votes& a, const Votes& b, double prior_a, double prior_b, double confidence) {
    return told_populations(judges::two_populations(a, b, prior_a, prior_b, confidence));
  });
  bind_numbers(module);
  // Class names as they are put in order: numbers by value, else by bytes.
  module.def("natural_order", [](const Names& names) {
    std::vector<judges::NamedVote> votes;
    for (const std::string& name : names) votes.push_back({"", "", name});
    return judges::votes_from(votes).classes;
  });
}

}  // namespace motet::python
