// Rows with their neighbours beside them: row n becomes the rows n - w ... n + w of its
// sequence in one line, so that a component can be a pattern in time and not only a
// level. At the ends of a sequence its first and last row are repeated.
#pragma once

#include <string>
#include <vector>

#include "motet/data/features.h"

namespace motet::temporal {

constexpr std::size_t most_stacked_columns = 2000;  // a covariance of so many takes 32 MB

// x(-1), x, x(+1): the columns of row n - w first, those of row n with their own names.
std::vector<std::string> stacked_columns(const std::vector<std::string>& columns, std::size_t w);

// Undoes it: the columns in the middle.
std::vector<std::string> single_columns(const std::vector<std::string>& stacked, std::size_t w);

Features stack_rows(const Features& features, std::size_t w);

// Throws Error{usage} when the stacked columns are more than most_stacked_columns, or `rows` too few for a covariance
// of them in each of `components` components (0: where covariances are diagonal and need none).
void check_stack(std::size_t columns, std::size_t w, std::size_t rows, std::size_t components);

}  // namespace motet::temporal
