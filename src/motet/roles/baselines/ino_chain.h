// One chain of the infinite noisy-or sampler (ino.h).
#pragma once

#include <cstdint>
#include <vector>

#include "motet/base/rng.h"
#include "motet/data/bit_matrix.h"

namespace motet::roles {

struct InoFeature {
  std::vector<std::uint8_t> users;        // z, by user
  std::vector<std::uint8_t> permissions;  // y, by permission
  std::size_t user_count = 0;
};

struct InoState {
  std::vector<InoFeature> features;
  double lambda = 0.8;
  double eps = 0.1;
  double alpha = 1.0;
  double p = 0.3;
};

class InoChain {
 public:
  InoChain(const BitMatrix& held, std::size_t max_features, Rng rng);

  void sweep();  // every variable once

  // Only changes that make the state more probable, of z and y alone; whether there was one.
  bool climb();

  // log p(x, z, y, alpha, p, lambda, eps) up to a constant.
  double log_posterior() const;
  const InoState& state() const { return state_; }
  void restore(const InoState& state);

 private:
  void fill_tables();
  void add_to_counts(const InoFeature& feature, std::size_t user, int by);
  double gain_of_user(const InoFeature& feature, std::size_t user) const;
  double gain_of_permission(const InoFeature& feature, std::size_t permission) const;
  void set_user(InoFeature& feature, std::size_t user, bool value);
  void set_permission(InoFeature& feature, std::size_t permission, bool value);
  void sample_users(std::size_t user);
  void sample_new_features(std::size_t user);
  void sample_permissions();
  void sample_noise();
  void sample_rates();
  void drop_unused();

  const BitMatrix& held_;
  std::size_t max_features_;
  Rng rng_;
  InoState state_;
  std::vector<std::uint8_t> x_;       // [user * permissions + permission]
  std::vector<std::uint16_t> count_;  // z_n . y_d
  // log p(x | count + 1) - log p(x | count), by count, for x = 0 and x = 1.
  std::vector<double> step_[2];
  std::vector<double> log_p_[2];
};

}  // namespace motet::roles
