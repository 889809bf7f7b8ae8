// What of a plot's specification the tests look at.
#pragma once

#include <string>

#include "motet/report/page.h"

namespace motet {

inline const Value::List& rows_of(const Plot& plot) { return plot.spec.at("data").at("values").as_list(); }

// "rect text[isValid(datum.value)]": the marks of the layers, with the condition for their rows.
inline std::string layers_of(const Plot& plot) {
  std::string text;
  for (const Value& layer : plot.spec.at("layer").as_list()) {
    text += (text.empty() ? "" : " ") + layer.at("mark").at("type").as_text();
    const Value* const where = layer.find("transform");
    if (where != nullptr) text += "[" + where->as_list()[0].at("filter").as_text() + "]";
  }
  return text;
}

inline const Value& encoding_of(const Plot& plot, std::size_t layer) {
  return plot.spec.at("layer").as_list()[layer].at("encoding");
}

}  // namespace motet
