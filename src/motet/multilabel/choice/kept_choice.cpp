#include "motet/multilabel/choice/kept_choice.h"

#include "motet/base/error.h"
#include "motet/multilabel/choice/ways.h"

namespace motet::multilabel {
namespace {

constexpr std::string_view stage = "chosen way";
constexpr std::size_t numbers_a_trial = 7;

// Where the state of the fit begins, behind the trials.
std::size_t head_size(const Checkpoint& kept) {
  const double trials = kept.parameters.empty() ? 0.0 : kept.parameters[0];
  if (!(trials >= 1.0) || trials * numbers_a_trial + 1.0 > static_cast<double>(kept.parameters.size())) {
    fail(ErrorKind::bad_data, "the checkpoint is damaged; start without --resume");
  }
  return static_cast<std::size_t>(trials) * numbers_a_trial + 1;
}

}  // namespace

KeptChoice::KeptChoice(const RunContext& run, const std::vector<TrainOptions>& ways)
    : run_(run), ways_(ways), kept_(run.resume ? run.resume(stage) : nullptr) {}

std::vector<Trial> KeptChoice::trials() const {
  std::vector<Trial> result;
  if (kept_ == nullptr) return result;
  const std::size_t size = head_size(*kept_);
  for (std::size_t at = 1; at < size; at += numbers_a_trial) {
    const double* const number = kept_->parameters.data() + at;
    if (!(number[0] >= 0.0 && number[0] < static_cast<double>(ways_.size()))) {
      fail(ErrorKind::bad_data, "the checkpoint is damaged; start without --resume");
    }
    const auto way = static_cast<std::size_t>(number[0]);
    result.push_back(
        {name_of_way(ways_[way]), ways_[way], number[1], number[2], number[3], number[4], number[5], way, number[6]});
  }
  return result;
}

void KeptChoice::keep(const std::vector<Trial>& trials) {
  head_ = {static_cast<double>(trials.size())};
  for (const Trial& trial : trials) {
    head_.insert(head_.end(), {static_cast<double>(trial.way), trial.error, trial.standard_error, trial.log_loss,
                               trial.behind, trial.behind_error, trial.loss});
  }
  if (run_.save && kept_ == nullptr) run_.save({std::string(stage), 0, head_, {}, true});
}

RunContext KeptChoice::fit_run() {
  RunContext run = run_;
  if (run_.save) {
    run.save = [this](const Checkpoint& fit) {
      Checkpoint state{std::string(stage), fit.iteration, head_, fit.objective, fit.urgent};
      state.parameters.insert(state.parameters.end(), fit.parameters.begin(), fit.parameters.end());
      run_.save(state);
    };
  }
  if (kept_ == nullptr || kept_->parameters.size() == head_size(*kept_)) {
    run.resume = {};
    return run;
  }
  fit_ = *kept_;
  fit_.parameters.erase(fit_.parameters.begin(),
                        fit_.parameters.begin() + static_cast<std::ptrdiff_t>(head_size(*kept_)));
  run.resume = [this](std::string_view) { return &fit_; };
  return run;
}

}  // namespace motet::multilabel
