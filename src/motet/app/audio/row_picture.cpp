#include "motet/app/audio/row_picture.h"

namespace motet::audio {

void RowPicture::add(std::span<const double> rows) {
  for (std::size_t i = 0; i + width_ <= rows.size(); i += width_) {
    for (std::size_t c = 0; c < width_; ++c) sum_[c] += rows[i + c];
    if (++in_sum_ == together_) keep();
  }
}

void RowPicture::keep() {
  for (double& sum : sum_) {
    kept_.push_back(sum / static_cast<double>(in_sum_));
    sum = 0.0;
  }
  in_sum_ = 0;
  if (kept_.size() / width_ < 2 * most_) return;
  for (std::size_t row = 0; row < most_; ++row) {
    for (std::size_t c = 0; c < width_; ++c) {
      kept_[row * width_ + c] = 0.5 * (kept_[2 * row * width_ + c] + kept_[(2 * row + 1) * width_ + c]);
    }
  }
  kept_.resize(most_ * width_);
  together_ *= 2;
}

std::vector<double> RowPicture::values() const {
  std::vector<double> values = kept_;
  for (std::size_t c = 0; in_sum_ > 0 && c < width_; ++c) values.push_back(sum_[c] / static_cast<double>(in_sum_));
  return values;
}

}  // namespace motet::audio
