// A small search made by hand, for tests of how it is told.
#pragma once

#include "motet/app/discover/search_document.h"
#include "motet/discover/certificate.h"
#include "motet/discover/questions/propagate.h"

namespace motet::discover {

// Two recordings of six frames; one bird found, one question open.
struct Found {
  Features features;
  Discovery discovery;
  Propagation propagation;
  std::vector<Segment> segments;
  std::vector<AnswerEntry> history;

  Found() {
    features.columns = {"x", "y"};
    features.values.assign(24, 0.0);
    features.starts = {0, 6, 12};
    features.sequences = {"dawn.wav", "noon.wav"};
    features.clock = {0.1, 0.25};
    discovery.options.exclusion = 2;
    discovery.mixture.columns = features.columns;
    discovery.mixture.classes = {"background", "bird"};
    discovery.mixture.components = {{{0, 0}, {1, 0, 0, 1}, 0.9, 0}, {{3, -1}, {1, 0, 0, 1}, 0.1, 1}};
    discovery.states.assign(12, 0);
    discovery.states[3] = 1;
    discovery.global = {{0, 0}, {4, 0, 0, 1}, {0, 0}};
    discovery.answers = {
        {3, AnswerKind::of_class, "bird"}, {8, AnswerKind::nothing, ""}, {9, AnswerKind::not_sure, ""}};
    discovery.queue = {{11, 0, -3.0}};
    propagation = {std::vector<std::int32_t>(12, 0), std::vector<double>(12, 1.0)};
    propagation.of_class[3] = 1;
    segments = {{"dawn.wav", 0.3, 0.55, "bird"}};
    for (std::size_t i = 0; i < 3; ++i) {
      history.push_back({static_cast<std::int64_t>(i + 1), discovery.answers[i], "ada", 0, false});
    }
  }
  DiscoverStatus status() const {
    DiscoverStatus status;
    status.project = "birds.motet";
    status.strategy = "temporal";
    status.rows = 12;
    status.dimensions = 2;
    status.hop = 0.1;
    status.recordings = {{"dawn.wav", 0, 6, 0.75}, {"noon.wav", 6, 6, 0.75}};
    status.answers = count_answers(history, discovery.mixture.classes);
    status.certificate = certificate(features, discovery);
    return status;
  }
  Document document() const {
    const LearningCurve curve = learning_curve(features, discovery, propagation);
    const DiscoverFindings findings{features, discovery, segments, history, curve};
    return status_document(status(), &findings);
  }
};

}  // namespace motet::discover
