// A project in words: its items as people name them, and where the search stands.
#pragma once

#include <string>
#include <vector>

#include "motet/app/discover/search_document.h"

namespace motet::discover {

// The row people mean by an item's name, by #17 (a row, the first is 1), or by RECORDING@TIME (moments.h), where the
// recording may be left out when there is only one, and may be told by the end of its path. Throws
// Error{usage} when there is none or more than one.
std::size_t row_of(const Features& features, const std::string& item);

// The recording people mean, by its name or the end of its path. Throws Error{usage}.
std::size_t recording_of(const Features& features, const std::string& name);

ToldItem told_item(const Features& features, std::size_t row);

// The same with why it is asked.
ToldItem told_question(const Features& features, const Discovery& discovery, const Nomination& nomination);

// With the first `most_next` of what is asked now.
DiscoverStatus status_of(const std::string& path, Project& project, std::size_t most_next);

}  // namespace motet::discover
