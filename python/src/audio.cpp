#include "motet/audio.h"

#include "binding.h"

namespace motet::python {
namespace {

py::tuple told(FeatureTable table) {
  const auto rows = static_cast<py::ssize_t>(table.rows());
  const auto columns = static_cast<py::ssize_t>(table.columns.size());
  return py::make_tuple(array_of(std::move(table.values), {rows, columns}), table.columns, table.hop, table.window);
}

}  // namespace

void bind_audio(py::module_& module) {
  module.def("audio_feature_options", [] { return python::list_of(audio::feature_options()); });
  module.def("audio_mfcc_options", [] { return python::list_of(audio::mfcc_options()); });
  // channels: one row per channel.
  module.def(
      "audio_features", [](const Array<float>& channels, double rate, const py::dict& options, const py::tuple& run) {
        std::vector<std::span<const float>> rows;
        const auto samples = static_cast<std::size_t>(channels.shape(1));
        for (py::ssize_t c = 0; c < channels.shape(0); ++c) {
          rows.emplace_back(channels.data() + static_cast<std::size_t>(c) * samples, samples);
        }
        const Options chosen = options_of(options);
        return told(released_result(wish_of(run), [&](const Run&) { return audio::features(rows, rate, chosen); }));
      });
  module.def("audio_mfcc", [](const Array<float>& samples, double rate, const py::dict& options, const py::tuple& run) {
    const std::span<const float> mono(samples.data(), static_cast<std::size_t>(samples.size()));
    const Options chosen = options_of(options);
    return told(released_result(wish_of(run), [&](const Run&) { return audio::mfcc(mono, rate, chosen); }));
  });
  module.def("audio_mix", [](const Array<float>& background, const std::vector<Array<float>>& foregrounds,
                             const std::vector<std::size_t>& first, double gain) {
    std::vector<std::span<const float>> sounds;
    for (const Array<float>& one : foregrounds) sounds.emplace_back(one.data(), static_cast<std::size_t>(one.size()));
    const std::span<const float> under(background.data(), static_cast<std::size_t>(background.size()));
    return array_of(audio::mix(under, sounds, first, gain));
  });
}

}  // namespace motet::python
