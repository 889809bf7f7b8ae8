// Which class a component belongs to when labels are there before the fit.
#pragma once

#include "motet/data/features.h"
#include "motet/temporal/mixture/kmeans.h"
#include "motet/temporal/mixture/mixture.h"
#include "motet/temporal/mixture/shrinkage.h"

namespace motet::temporal {

// Components per class: one for each class that has labels, the rest by the number of labels (the next one goes to the
// class with most labels per component, counting the new one). Throws Error{usage} when there are too few components.
std::vector<std::size_t> components_a_class(const RowLabels& labels, std::size_t classes, std::size_t components);

// Gives clusters to classes so that as many labelled rows as possible lie in a cluster of their class. A class
// whose rows lie in other clusters only takes its rows out of them, and leaves those of its cluster to the nearest
// others. Returns the class of each cluster and moves every labelled row to a cluster of its class.
std::vector<std::int32_t> share_out_clusters(const Features& features, const RowLabels& labels, std::size_t classes,
                                             const GlobalShape& global, Clusters& clusters);

}  // namespace motet::temporal
