// A field of candidates: `a|b|c`, with weights `a:0.7|b:0.3`, or `*` for any label.
//
// Spaces around names and weights do not count. What follows the last ':' of a name is its weight when
// it is empty, begins like a number or is nan or inf; then it must be a positive number. Else the colon
// belongs to the name (`http://x`). A name that ends in ':' and digits needs a weight of its own after
// it: `room:12:1`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace motet {

struct NamedCandidate {
  std::string label;
  double weight = 1.0;
};

// Empty for `*`. Throws Error{bad_data} with `place` before it for what is none of the above.
std::vector<NamedCandidate> parse_candidates(std::string_view text, const std::string& place);

// A field of one label, without the spaces around it; "" where there is none. Throws for several.
std::string parse_one_label(std::string_view text, const std::string& place);

}  // namespace motet
