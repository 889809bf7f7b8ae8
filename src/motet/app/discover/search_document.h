// Where a search for rare classes stands, told once: what to look at next, how far it has come.
#pragma once

#include "motet/data/segment.h"
#include "motet/discover/certificate.h"
#include "motet/discover/history.h"
#include "motet/discover/study/learning_curve.h"
#include "motet/discover/unseen.h"
#include "motet/report/document.h"

namespace motet::discover {

// A row as people find it again.
struct ToldItem {
  std::size_t row = 0;  // the first of all is 0
  std::string item;
  std::string recording;             // may be empty
  std::size_t row_of_recording = 0;  // the first of it is 0
  bool has_time = false;
  double begin = 0.0;  // seconds from the start of the recording
  double end = 0.0;
  std::string why;               // it is asked
  std::int32_t component = -1;   // that finds it odd
  double log_density = 0.0;      // NaN without one
  std::string begin_clock = {};  // of the recorder, where it is known
  std::string also_of = {};      // who was given the question too
  std::string clip = {};         // file with the sound around it
};

// How much of a class that was taken along from another project is in the rows.
struct CarriedClass {
  std::string name;
  std::size_t examples = 0;
  std::size_t segments = 0;   // with the usual chance at least, answered or not
  std::size_t confirmed = 0;  // of them with an answer
  double best = 0.0;          // the largest chance; 0 where nothing looks like it
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
  AnswerCounts answers;
  SearchCertificate certificate;
  UnseenClasses unseen;
  std::vector<ToldItem> next;
  std::string carried_from;  // the project whose answers were taken along; empty: none
  std::vector<CarriedClass> carried;
  std::vector<std::string> warnings;
};

// "123.3 s to 123.55 s of rec.wav", or "row 17 of log.csv".
std::string place_of(const ToldItem& item);

// The item(s) to label now, or that nothing is left; without a page.
Document next_document(const DiscoverStatus& status);

// What the page of a search shows beside its status.
struct DiscoverFindings {
  const Features& features;
  const Discovery& discovery;
  const std::vector<Segment>& segments;
  const std::vector<AnswerEntry>& history;
  const LearningCurve& curve;
};

// A search that was begun now, or goes on; findings may be null, and then there is no page.
Document start_document(const DiscoverStatus& status, const DiscoverFindings* findings);
Document status_document(const DiscoverStatus& status, const DiscoverFindings* findings);

}  // namespace motet::discover
