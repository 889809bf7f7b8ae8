// Components that classes share: p(class | component) in place of one class for each
// (the soft assignment of section 4.3, Miller and Uyar 1997).
//
//   p(y_n = w | z_nk = 1) = beta_kw,  sum_w beta_kw = 1       in place of (4.31), where it is 0 or 1
//
// A labelled row then has the joint density p(x_n | z_nk) beta_{k, y_n}, which takes the place of (4.30) and (5.40),
// and every M-step maximises the expected log-likelihood:
//   beta_kw = sum of gamma_nk over rows labelled w / sum of gamma_nk over labelled rows.
// With components that hold labels of one class only, beta is 0 or 1 and this is the hard assignment. What a row
// without a label is told: p(w | row) = sum_k gamma_nk beta_kw.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "motet/temporal/mixture/mixture.h"

namespace motet::temporal {

// beta from the components rows start with; one row of labels in their overall shares is added to each component, so
// that no class is ruled out at first.
void start_soft_classes(std::span<const std::uint8_t> states, const RowLabels& labels, Mixture& mixture);

// Adds log beta to the log densities, components x rows, of labelled rows.
void add_class_evidence(std::span<const std::int32_t> labels, const Mixture& mixture, std::span<double> densities);

// beta from responsibilities, components x rows. A component without a labelled row stays as it is.
void maximise_soft_classes(std::span<const std::int32_t> labels, std::span<const double> responsibilities,
                           Mixture& mixture);

// The weight of each labelled row by its class, (6.7) with beta shares of the components' unlabelled rows.
std::vector<double> soft_label_weights(std::span<const std::int32_t> labels, std::span<const double> responsibilities,
                                       double alpha, const Mixture& mixture);

// The most probable class of each row, and its probability; labels are certain.
DecidedClasses soft_classes_of_rows(std::span<const std::int32_t> labels, std::span<const double> responsibilities,
                                    const Mixture& mixture);

// Names each component by its most probable class.
void name_by_soft_classes(Mixture& mixture);

}  // namespace motet::temporal
