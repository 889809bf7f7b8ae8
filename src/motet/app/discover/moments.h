// The row that people mean by RECORDING@TIME, and times as people read them.
//
// TIME is 183.2 or 3:03.2 or 1:02:03 from the start of the recording, or the time of day by the clock of the recorder
// where the name of the recording tells when it began (data/recorder_clock.h). Two numbers are always minutes and
// seconds; three are hours from the start or a time of day, whichever lies in the recording, and where both do, the
// person has to say +1:02:03 or T01:02:03. A day before the T says which one: 2026-05-19T04:31:12.
#pragma once

#include <optional>
#include <string>

#include "motet/data/features.h"

namespace motet::discover {

// `item` has its @ at `at`. None: what stands behind it is no time. Throws Error{usage} for a time that is not there
// or may be several.
std::optional<std::size_t> row_at_time(const Features& features, const std::string& item, std::size_t at);

// "2026-05-19T04:31:12" for seconds from the start of a recording; empty: its name does not say when it began.
std::string clock_in(const std::string& recording, double seconds);

}  // namespace motet::discover
