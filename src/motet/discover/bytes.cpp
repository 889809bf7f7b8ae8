#include "motet/discover/bytes.h"

#include <zlib.h>

#include <algorithm>

#include "motet/base/error.h"
#include "motet/discover/byte_stream.h"
#include "motet/temporal/field/field_problem.h"

namespace motet::discover {
namespace {

constexpr std::string_view mark = "motet search";
constexpr std::uint64_t newest_version = 3;

// The least that suffices is written, so that programs that know no other read it.
std::uint64_t version_of(const DiscoverOptions& o, const Carried& carried) {
  if (o.strategy > Strategy::static_gmm || o.unordered || !carried.examples.empty()) return 3;
  const bool is_old = o.strategy != Strategy::static_gmm && o.weights == temporal::WeightShape::linear &&
                      o.covariance == CovarianceChoice::full;
  return is_old ? 1 : 2;
}

void write(ByteWriter& out, const DiscoverOptions& o, std::uint64_t version) {
  out.number(static_cast<std::uint64_t>(o.strategy));
  out.number(std::uint64_t{o.radius});
  out.number(std::uint64_t{o.components});
  out.number(o.label_weight);
  out.number(static_cast<std::uint64_t>(static_cast<std::int64_t>(o.exclusion)));
  out.number(std::uint64_t{o.batch});
  out.number(std::uint64_t{o.isolation});
  out.number(o.nomination_coupling);
  out.number(o.propagation_coupling);
  out.number(o.floor.value_or(1e-3));
  if (version < 2) return;
  out.number(static_cast<std::uint64_t>(o.weights));
  out.text(o.weight_values);
  out.number(static_cast<std::uint64_t>(o.covariance));
  if (version < 3) return;
  out.number(std::uint64_t{o.unordered ? 1U : 0U});
}

[[noreturn]] void fail_content() { fail(ErrorKind::bad_data, "the saved state contradicts itself"); }

void check(bool holds) {
  if (!holds) fail_content();
}

template <class Enum>
Enum read_enum(ByteReader& in, Enum last) {
  const std::uint64_t value = in.number();
  check(value <= static_cast<std::uint64_t>(last));
  return static_cast<Enum>(value);
}

DiscoverOptions read_options(ByteReader& in, std::uint64_t version) {
  DiscoverOptions o;
  o.covariance = CovarianceChoice::full;
  o.strategy = read_enum(in, version < 2 ? Strategy::random : version < 3 ? Strategy::static_gmm : Strategy::distance);
  o.radius = in.number();
  o.components = in.number();
  o.label_weight = in.real();
  o.exclusion = static_cast<int>(static_cast<std::int64_t>(in.number()));
  o.batch = in.number();
  o.isolation = in.number();
  o.nomination_coupling = in.real();
  o.propagation_coupling = in.real();
  o.floor = in.real();
  check(o.exclusion >= 0);
  if (version < 2) return o;
  o.weights = read_enum(in, temporal::WeightShape::custom);
  o.weight_values = in.text();
  o.covariance = read_enum(in, CovarianceChoice::tied);
  if (version < 3) return o;
  const std::uint64_t unordered = in.number();
  check(unordered <= 1);
  o.unordered = unordered == 1;
  return o;
}

void write(ByteWriter& out, const std::vector<std::string>& texts) {
  out.number(std::uint64_t{texts.size()});
  for (const std::string& text : texts) out.text(text);
}

std::vector<std::string> read_texts(ByteReader& in) {
  std::vector<std::string> texts(in.size(8));
  for (std::string& text : texts) text = in.text();
  return texts;
}

void write(ByteWriter& out, const Mixture& mixture) {
  write(out, mixture.columns);
  out.number(static_cast<std::uint64_t>(mixture.covariance));
  out.number(std::uint64_t{mixture.components.size()});
  for (const Component& component : mixture.components) {
    out.numbers(component.mean);
    out.numbers(component.covariance);
    out.number(component.share);
    out.number(static_cast<std::uint64_t>(static_cast<std::int64_t>(component.of_class)));
  }
  write(out, mixture.classes);
  const temporal::TimeField& field = mixture.field;
  out.number(std::uint64_t{field.radius});
  out.number(static_cast<std::uint64_t>(field.shape));
  out.numbers(field.custom);
  out.number(field.strength);
  out.number(static_cast<std::uint64_t>(field.border));
  out.number(std::uint64_t{field.image_width});
}

Mixture read_mixture(ByteReader& in) {
  Mixture mixture;
  mixture.columns = read_texts(in);
  const std::size_t d = mixture.dimensions();
  mixture.covariance = read_enum(in, temporal::MixtureCovariance::tied);
  mixture.components.resize(in.size(8));
  for (Component& component : mixture.components) {
    component.mean = in.reals();
    component.covariance = in.reals();
    component.share = in.real();
    component.of_class = static_cast<std::int32_t>(static_cast<std::int64_t>(in.number()));
    check(component.mean.size() == d && component.covariance.size() == d * d);
  }
  mixture.classes = read_texts(in);
  check(!mixture.classes.empty() && !mixture.components.empty() &&
        mixture.components.size() <= temporal::most_components);
  for (const Component& component : mixture.components) {
    check(component.of_class >= -1 && component.of_class < static_cast<std::int32_t>(mixture.classes.size()));
  }
  temporal::TimeField& field = mixture.field;
  field.radius = in.number();
  field.shape = read_enum(in, temporal::WeightShape::custom);
  field.custom = in.reals();
  field.strength = in.real();
  field.border = read_enum(in, temporal::Border::clique);
  field.image_width = in.number();
  return mixture;
}

void write(ByteWriter& out, const Carried& carried) {
  out.text(carried.project);
  out.number(std::uint64_t{carried.examples.size()});
  for (const CarriedExample& example : carried.examples) {
    out.text(example.class_name);
    out.numbers(example.values);
    out.number(example.length);
  }
}

Carried read_carried(ByteReader& in, std::size_t dimensions) {
  Carried carried;
  carried.project = in.text();
  carried.examples.resize(in.size(24));
  for (CarriedExample& example : carried.examples) {
    example.class_name = in.text();
    example.values = in.reals();
    example.length = in.real();
    check(example.values.size() == dimensions && example.length >= 1.0);
  }
  return carried;
}

void write_body(ByteWriter& out, const Discovery& discovery, std::uint64_t version) {
  write(out, discovery.options, version);
  out.number(std::uint64_t{discovery.choices.size()});
  for (const Choice& choice : discovery.choices) {
    out.text(choice.name);
    out.text(choice.value);
    out.text(choice.reason);
  }
  out.number(discovery.seed);
  write(out, discovery.mixture);
  out.runs(discovery.states);
  out.runs(discovery.isolated);
  out.number(std::uint64_t{discovery.answers.size()});
  for (const Answer& answer : discovery.answers) {
    out.number(std::uint64_t{answer.row});
    out.number(static_cast<std::uint64_t>(answer.kind));
    out.text(answer.class_name);
  }
  out.number(std::uint64_t{discovery.queue.size()});
  for (const Nomination& nomination : discovery.queue) {
    out.number(std::uint64_t{nomination.row});
    out.number(static_cast<std::uint64_t>(static_cast<std::int64_t>(nomination.component)));
    out.number(nomination.log_density);
  }
  out.number(std::uint64_t{discovery.updates});
  out.numbers(discovery.order);
  out.numbers(discovery.global.mean);
  out.numbers(discovery.global.covariance);
  out.numbers(discovery.global.floor);
  if (version < 3) return;
  for (const Nomination& nomination : discovery.queue) {
    out.number(static_cast<std::uint64_t>(static_cast<std::int64_t>(nomination.asker)));
  }
  for (const AskerCount& count : discovery.askers) {
    out.number(std::uint64_t{count.asked});
    out.number(std::uint64_t{count.found});
  }
  write(out, discovery.carried);
}

void read_askers(ByteReader& in, Discovery& discovery) {
  for (Nomination& nomination : discovery.queue) {
    const auto asker = static_cast<std::int64_t>(in.number());
    check(asker >= -1 && asker < static_cast<std::int64_t>(asker_count));
    nomination.asker = static_cast<std::int8_t>(asker);
  }
  for (AskerCount& count : discovery.askers) {
    const std::uint64_t asked = in.number();
    const std::uint64_t found = in.number();
    check(found <= asked && asked <= discovery.answers.size());
    count = {static_cast<std::uint32_t>(asked), static_cast<std::uint32_t>(found)};
  }
}

void read_answers(ByteReader& in, Discovery& discovery) {
  const std::size_t rows = discovery.states.size();
  const auto& classes = discovery.mixture.classes;
  discovery.answers.resize(in.size(24));
  for (Answer& answer : discovery.answers) {
    answer.row = in.number();
    answer.kind = read_enum(in, AnswerKind::not_sure);
    answer.class_name = in.text();
    check(answer.row < rows);
  }
  discovery.queue.resize(in.size(24));
  for (Nomination& nomination : discovery.queue) {
    nomination.row = in.number();
    nomination.component = static_cast<std::int32_t>(static_cast<std::int64_t>(in.number()));
    nomination.log_density = in.real();
    check(nomination.row < rows && nomination.component >= -1 &&
          nomination.component < static_cast<std::int32_t>(discovery.mixture.components.size()));
  }
  check(classes.size() <= discovery.answers.size() + 1);
}

Discovery read_body(ByteReader& in, std::uint64_t version, std::size_t most_rows) {
  Discovery discovery;
  discovery.options = read_options(in, version);
  discovery.choices.resize(in.size(24));
  for (Choice& choice : discovery.choices) {
    choice.name = in.text();
    choice.value = in.text();
    choice.reason = in.text();
  }
  discovery.seed = in.number();
  discovery.mixture = read_mixture(in);
  discovery.states = in.runs(most_rows);
  discovery.isolated = in.runs(most_rows);
  constexpr std::size_t most_radius = 1'000'000;  // as the option has it
  check(discovery.mixture.field.radius <= std::max(most_radius, discovery.states.size()));
  check(discovery.isolated.size() == discovery.states.size());
  for (const std::uint8_t state : discovery.states) check(state < discovery.mixture.components.size());
  read_answers(in, discovery);
  discovery.updates = in.number();
  discovery.order = in.small_numbers();
  for (const std::uint32_t row : discovery.order) check(row < discovery.states.size());
  discovery.global.mean = in.reals();
  discovery.global.covariance = in.reals();
  discovery.global.floor = in.reals();
  const std::size_t d = discovery.mixture.dimensions();
  check(discovery.global.mean.size() == d && discovery.global.covariance.size() == d * d &&
        discovery.global.floor.size() == d);
  if (version >= 3) {
    read_askers(in, discovery);
    discovery.carried = read_carried(in, d);
  }
  check(in.at_end());
  return discovery;
}

std::uint64_t checksum(std::string_view bytes) {
  return crc32_z(0, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
}

}  // namespace

// mark, version, body, checksum of all before it.
std::string to_bytes(const Discovery& discovery) {
  ByteWriter out;
  out.bytes().append(mark);
  const std::uint64_t version = version_of(discovery.options, discovery.carried);
  out.number(version);
  write_body(out, discovery, version);
  out.number(checksum(out.bytes()));
  return std::move(out.bytes());
}

Discovery discovery_from_bytes(std::string_view bytes, std::size_t most_rows) {
  if (!bytes.starts_with(mark)) fail(ErrorKind::bad_data, "this is not the saved state of a search");
  if (bytes.size() < mark.size() + 16) fail(ErrorKind::bad_data, "the saved state ends too early");
  const std::uint64_t found = ByteReader(bytes.substr(mark.size())).number();
  const std::string_view sealed = bytes.substr(0, bytes.size() - 8);
  if (ByteReader(bytes.substr(sealed.size())).number() != checksum(sealed)) {
    fail(ErrorKind::bad_data, "the saved state is damaged; its checksum does not fit");
  }
  if (found < 1 || found > newest_version) {
    fail(ErrorKind::bad_data, "the saved state has version " + std::to_string(found) +
                                  "; this program knows versions 1 to " + std::to_string(newest_version));
  }
  ByteReader in(sealed.substr(mark.size() + 8));
  return read_body(in, found, most_rows);
}

}  // namespace motet::discover
