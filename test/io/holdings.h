// What a reader of access data found, as a text.
#pragma once

#include <string>

#include "motet/io/access_pairs.h"

namespace motet {

inline std::string told(const AccessPairs& pairs, const std::string& between, const std::string& after) {
  std::string text;
  for (const Holding& holding : pairs.holdings) {
    text += std::string(pairs.users.names()[holding.user]) + between +
            std::string(pairs.permissions.names()[holding.permission]) + after;
  }
  return text;
}

}  // namespace motet
