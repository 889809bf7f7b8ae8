// A run for a fit inside another.
#pragma once

#include <cstdint>
#include <string>

#include "motet/base/run.h"
#include "motet/base/streams.h"

namespace motet::multilabel {

// Nothing of it is kept for resuming, its progress is named, and its seed is drawn from number `number` of the stream.
RunContext inner_run(const RunContext& run, std::string stage, std::uint64_t number,
                     Stream name = Stream::multilabel_part);

}  // namespace motet::multilabel
