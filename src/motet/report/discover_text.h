// A search told in words and for machines: what to look at next, how far it has come.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "motet/data/table.h"
#include "motet/data/value.h"
#include "motet/discover/project.h"
#include "motet/discover/simulate.h"

namespace motet {

// A row as people find it again.
struct ToldItem {
  std::size_t row = 0;  // the first of all is 0
  std::string item;
  std::string recording;             // may be empty
  std::size_t row_of_recording = 0;  // the first of it is 0
  bool has_time = false;
  double begin = 0.0;  // seconds from the start of the recording
  double end = 0.0;
  std::string why;              // it is asked
  std::int32_t component = -1;  // that finds it odd
  double log_density = 0.0;     // NaN without one
};

// Where a search stands, with everything people ask for.
struct DiscoverStatus {
  std::string project;
  std::string strategy;
  std::size_t rows = 0;
  std::size_t dimensions = 0;
  double hop = 0.0;  // seconds; 0: rows have no time
  std::vector<Recording> recordings;
  std::vector<Choice> choices;
  struct OfClass {
    std::string name;
    std::size_t answers = 0;  // rows whose last answer is this class
    std::int64_t first = 0;   // number of the first answer that holds
  };
  std::vector<OfClass> classes;  // the background first
  std::size_t unsure = 0;
  struct Labeler {
    std::string name;  // may be empty
    std::size_t answers = 0;
    std::size_t undone = 0;
  };
  std::vector<Labeler> labelers;
  std::size_t undone = 0;
  Certificate certificate;
  std::vector<ToldItem> next;
  std::vector<std::string> warnings;
};

// "123.3 s to 123.55 s of rec.wav", or "row 17 of log.csv".
std::string place_of(const ToldItem& item);

// The item(s) to label now, or that nothing is left.
std::string next_text(const DiscoverStatus& status);
Value next_json(const DiscoverStatus& status);

// What can be relied on by now, in a sentence or two.
std::string certificate_sentence(const DiscoverStatus& status);

std::string start_text(const DiscoverStatus& status);
std::string status_text(const DiscoverStatus& status);
Value status_json(const DiscoverStatus& status);

Table choices_table(const DiscoverStatus& status);
Table classes_table(const DiscoverStatus& status);
Table labelers_table(const DiscoverStatus& status);
Table next_table(const DiscoverStatus& status);

std::string simulate_text(const DiscoveryComparison& comparison, const std::vector<std::string>& warnings);
Value simulate_json(const DiscoveryComparison& comparison, const std::vector<std::string>& warnings);
Table simulate_table(const DiscoveryComparison& comparison);

}  // namespace motet
