// A search for rare classes as a plain value that answers move forward.
//
// The state is a function of the data, the options, the seed and the answers in their
// order, and of nothing else: the same answers give the same bytes on any machine and
// any number of threads, after any number of saves and loads. Undoing an answer is
// going back to the state before it.
//
// Class 0 is the background ("nothing here"); it has the first components. A class
// gets its component with its first answer, seeded from the row and the h of its
// neighbours in time that are nearest to it, shrunk as in shrinkage.h (as published:
// published_seed.h); a class whose last answer was changed to another is forgotten with its
// component. Questions come in batches; the model is updated by one warm EM iteration (as
// published: to convergence) when the last of a batch is answered.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "motet/base/run.h"
#include "motet/data/features.h"
#include "motet/discover/options.h"
#include "motet/discover/questions/asking.h"
#include "motet/temporal/mixture/mixture.h"
#include "motet/temporal/mixture/shrinkage.h"

namespace motet::discover {

// What a search holds of temporal.
using temporal::Component;
using temporal::GlobalShape;
using temporal::Mixture;

enum class AnswerKind : std::uint8_t {
  of_class,  // an event of this class, new or known
  nothing,   // nothing here: the background
  not_sure,  // says nothing; asked again only when all else is covered
};

struct Answer {
  std::size_t row = 0;
  AnswerKind kind = AnswerKind::nothing;
  std::string class_name;  // when of_class

  bool operator==(const Answer&) const = default;
};

constexpr std::string_view background_name = "background";  // of class 0; as an answer the same as `nothing`

struct Nomination {
  std::size_t row = 0;
  std::int32_t component = -1;  // that found it odd; -1: none did (random, nndm, what is left to cover)
  double log_density = std::numeric_limits<double>::quiet_NaN();  // under that component
  std::int8_t asker = -1;  // the way of asking that chose it, an Asker; -1: the strategy has but one

  bool operator==(const Nomination& other) const {
    return row == other.row && component == other.component && asker == other.asker &&
           (log_density == other.log_density || (std::isnan(log_density) && std::isnan(other.log_density)));
  }
};

// What was chosen where the options left it open, and why, for people.
struct Choice {
  std::string name;    // "radius"
  std::string value;   // "18"
  std::string reason;  // "half the median length of runs of one component"

  bool operator==(const Choice&) const = default;
};

// An answer of another project, as an example of what to recognise: the smoothed row of its event (spread/carry.h).
struct CarriedExample {
  std::string class_name;      // empty: nothing was there
  std::vector<double> values;  // one per column
  double length = 1.0;         // rows that looked alike

  bool operator==(const CarriedExample&) const = default;
};

// What was taken along when the search began; afterwards the other project is not needed.
struct Carried {
  std::string project;  // its name, for people
  std::vector<CarriedExample> examples;

  bool operator==(const Carried&) const = default;
};

struct Discovery {
  DiscoverOptions options;  // with everything chosen
  std::vector<Choice> choices;
  std::uint64_t seed = 1;
  Mixture mixture;                     // its field is that of nominations
  std::vector<std::uint8_t> states;    // component per row
  std::vector<Answer> answers;         // in order; a later one to the same row replaces the earlier
  std::vector<Nomination> queue;       // to be asked now, best first; empty: nothing is left to ask
  std::vector<std::uint8_t> isolated;  // 1: looks like noise, asked last; one per row
  std::size_t updates = 0;             // of the model
  std::vector<std::uint32_t> order;    // of all questions, when the strategy fixes it beforehand: nndm
  GlobalShape global;                  // of all rows
  AskerCounts askers{};                // of the adaptive strategy
  Carried carried;                     // usually nothing
  std::vector<double> densities;       // log densities under the mixture, or empty: kept to save time, not saved
  // 1: told well enough by what was taken along, asked late; empty where nothing was. Kept from one question to the
  // next.
  std::vector<std::uint8_t> known;
  Scout scout;  // what scores go by: kept to save time, not saved
};

// Reads what the options leave open from the data, fits the background and nominates.
Discovery start_discovery(const Features& features, const DiscoverOptions& options, const RunContext& run,
                          Carried carried = {});

// Takes in one answer, to a row that was asked or to any other. Throws Error{usage} for a row that is
// not there or an empty class name.
void take_answer(const Features& features, Discovery& discovery, const Answer& answer, const RunContext& run);

// New rows at the end of `features` (those the discovery has not seen): what was learned carries over.
void take_rows(const Features& features, Discovery& discovery, const RunContext& run);

}  // namespace motet::discover
