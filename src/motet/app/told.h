// A document as what a verb found.
#pragma once

#include <utility>

#include "motet/app/verb.h"
#include "motet/report/document.h"

namespace motet {

inline Outcome told(Document document) {
  return {std::move(document.text), std::move(document.json), static_cast<Page&&>(document)};
}

inline Wanted wanted_of(const VerbContext& context) { return {context.wants_json(), context.wants_page()}; }

// Options as they stand, by their flags.
template <class Options>
WhatAndValue told_options(Options options) {
  WhatAndValue list;
  for (const Field& field : fields_of(options)) list.emplace_back(flag_of(field.name), field.default_text);
  return list;
}

}  // namespace motet
