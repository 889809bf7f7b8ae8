#include "motet/discover/bytes.h"

#include <zlib.h>

#include <algorithm>

#include "motet/base/error.h"
#include "motet/discover/byte_stream.h"
#include "motet/temporal/field/field_problem.h"

namespace motet::discover {
namespace {

using temporal::Border;
using temporal::MixtureCovariance;
using temporal::most_components;
using temporal::TimeField;
using temporal::WeightShape;

constexpr std::string_view mark = "motet search";
constexpr std::uint64_t version = 1;

void write(ByteWriter& out, const DiscoverOptions& o) {
  out.number(static_cast<std::uint64_t>(o.strategy));
  out.number(std::uint64_t{o.radius});
  out.number(std::uint64_t{o.components});
  out.number(o.label_weight);
  out.number(static_cast<std::uint64_t>(static_cast<std::int64_t>(o.exclusion)));
  out.number(std::uint64_t{o.batch});
  out.number(std::uint64_t{o.isolation});
  out.number(o.nomination_coupling);
  out.number(o.propagation_coupling);
  out.number(o.floor);
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

DiscoverOptions read_options(ByteReader& in) {
  DiscoverOptions o;
  o.strategy = read_enum(in, Strategy::random);
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
  const TimeField& field = mixture.field;
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
  mixture.covariance = read_enum(in, MixtureCovariance::tied);
  mixture.components.resize(in.size(8));
  for (Component& component : mixture.components) {
    component.mean = in.reals();
    component.covariance = in.reals();
    component.share = in.real();
    component.of_class = static_cast<std::int32_t>(static_cast<std::int64_t>(in.number()));
    check(component.mean.size() == d && component.covariance.size() == d * d);
  }
  mixture.classes = read_texts(in);
  check(!mixture.classes.empty() && !mixture.components.empty() && mixture.components.size() <= most_components);
  for (const Component& component : mixture.components) {
    check(component.of_class >= -1 && component.of_class < static_cast<std::int32_t>(mixture.classes.size()));
  }
  TimeField& field = mixture.field;
  field.radius = in.number();
  field.shape = read_enum(in, WeightShape::custom);
  field.custom = in.reals();
  field.strength = in.real();
  field.border = read_enum(in, Border::clique);
  field.image_width = in.number();
  return mixture;
}

void write_body(ByteWriter& out, const Discovery& discovery) {
  write(out, discovery.options);
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

Discovery read_body(ByteReader& in, std::size_t most_rows) {
  Discovery discovery;
  discovery.options = read_options(in);
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
  out.number(version);
  write_body(out, discovery);
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
  if (found != version) {
    fail(ErrorKind::bad_data, "the saved state has version " + std::to_string(found) + "; this program knows version " +
                                  std::to_string(version));
  }
  ByteReader in(sealed.substr(mark.size() + 8));
  return read_body(in, most_rows);
}

}  // namespace motet::discover
