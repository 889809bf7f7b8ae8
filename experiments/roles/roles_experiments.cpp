#include "experiments/roles/figures.h"

namespace motet::roles {

std::vector<Experiment> experiments() {
  return {
      {"roles-fig9.3", "five methods on overlapping sources: roles, reconstruction, stability", run_figure_9_3},
      {"roles-fig9.4", "several roles per user or one, with and without noise in the model", run_figure_9_4},
      {"roles-fig9.5", "noise that differs by permission: global, permission-wise, user-wise, none", run_figure_9_5},
      {"roles-fig9.6", "more or fewer users with two roles", run_figure_9_6},
      {"roles-fig9.7", "5, 50 and 500 users per set of roles", run_figure_9_7},
      {"roles-fig9.8", "noise that only adds permissions, and sources that do not overlap", run_figure_9_8},
      {"roles-fig9.10", "predicting what new users hold, original and modified data (needs data)", run_figure_9_10},
      {"roles-fig9.11", "prediction error against the number of roles (needs data)", run_figure_9_11},
      {"roles-fig10.1", "approximation capacity with two overlapping sources", run_figure_10_1},
      {"roles-fig10.2", "approximation capacity with two unequal sources", run_figure_10_2},
      {"roles-fig10.3", "capacity of a binary symmetric channel, and of roles with wrong bits", run_figure_10_3},
      {"roles-fig10.4", "capacity, noise, risk and prediction along the temperature (needs data)", run_figure_10_4},
      {"roles-delta", "how few roles reproduce the data up to an error delta (definition 8)", run_delta_approximation},
      {"roles-chapter9-exactness", "how many data sets of chapter 9 are solved without a wrong bit",
       run_chapter9_exactness},
      {"roles-planted", "8 and 20 planted roles, against association", run_planted_roles},
      {"roles-real", "five public sets: prediction against simple guesses (needs data)", run_real_roles},
      {"roles-number", "which number of roles each criterion picks", run_number_of_roles},
      {"roles-company-number", "the same on made-up companies: nested, uneven, popular, correlated roles",
       run_company_number},
      {"roles-public-sets",
       "public sets and made-up companies: wrong cells, over-grants, prediction, time (needs data)",
       run_public_role_sets},
      {"roles-hybrid", "roles with and without business attributes", run_hybrid},
  };
}

}  // namespace motet::roles
