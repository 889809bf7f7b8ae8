// Items with candidate labels made to order: for tests, samples and the controlled study.
//
// Blobs: every class is a few clusters that are scattered like those of the others, so that no
// straight line parts the classes and a model must see the clusters. Candidates: a share p of the
// items gets r further labels; with eps > 0 one further label each, the class's partner (the next
// class) with probability eps and another one else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "motet/base/fields.h"
#include "motet/base/rng.h"
#include "motet/data/candidate_items.h"

namespace motet::superset {

struct BlobOptions {
  std::size_t items = 800;
  std::size_t classes = 5;
  std::size_t clusters = 3;  // of a class
  std::size_t dimensions = 4;
  double spread = 4.0;  // standard deviation of the centres; that of a cluster is 1
};

template <class V>
void visit_fields(V& v, BlobOptions& o) {
  v("items", o.items, Range<std::size_t>{1, 100'000'000}, "number of items");
  v("classes", o.classes, Range<std::size_t>{2, 10'000}, "number of classes");
  v("clusters", o.clusters, Range<std::size_t>{1, 10'000}, "clusters per class");
  v("dimensions", o.dimensions, Range<std::size_t>{1, 10'000}, "number of features");
  v("spread", o.spread, Range<double>{0.0, 1e6}, "standard deviation of the centres, where that of a cluster is 1");
}

// Items with their true labels as only candidates. An item has a random stream of its own.
CandidateItems simulate_blobs(const BlobOptions& options, const Rng& rng);

struct AmbiguityOptions {
  double share = 1.0;              // p: of the items that get further candidates
  std::size_t extra = 1;           // r: further candidates
  double partner_probability = 0;  // eps; above 0: one further candidate, the partner with this chance
};

template <class V>
void visit_fields(V& v, AmbiguityOptions& o) {
  v("share", o.share, Range<double>{0.0, 1.0}, "of the items that get further candidates");
  v("extra", o.extra, Range<std::size_t>{0, 10'000}, "further candidates of such an item");
  v("partner_probability", o.partner_probability, Range<double>{0.0, 1.0},
    "above 0: one further candidate, with this chance always the same one for a class");
}

// The items with candidates drawn around their true labels, which must all be known.
// Throws Error{usage} when there are not so many other classes.
CandidateItems simulate_candidates(const CandidateItems& items, const AmbiguityOptions& options, const Rng& rng);

}  // namespace motet::superset
