// Made data with rare events, to try searches with.
#pragma once

#include <cstddef>

#include "motet/base/fields.h"
#include "motet/base/rng.h"
#include "motet/data/features.h"
#include "motet/discover/study/row_truth.h"

namespace motet::discover {

// What the sequences share with recordings:
// - the background wanders between `background` kinds of sound (a Markov chain that stays for about
//   `background_stay` rows), each a Gaussian with correlated columns and rows (first order, `correlation`, as
//   frames that overlap have);
// - it swells and fades, so odd rows of the background come in stretches and look alike: the spread of its rows is
//   multiplied by exp(unrest u_n) with u_n of variance 1, correlated over about 30 rows;
// - it has incidents of its own that nobody wants named (`gusts` per thousand rows, of 1 to 20 rows, each with a mean
//   of its own, up to as far off as an event);
// - an event is `event_length` rows around its class's mean, `separation` standard deviations from that of the
//   background it is heard over and mixed with it by `gain`; it sounds in bursts of about 4 rows with pauses between
//   that are pure background.
// The defaults are such that the published algorithm needs about as many questions as on recordings of birds.
// What they do not have: skew, drift of the microphone, events that overlap or change.
// Every class has `events_per_class` events that overlap no other.
struct EventOptions {
  std::size_t rows = 6000;
  std::size_t dimensions = 13;
  std::size_t classes = 5;
  std::size_t events_per_class = 1;
  std::size_t event_length = 37;
  std::size_t background = 3;
  double background_stay = 200.0;
  double correlation = 0.6;
  double unrest = 0.4;
  double gusts = 2.0;
  double separation = 6.0;
  double gain = 0.8;
  double bursts = 0.8;  // share of an event's rows that sound; the rest are background (songs have pauses)
};
template <class V>
void visit_fields(V& v, EventOptions& o) {
  v("rows", o.rows, Range<std::size_t>{1, 1'000'000'000}, "of the sequence");
  v("dimensions", o.dimensions, Range<std::size_t>{1, 10'000}, "columns of features");
  v("classes", o.classes, Range<std::size_t>{1, 200}, "kinds of rare events");
  v("events_per_class", o.events_per_class, Range<std::size_t>{1, 1'000'000}, "how often each happens");
  v("event_length", o.event_length, Range<std::size_t>{1, 1'000'000}, "rows of an event");
  v("background", o.background, Range<std::size_t>{1, 200}, "kinds of background");
  v("background_stay", o.background_stay, Range<double>{1.0, 1e9}, "mean number of rows before the background changes");
  v("correlation", o.correlation, Range<double>{0.0, 0.999}, "of a row with the next");
  v("unrest", o.unrest, Range<double>{0.0, 3.0}, "how much the background swells and fades; 0: not at all");
  v("gusts", o.gusts, Range<double>{0.0, 100.0}, "incidents of the background that are no events, per thousand rows");
  v("separation", o.separation, Range<double>{0.0, 1e3}, "of events from the background, in standard deviations");
  v("gain", o.gain, Range<double>{0.0, 1.0}, "how much of the sound is the event while it lasts");
  v("bursts", o.bursts, Range<double>{0.0, 1.0}, "share of an event's rows that sound; the others are pauses");
}
struct LabelledFeatures {
  Features features;
  RowTruth truth;
};
// Throws Error{usage} when the events do not fit into the rows.
LabelledFeatures generate_events(const EventOptions& options, Seed seed);

// The two-dimensional example of figure 6.1: two long clusters of 950 rows around x = -3 and x = 3 (standard
// deviations 0.6 and 2) are the background, 100 rows around the origin (0.2) the class to be found. In time
// the clusters follow each other with the class in the middle, or their rows alternate at random (erratum E19);
// `noise` rows spread evenly over the square of side 16 lie anywhere in time (figure 8.1).
struct ToyOptions {
  bool interleaved = false;
  std::size_t noise = 0;
};
LabelledFeatures toy_of_figure_6_1(const ToyOptions& options, Seed seed);

}  // namespace motet::discover
