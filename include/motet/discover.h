// Hours of rows with rare events nobody has named: find them all with few questions. docs/discover.md has the
// strategies.
//
//   Session session = Session::start(features);
//   while (!session.next().empty()) session.answer(session.next()[0].row, ask_someone());
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "motet/error.h"
#include "motet/features.h"
#include "motet/options.h"
#include "motet/run.h"

#pragma GCC visibility push(default)
namespace motet::discover {

struct Question {
  std::size_t row = 0;
  std::int32_t component = -1;  // of the model, that finds the row odd; -1: none does
};

// A stretch of rows of one class, as the answers and the model say.
struct Segment {
  std::size_t sequence = 0;
  double begin = 0.0;  // seconds from the start of the sequence; rows where rows have no time
  double end = 0.0;
  std::string label;
  double probability = 0.0;  // that it touches an event of its class
};

// How far the guarantee reaches: when it is complete, every run of 2 exclusion + 1 rows holds an answered row.
struct Certificate {
  std::size_t exclusion = 0;
  std::size_t most_requests = 0;
  std::size_t answered = 0;
  double covered = 0.0;  // share of the rows
  bool complete = false;
};

// A search as a value: it can be copied, and kept as bytes.
class Session {
 public:
  // `motet discover start`.
  static Session start(const FeatureTable& features, const Options& options = {}, const Run& run = {});
  static Session from_bytes(std::string_view bytes, const FeatureTable& features);
  std::string to_bytes() const;

  Session(const Session& other);
  Session& operator=(const Session& other);
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  ~Session();

  std::vector<Question> next() const;  // best first; empty: nothing is left to ask

  // Any row may be answered, also one that was not asked; a later answer to a row replaces the earlier.
  void answer(std::size_t row, std::string_view class_name, const Run& run = {});
  void answer_nothing(std::size_t row, const Run& run = {});   // nothing here: the background
  void answer_not_sure(std::size_t row, const Run& run = {});  // says nothing

  Certificate certificate() const;

  // `motet discover export` with its usual threshold: gaps of up to `merge_gap` between segments of a class are closed,
  // and segments that are shorter than `minimum_length` and hold no answered row dropped; both in the unit of the
  // segments.
  std::vector<Segment> segments(double merge_gap = 0.0, double minimum_length = 0.0, const Run& run = {}) const;

 private:
  struct Inside;
  explicit Session(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

OptionList start_options();

struct Generated {
  FeatureTable features;
  std::vector<std::string> classes;  // the most frequent is the background
  std::vector<std::uint32_t> of_row;
};

// `motet discover generate`: rows with rare events, to try searches with.
Generated generate(const Options& options = {}, const Run& run = {});
OptionList generate_options();

}  // namespace motet::discover
#pragma GCC visibility pop
