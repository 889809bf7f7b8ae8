#include <utility>

#include "motet/base/error.h"
#include "motet/discover/bytes.h"
#include "motet/discover/certificate.h"
#include "motet/discover/class_change.h"
#include "motet/discover/discovery.h"
#include "motet/discover/segments.h"
#include "motet/discover/spread/spread.h"
#include "motet/discover/study/generate.h"
#include "motet/door/inside.h"

// Last: a name at the door, such as Votes, may have another meaning inside.
#include "motet/discover.h"

namespace motet::discover {

struct Session::Inside {
  Features features;
  Discovery discovery;
};

Session::Session(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
Session::Session(const Session& other) : inside_(std::make_unique<Inside>(*other.inside_)) {}
Session& Session::operator=(const Session& other) { return *this = Session(other); }
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

Session Session::start(const FeatureTable& features, const Options& options, const Run& run) {
  Features rows = door::inside(features);
  Discovery discovery = start_discovery(rows, door::inside_options<DiscoverOptions>(options), door::inside(run));
  return Session(std::make_unique<Inside>(Inside{std::move(rows), std::move(discovery)}));
}

Session Session::from_bytes(std::string_view bytes, const FeatureTable& features) {
  Features rows = door::inside(features);
  Discovery discovery = discovery_from_bytes(bytes, rows.rows());
  door::require_size("session: rows", rows.rows(), discovery.states.size());
  if (rows.columns != discovery.mixture.columns) {
    fail(ErrorKind::bad_data, "session: the columns of the features are not those it was started with");
  }
  return Session(std::make_unique<Inside>(Inside{std::move(rows), std::move(discovery)}));
}

std::string Session::to_bytes() const { return discover::to_bytes(inside_->discovery); }

std::vector<Question> Session::next() const {
  std::vector<Question> questions;
  for (const Nomination& one : inside_->discovery.queue) questions.push_back({one.row, one.component});
  return questions;
}

void Session::answer(std::size_t row, std::string_view class_name, const Run& run) {
  check_class_name(class_name);
  take_answer(inside_->features, inside_->discovery, {row, AnswerKind::of_class, std::string(class_name)},
              door::inside(run));
}

void Session::answer_nothing(std::size_t row, const Run& run) {
  take_answer(inside_->features, inside_->discovery, {row, AnswerKind::nothing, {}}, door::inside(run));
}

void Session::answer_not_sure(std::size_t row, const Run& run) {
  take_answer(inside_->features, inside_->discovery, {row, AnswerKind::not_sure, {}}, door::inside(run));
}

Certificate Session::certificate() const {
  const SearchCertificate found = discover::certificate(inside_->features, inside_->discovery);
  return {found.exclusion, found.most_requests, found.answered, found.covered, found.complete};
}

std::vector<Segment> Session::segments(double merge_gap, double minimum_length, const Run& run) const {
  const Features& features = inside_->features;
  const Propagation rows = rows_of_stretches(spread_answers(features, inside_->discovery, door::inside(run)),
                                             features.rows(), usual_threshold);
  std::vector<motet::Segment> found = segments_of(features, inside_->discovery, rows, {merge_gap, minimum_length});
  keep_apart(found);
  std::vector<Segment> result;
  for (const motet::Segment& one : found) {
    std::size_t sequence = 0;
    while (inside_->features.sequences[sequence] != one.sequence) ++sequence;
    result.push_back({sequence, one.begin, one.end, one.label, one.probability});
  }
  return result;
}

Generated generate(const Options& options, const Run& run) {
  LabelledFeatures made = generate_events(door::inside_options<EventOptions>(options), Seed{run.seed});
  return {{std::move(made.features.columns), std::move(made.features.values)},
          std::move(made.truth.classes),
          std::move(made.truth.of_row)};
}

OptionList generate_options() { return door::list_of_options<EventOptions>(); }

OptionList start_options() { return door::list_of_options<DiscoverOptions>(); }

}  // namespace motet::discover
