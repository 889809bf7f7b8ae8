#include "motet/report/timeline_plot.h"

#include <algorithm>
#include <map>

#include "motet/report/plot_parts.h"

namespace motet {
namespace {

constexpr double least_height = 90.0;

void add(std::vector<Stripe>& stripes, const Stripe& stripe) {
  if (!stripes.empty() && stripes.back().kind == stripe.kind) {
    stripes.back().end = stripe.end;
  } else {
    stripes.push_back(stripe);
  }
}

std::size_t most_frequent(std::span<const std::size_t> kinds) {
  std::map<std::size_t, std::size_t> count;
  for (const std::size_t kind : kinds) ++count[kind];
  return std::max_element(count.begin(), count.end(), [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

}  // namespace

std::vector<Stripe> stripes_of(std::span<const std::size_t> kind_of_row, std::size_t sequence, std::size_t most) {
  const auto in_blocks = [&](std::size_t block) {
    std::vector<Stripe> stripes;
    for (std::size_t first = 0; first < kind_of_row.size(); first += block) {
      const auto part = kind_of_row.subspan(first, std::min(block, kind_of_row.size() - first));
      add(stripes, {sequence, static_cast<double>(first), static_cast<double>(first + part.size()),
                    block == 1 ? part[0] : most_frequent(part)});
    }
    return stripes;
  };
  std::vector<Stripe> stripes = in_blocks(1);
  if (stripes.size() > most) stripes = in_blocks((kind_of_row.size() + most - 1) / most);
  return stripes;
}

Plot timeline_plot(PlotText text, const Timeline& data) {
  Value::List rows;
  Table table{{{"sequence"}, {"begin", 3}, {"end", 3}, {data.kind_title}}, {}};
  for (const Stripe& stripe : data.stripes) {
    const std::string& sequence = data.sequences.at(stripe.sequence);
    const std::string& kind = data.kinds.at(stripe.kind);
    rows.push_back(Value::object({{"name", sequence}, {"begin", stripe.begin}, {"end", stripe.end}, {"kind", kind}}));
    table.rows.push_back({sequence, stripe.begin, stripe.end, kind});
  }
  Value x = numbers("begin", data.time_title);
  x.set("scale", Value::object({{"zero", true}, {"nice", false}}));
  Value kind = Value::object({{"field", "kind"},
                              {"type", "nominal"},
                              {"sort", Value()},
                              {"scale", Value::object({{"domain", Value::list_of(data.kinds)}})},
                              {"legend", Value::object({{"title", data.kind_title}})}});
  Value encoding =
      Value::object({{"x", std::move(x)},
                     {"x2", Value::object({{"field", "end"}})},
                     {"y", names_down(data.sequences.size(), "")},
                     {"color", std::move(kind)},
                     {"tooltip", Value::list({tooltip("name", "sequence"), tooltip("begin", "begin", 3),
                                              tooltip("end", "end", 3), tooltip("kind", data.kind_title)})}});
  const double height = std::max(height_for(data.sequences.size()), least_height);
  return {std::move(text.title), std::move(text.caption),
          spec(std::move(rows), height, {layer(Value::object({{"type", "rect"}}), std::move(encoding))}),
          std::move(table)};
}

}  // namespace motet
