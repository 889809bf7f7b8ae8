// The distribution of the noise levels of users.
#pragma once

namespace motet::roles {

// Beta(a, b) from the means of log p and log(1 - p): maximum likelihood, a + b bounded.
void beta_parameters(double mean_log, double mean_log_rest, double& a, double& b);

}  // namespace motet::roles
