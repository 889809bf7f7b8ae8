// What a search has found, for its page: segments along the time, how the search went, the model, the answers.
#pragma once

#include "motet/app/discover/search_document.h"
#include "motet/discover/certificate.h"

namespace motet::discover {

std::vector<double> counting(std::size_t count);  // 1, 2, ... count

// A table of classes with the number and the length of their segments.
Table with_segments(Table classes, const DiscoverFindings& findings);

void list_segments(Section& section, const std::vector<Segment>& segments);

// The sections about all that; `choices` may be empty.
void add_findings(Document& document, const DiscoverFindings& findings, const SearchCertificate& certificate,
                  const Table& choices);

}  // namespace motet::discover
