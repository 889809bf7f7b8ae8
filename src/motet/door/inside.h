// From what users of the library hand in to what the folders work with, and back.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "motet/base/fields.h"
#include "motet/base/run.h"
#include "motet/data/features.h"
#include "motet/features.h"
#include "motet/io/record_text.h"
#include "motet/options.h"

namespace motet::door {

RunContext inside(const Run& run);

template <class Model, class Inside>
Model outside(Inside inside) {
  return Model(std::make_shared<const Inside>(std::move(inside)));
}

// What to_text of a model wrote.
template <class Model, class FromRecord>
Model model_of(std::string_view text, const FromRecord& from_record) {
  return outside<Model>(from_record(parse_record(text, "model")));
}

// Throws Error{bad_data} where the numbers do not fill the rows, or the sequences are not all of the rows.
Features inside(const FeatureTable& table);

// The numbers alone, of what has no time; their sequences are looked at all the same.
NumberTable numbers_of(const FeatureTable& table);

// The same as Features with the columns that a model knows, in its order; throws Error{bad_data} that names a missing
// one.
Features in_columns(const FeatureTable& table, const std::vector<std::string>& columns);

void set_fields(const std::vector<Field>& fields, const Options& options);
OptionList described(const std::vector<Field>& fields);

template <class Inside>
Inside inside_options(const Options& options) {
  Inside result;
  set_fields(fields_of(result), options);
  return result;
}

template <class Inside>
OptionList list_of_options() {
  Inside result;
  return described(fields_of(result));
}

bool is_given(const Options& options, std::string_view name);

// Throws Error{bad_data} "PLACE: FOUND numbers where there must be WANTED".
void require_size(std::string_view place, std::size_t found, std::size_t wanted);

}  // namespace motet::door
