// Dirichlet posteriors of the class probabilities of components.
//
// E log theta_kl = psi(a_kl) - psi(sum_l a_kl) exactly; equation (13) of the document samples it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace motet::superset {

double digamma(double x);  // x > 0

// E log theta, one per class, for the concentrations of one component.
void expected_logs(std::span<const double> a, std::span<double> logs);

// KL(Dirichlet(a) || Dirichlet(alpha, ..., alpha)), equation (11) with its constant; `logs` are those of a.
double divergence_of(std::span<const double> a, std::span<const double> logs, double alpha);

// T_kl = exp(E_kl - max_l E_kl), as classes x width with components side by side, and what was taken
// out: without it a concentration of 0.001 is beyond the range of a double.
struct ScaledTable {
  std::size_t classes = 0;
  std::size_t components = 0;
  std::size_t width = 0;        // components and the filling, in which all is 0
  std::vector<double> table;    // classes x width
  std::vector<double> total;    // width: sum_l T_kl
  std::vector<double> largest;  // components: max_l E_kl
  std::vector<double> scale;    // width: exp(largest_k - offset)
  double offset = 0.0;          // max_k largest_k
  std::vector<double> logs;     // components x classes: E_kl
  double divergence = 0.0;      // sum over components
};
ScaledTable scaled_table(std::span<const double> concentration, std::size_t classes, double alpha, std::size_t width);

}  // namespace motet::superset
