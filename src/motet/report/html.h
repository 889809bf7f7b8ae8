// Plain text on its way into HTML.
#pragma once

#include <string>
#include <string_view>

#include "motet/data/table.h"
#include "motet/data/value.h"

namespace motet {

// For element content and quoted attributes. Control characters become spaces.
std::string html_text(std::string_view text);

// One <p> for each paragraph of a text.
std::string html_paragraphs(std::string_view text);

// JSON for a <script> element: no text in it can end the element or open a comment.
std::string html_json(const Value& value);

// A <table> in a box that scrolls; `label` names it. At most max_page_rows rows.
std::string html_table(const Table& table, std::string_view label);

}  // namespace motet
