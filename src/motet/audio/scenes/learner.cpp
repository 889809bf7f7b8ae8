#include "motet/audio/scenes/learner.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "motet/audio/scenes/least_squares.h"
#include "motet/base/error.h"
#include "motet/base/streams.h"
#include "motet/data/record_fields.h"
#include "motet/data/split.h"

namespace motet::audio {
namespace {

// Kernels are per feature, so that one grid does for all sets; steps of 3 to 10 as is usual.
constexpr std::array<double, 6> linear_costs = {0.01, 0.1, 1.0, 10.0, 100.0, 1000.0};
constexpr std::array<double, 4> rbf_costs = {0.3, 3.0, 30.0, 300.0};
constexpr std::array<double, 4> rbf_gammas = {0.1, 0.3, 1.0, 3.0};

bool is_machine(LearnMethod method) { return method == LearnMethod::svm_linear || method == LearnMethod::svm_rbf; }

std::vector<MachineOptions> grid_of(LearnMethod method) {
  std::vector<MachineOptions> grid;
  if (method == LearnMethod::svm_linear) {
    for (const double cost : linear_costs) grid.push_back({Kernel::linear, cost});
  } else {
    for (const double cost : rbf_costs) {
      for (const double gamma : rbf_gammas) grid.push_back({Kernel::rbf, cost, gamma});
    }
  }
  return grid;
}

// What each cell of the grid says of the rows of one fold, learned from the others.
std::vector<std::vector<double>> said_of_fold(const Rows2d& rows, const Target& target, const Parts& parts,
                                              std::size_t fold, const std::vector<MachineOptions>& grid) {
  const std::vector<std::uint32_t> inside = parts.others(fold);
  const std::vector<std::uint32_t> outside = parts.rows_of(fold);
  const Rows2d train = some_rows(rows, inside);
  const Standard standard = standard_of(train);
  const Rows2d standardised = standard.of(train);
  const Rows2d asked = standard.of(some_rows(rows, outside));
  const std::vector<double> products = inner_products(standardised);
  const Target of_train = some_targets(target, inside);
  std::vector<std::vector<double>> said;
  for (const MachineOptions& cell : grid) {
    const Machine machine = train_machine(standardised, products, of_train, cell);
    std::vector<double>& of_cell = said.emplace_back();
    for (std::size_t n = 0; n < asked.rows(); ++n) of_cell.push_back(machine.say(asked.row(n)));
  }
  return said;
}

// Of cells with one error the first: the least cost.
MachineOptions chosen_cell(const Rows2d& rows, const Target& target, std::span<const std::uint32_t> groups,
                           const LearnOptions& options, const RunContext& run) {
  const std::vector<MachineOptions> grid = grid_of(options.method);
  const std::size_t different = std::set<std::uint32_t>(groups.begin(), groups.end()).size();
  const Parts parts = grouped_parts(groups, std::min(options.folds, different), stream(run.seed, Stream::audio_folds));
  std::vector<std::vector<std::vector<double>>> said(parts.count);
  for_each_task(parts.count, run.threads.here(), [&](std::size_t fold) {
    if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted while choosing cost and gamma");
    said[fold] = said_of_fold(rows, target, parts, fold, grid);
  });
  std::size_t best = 0;
  double least = 0.0;
  for (std::size_t cell = 0; cell < grid.size(); ++cell) {
    std::vector<double> of_rows(rows.rows());
    for (std::size_t fold = 0; fold < parts.count; ++fold) {
      const std::vector<std::uint32_t> outside = parts.rows_of(fold);
      for (std::size_t i = 0; i < outside.size(); ++i) of_rows[outside[i]] = said[fold][cell][i];
    }
    const double error = error_of_said(target, of_rows);
    if (cell == 0 || error < least) {
      best = cell;
      least = error;
    }
  }
  return grid[best];
}

void check_learnable(const Rows2d& rows, const Target& target, std::span<const std::uint32_t> groups,
                     const LearnOptions& options) {
  constexpr std::size_t fewest = 4;
  if (rows.rows() < fewest) {
    fail(ErrorKind::unanswerable,
         "there are " + std::to_string(rows.rows()) + " clips to learn from; 4 are the fewest");
  }
  if (std::set<std::uint32_t>(groups.begin(), groups.end()).size() < 2) {
    fail(ErrorKind::unanswerable, "all clips to learn from are of one source; two sources are the fewest");
  }
  const std::set<double> different(target.values.begin(), target.values.end());
  if (target.is_class() && different.size() < 2) {
    fail(ErrorKind::unanswerable, "all clips to learn from are '" +
                                      target.classes[static_cast<std::size_t>(target.values[0])] +
                                      "'; two classes are the fewest");
  }
  if (target.is_class() && options.method == LearnMethod::linear) {
    fail(ErrorKind::usage, "--method linear: is for numbers; take svm-linear for classes");
  }
}

}  // namespace

double error_of_said(const Target& truth, std::span<const double> said) {
  return truth.is_class() ? balanced_error(truth.values, said, truth.classes.size())
                          : mean_residual(truth.values, said);
}

std::vector<double> Learned::say(const Rows2d& rows) const {
  const Rows2d asked = standard.of(rows);
  if (method == LearnMethod::forest) return forest.say(asked);
  std::vector<double> said;
  for (std::size_t n = 0; n < asked.rows(); ++n) {
    const std::span<const double> row = asked.row(n);
    if (is_machine(method)) {
      said.push_back(machine.say(row));
      continue;
    }
    double sum = weights.back();
    for (std::size_t d = 0; d < row.size(); ++d) sum += weights[d] * row[d];
    said.push_back(sum);
  }
  return said;
}

Rows2d Learned::scores(const Rows2d& rows) const {
  const Rows2d asked = standard.of(rows);
  if (method == LearnMethod::forest) return forest.margins(asked);
  Rows2d found{classes.size(), {}};
  for (std::size_t n = 0; n < asked.rows(); ++n) {
    const std::vector<double> of_row = machine.scores(asked.row(n), classes.size());
    found.values.insert(found.values.end(), of_row.begin(), of_row.end());
  }
  return found;
}

Learned relearned(const Learned& like, const Rows2d& rows, const Target& target, const LearnOptions& options,
                  Seed seed) {
  Learned learned;
  learned.method = like.method;
  learned.classes = target.classes;
  learned.cost = like.cost;
  learned.gamma = like.gamma;
  learned.standard = standard_of(rows);
  const Rows2d standardised = learned.standard.of(rows);
  if (learned.method == LearnMethod::forest) {
    learned.forest = Forest::grow(standardised, target, {options.trees}, seed);
  } else if (learned.method == LearnMethod::linear) {
    learned.weights = least_squares(standardised, target.values);
  } else {
    const Kernel kernel = learned.method == LearnMethod::svm_linear ? Kernel::linear : Kernel::rbf;
    const MachineOptions cell{kernel, learned.cost, learned.gamma};
    learned.machine = train_machine(standardised, inner_products(standardised), target, cell);
  }
  return learned;
}

Learned learn(const Rows2d& rows, const Target& target, std::span<const std::uint32_t> groups,
              const LearnOptions& options, const RunContext& run) {
  check_ranges(options);
  check_learnable(rows, target, groups, options);
  Learned like;
  like.method = options.method;
  if (is_machine(options.method)) {
    const MachineOptions cell = chosen_cell(rows, target, groups, options, run);
    like.cost = cell.cost;
    like.gamma = cell.gamma;
  }
  return relearned(like, rows, target, options, drawn_seed(run.seed, Stream::audio_forest));
}

Record to_record(const Learned& learned) {
  Record record{Learned::kind, Learned::newest_version, {}};
  Value& fields = record.fields;
  fields.set("method", static_cast<std::int64_t>(learned.method));
  fields.set("columns", Value::list_of(learned.columns));
  fields.set("classes", Value::list_of(learned.classes));
  fields.set("mean", Value::list_of(learned.standard.mean));
  fields.set("scale", Value::list_of(learned.standard.scale));
  if (learned.method == LearnMethod::forest) fields.set("forest", learned.forest.to_text());
  if (learned.method == LearnMethod::linear) fields.set("weights", Value::list_of(learned.weights));
  const Calibration& calibration = learned.calibration;
  fields.set("calibration", Value::object({{"slope", calibration.slope},
                                           {"offsets", Value::list_of(calibration.offsets)},
                                           {"residuals", Value::list_of(calibration.residuals)},
                                           {"least", calibration.least},
                                           {"most", calibration.most}}));
  if (!is_machine(learned.method)) return record;
  const Machine& machine = learned.machine;
  fields.set("cost", learned.cost);
  fields.set("gamma", learned.gamma);
  fields.set("vectors", Value::list_of(machine.vectors.values));
  fields.set("order", Value::list_of(machine.order));
  fields.set("of_class", Value::list_of(machine.of_class));
  fields.set("weights", Value::list_of(machine.weights));
  fields.set("offsets", Value::list_of(machine.offsets));
  fields.set("target_mean", machine.mean);
  fields.set("target_scale", machine.scale);
  return record;
}

namespace {

std::vector<std::uint32_t> classes_at(const Value& fields, std::string_view key, std::size_t size,
                                      std::size_t classes) {
  std::vector<std::uint32_t> list;
  for (const double number : numbers_at(fields, key, size)) {
    if (!(number >= 0.0) || number >= static_cast<double>(classes)) {
      fail(ErrorKind::bad_data, "field '" + std::string(key) + "' names a class that is not there");
    }
    list.push_back(static_cast<std::uint32_t>(number));
  }
  return list;
}

Machine machine_from(const Value& fields, const Learned& learned) {
  Machine machine;
  machine.kernel = learned.method == LearnMethod::svm_linear ? Kernel::linear : Kernel::rbf;
  machine.gamma = learned.gamma;
  machine.vectors = {learned.columns.size(), numbers_at(fields, "vectors")};
  if (machine.vectors.values.size() % machine.vectors.width != 0) {
    fail(ErrorKind::bad_data, "field 'vectors' is no whole number of rows");
  }
  const std::size_t vectors = machine.vectors.rows();
  if (!learned.classes.empty()) {
    machine.order = classes_at(fields, "order", any_size, learned.classes.size());
    machine.classes = machine.order.size();
    if (machine.classes < 2) fail(ErrorKind::bad_data, "field 'order' has fewer than two classes");
    machine.of_class = classes_at(fields, "of_class", vectors, learned.classes.size());
  }
  machine.weights = numbers_at(fields, "weights",
                               vectors * std::max<std::size_t>(1, machine.classes - (machine.classes == 0 ? 0 : 1)));
  const std::size_t pairs = machine.classes == 0 ? 1 : machine.classes * (machine.classes - 1) / 2;
  machine.offsets = numbers_at(fields, "offsets", pairs);
  machine.mean = fields.at("target_mean").as_number();
  machine.scale = fields.at("target_scale").as_number();
  return machine;
}

Calibration calibration_from(const Value& fields, std::size_t classes) {
  Calibration calibration;
  calibration.slope = fields.at("slope").as_number();
  calibration.offsets = numbers_at(fields, "offsets");
  calibration.residuals = numbers_at(fields, "residuals");
  calibration.least = fields.at("least").as_number();
  calibration.most = fields.at("most").as_number();
  if (!calibration.offsets.empty() && calibration.offsets.size() != classes) {
    fail(ErrorKind::bad_data, "field 'offsets' has not one number per class");
  }
  if (!std::is_sorted(calibration.residuals.begin(), calibration.residuals.end())) {
    fail(ErrorKind::bad_data, "field 'residuals' does not rise");
  }
  return calibration;
}

}  // namespace

Learned learned_from_record(const Record& record) {
  require_model(record, Learned::kind, Learned::newest_version);
  const Value& fields = record.fields;
  Learned learned;
  const std::int64_t method = fields.at("method").as_whole();
  if (method < 0 || method > 3) fail(ErrorKind::bad_data, "field 'method' is none that is known");
  learned.method = static_cast<LearnMethod>(method);
  learned.columns = texts_at(fields, "columns");
  learned.classes = texts_at(fields, "classes");
  const std::size_t width = learned.columns.size();
  if (width == 0) fail(ErrorKind::bad_data, "field 'columns' is empty");
  learned.standard = {numbers_at(fields, "mean", width), numbers_at(fields, "scale", width)};
  if (learned.method == LearnMethod::forest) {
    learned.forest = Forest::from_text(fields.at("forest").as_text(), width, learned.classes.size());
  } else if (learned.method == LearnMethod::linear) {
    learned.weights = numbers_at(fields, "weights", width + 1);
  } else {
    learned.cost = fields.at("cost").as_number();
    learned.gamma = fields.at("gamma").as_number();
    learned.machine = machine_from(fields, learned);
  }
  if (record.version > 1) learned.calibration = calibration_from(fields.at("calibration"), learned.classes.size());
  return learned;
}

}  // namespace motet::audio
