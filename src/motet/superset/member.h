// One fitted classifier, alone or as a voice of `auto`.
//
// A member gives scores g_nl; its probabilities are softmax(sharpness g_n). For lsb-cmm, logistic and
// knn g is the logarithm of their own probabilities, so that a sharpness of 1 leaves those as they
// are; clpl and svm give their lines, naive log s(f), ipal minus the shares of an item that a class
// leaves unexplained. The sharpness is learnt from rows the member has not seen (stack.h).
#pragma once

#include <string>
#include <vector>

#include "motet/base/run.h"
#include "motet/superset/evidence_matrix.h"
#include "motet/superset/linear/landmarks.h"
#include "motet/superset/linear/linear.h"
#include "motet/superset/lsb_cmm/lsb_cmm.h"
#include "motet/superset/neighbours/knn.h"
#include "motet/superset/options.h"

namespace motet::superset {

struct MemberPlan {
  SupersetMethod method = SupersetMethod::logistic;
  bool unit_rows = false;   // rows scaled to one length: directions count, not sizes
  bool bent = false;        // of the likeness to landmarks instead of the features
  bool propagated = false;  // evidence as label propagation leaves it, instead of as it came
  double penalty = 1.0;
  std::size_t components = 0;
  std::size_t restarts = 1;

  bool operator==(const MemberPlan&) const = default;
};

// "logistic, unit rows, landmarks, propagated"
std::string name_of(const MemberPlan& plan);

struct SupersetMember {
  MemberPlan plan;
  std::size_t neighbours = 10;
  double sharpness = 1.0;
  LinearScores linear;           // logistic, clpl, svm, naive
  Landmarks landmarks;           // where bent
  ItemMemory memory;             // knn, ipal
  std::vector<LsbCmm> mixtures;  // lsb-cmm

  bool operator==(const SupersetMember&) const = default;
};

struct MemberFit {
  SupersetMember member;
  FitSummary summary;
};

// The one plan of a method asked for by name; the plans of `auto`.
MemberPlan plan_of(const SupersetOptions& options);
std::vector<MemberPlan> plans_of_auto(const SupersetOptions& options, std::size_t rows);

// x: prepared rows of the items whose evidence it is. Throws Error{interrupted} when cancelled.
MemberFit fit_member(const MemberPlan& plan, const EvidenceMatrix& evidence, std::span<const double> x,
                     std::size_t dimensions, const SupersetOptions& options, const RunContext& run);

// Mixtures straight from candidates, for more items than a matrix of evidence should be made of.
MemberFit fit_mixtures(const MemberPlan& plan, const CandidateItems& items, std::span<const double> x,
                       const SupersetOptions& options, const RunContext& run);

// g, rows x L.
std::vector<double> member_scores(const SupersetMember& member, std::span<const double> x, std::size_t dimensions,
                                  Threads threads);

}  // namespace motet::superset
