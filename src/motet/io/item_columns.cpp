#include "motet/io/item_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "motet/base/error.h"
#include "motet/base/fields.h"
#include "motet/data/names.h"
#include "motet/io/column_uses.h"
#include "motet/io/mulan_xml.h"

namespace motet {
namespace {

std::vector<std::string> names_of(const std::vector<ItemColumn>& columns) {
  std::vector<std::string> names;
  names.reserve(columns.size());
  for (const ItemColumn& column : columns) names.push_back(column.name);
  return names;
}

class Planner {
 public:
  Planner(const std::string& file, const std::vector<ItemColumn>& columns, const LabelledFormat& format)
      : file_(file), columns_(columns), names_(names_of(columns)), format_(format), used_(file, names_) {
    plan_.uses.resize(columns.size());
  }

  ItemPlan plan(const std::optional<NamedLabels>& own) {
    for (const std::string& name : format_.leave_out) use(required(name, "--leave-out"), ItemRole::none);
    take_item();
    take_labels(own);
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (used_.is_free(c)) add_feature(c);
    }
    if (plan_.features.empty()) used_.fail_here("there is no column of features" + used_.found());
    return std::move(plan_);
  }

 private:
  std::size_t required(const std::string& name, const std::string& source) const {
    return used_.required(name, source + " names");
  }

  ColumnUse& use(std::size_t column, ItemRole role) {
    ColumnUse& use = plan_.uses[used_.take(column)];
    use.role = role;
    return use;
  }

  void take_item() {
    const std::size_t column = format_.item_column.empty() ? used_.take_if_free("item")
                                                           : used_.take(required(format_.item_column, "--item-column"));
    if (column != ColumnUses::absent) plan_.uses[column].role = ItemRole::item;
  }

  void take_labels(const std::optional<NamedLabels>& own) {
    const std::optional<NamedLabels> named = named_labels(own);
    const std::vector<std::string>& known = format_.known_labels;
    if (!named) {
      // A model knows its labels; those that are there are no features.
      plan_.labels = known;
      plan_.has_sets = !known.empty();
      for (std::size_t k = 0; k < known.size(); ++k) {
        const std::size_t column =
            format_.needs_labels ? used_.required(known[k], "is a label of the model") : used_.find(known[k]);
        if (column == ColumnUses::absent) {
          plan_.has_sets = false;
        } else {
          add_label(column, k);
        }
      }
      return;
    }
    plan_.labels = known.empty() ? named->names : known;
    plan_.has_sets = true;
    for (const std::string& name : named->names) {
      const auto at = std::find(plan_.labels.begin(), plan_.labels.end(), name);
      if (at == plan_.labels.end()) {
        used_.fail_here(fmt::format("label '{}' is none of the model; it knows {}", name, quoted_list(known)));
      }
      add_label(required(name, named->source), static_cast<std::size_t>(at - plan_.labels.begin()));
    }
    if (named->names.size() != plan_.labels.size()) {
      const auto missing = std::find_if(known.begin(), known.end(), [&](const std::string& label) {
        return std::find(named->names.begin(), named->names.end(), label) == named->names.end();
      });
      if (format_.needs_labels)
        used_.fail_here(fmt::format("label '{}' of the model is not among the labels", *missing));
      plan_.has_sets = false;
    }
  }

  // Labels that an option or the file names; nothing when only the model can tell.
  std::optional<NamedLabels> named_labels(const std::optional<NamedLabels>& own) const {
    if (!format_.labels_file.empty()) return NamedLabels{read_mulan_labels(format_.labels_file), format_.labels_file};
    if (!format_.label_columns.empty()) return NamedLabels{format_.label_columns, "--label-columns"};
    if (format_.label_count != 0) return last_columns();
    if (!format_.known_labels.empty()) return std::nullopt;
    if (own) return own;
    if (!format_.needs_labels) return NamedLabels{};
    fail(ErrorKind::usage,
         file_ +
             ": nothing says which columns are labels; name them with --label-columns a,b,c, their number at the "
             "end with --label-count N, or a MULAN file with --labels FILE.xml");
  }

  NamedLabels last_columns() const {
    std::vector<std::size_t> free;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (used_.is_free(c)) free.push_back(c);
    }
    if (format_.label_count >= free.size()) {
      fail(ErrorKind::usage, fmt::format("--label-count {} leaves no feature: {} has {} columns", format_.label_count,
                                         file_, free.size()));
    }
    NamedLabels labels;
    for (std::size_t i = free.size() - format_.label_count; i < free.size(); ++i) {
      labels.names.push_back(columns_[free[i]].name);
    }
    return labels;
  }

  void add_label(std::size_t column, std::size_t label) {
    ColumnUse& label_use = use(column, ItemRole::label);
    label_use.first = label;
    const ItemColumn& told = columns_[column];
    if (told.is_text) used_.fail_here(fmt::format("label '{}' holds text; a label is 0 or 1", told.name));
    for (const std::string& word : told.words) {
      const std::optional<bool> value = label_value(word);
      if (!value) {
        used_.fail_here(
            fmt::format("label '{}' has the values {}; a label is 0 or 1", told.name, quoted_list(told.words)));
      }
      label_use.numbers.push_back(*value ? 1.0 : 0.0);
    }
  }

  void add_feature(std::size_t column) {
    const ItemColumn& told = columns_[column];
    if (told.is_text) {
      used_.fail_here(
          fmt::format("attribute '{}' is a string; features are numeric or nominal: leave it out with "
                      "--leave-out, or make it the items' names with --item-column",
                      told.name));
    }
    ColumnUse& use = plan_.uses[column];
    use.first = plan_.features.size();
    std::vector<std::string> values = known_values(told);
    if (told.words.empty() || (values.empty() && told.words.size() == 2)) {
      plan_.features.push_back(told.name);
      if (!told.words.empty()) use.numbers = two_numbers(told.words);
      return;
    }
    // The columns of a model come first, so that a file that declares fewer values still has them.
    for (const std::string& word : told.words) {
      const auto at = std::find(values.begin(), values.end(), word);
      use.place.push_back(static_cast<std::size_t>(at - values.begin()));
      if (at == values.end()) values.push_back(word);
    }
    use.width = values.size();
    for (const std::string& value : values) plan_.features.push_back(told.name + "=" + value);
  }

  // Values of a nominal column for which a model has columns of their own.
  std::vector<std::string> known_values(const ItemColumn& told) const {
    std::vector<std::string> values;
    if (told.words.empty()) return values;
    for (const std::string& known : format_.known_columns) {
      if (known.size() > told.name.size() + 1 && known.starts_with(told.name) && known[told.name.size()] == '=') {
        values.push_back(known.substr(told.name.size() + 1));
      }
    }
    return values;
  }

  // The smaller number is 0; of words the first.
  static std::vector<double> two_numbers(const std::vector<std::string>& words) {
    const auto first = parse_double(words[0]);
    const auto second = parse_double(words[1]);
    if (first && second && second.value() < first.value()) return {1.0, 0.0};
    return {0.0, 1.0};
  }

  const std::string& file_;
  const std::vector<ItemColumn>& columns_;
  const std::vector<std::string> names_;
  const LabelledFormat& format_;
  ColumnUses used_;
  ItemPlan plan_;
};

}  // namespace

std::optional<bool> label_value(std::string_view text) {
  if (text == "0") return false;
  if (text == "1") return true;
  const auto is = [&](std::string_view word) {
    return text.size() == word.size() && std::equal(text.begin(), text.end(), word.begin(), [](char a, char b) {
             return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
           });
  };
  if (is("true")) return true;
  if (is("false")) return false;
  double number = -1.0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (number == 0.0) return false;
  if (number == 1.0) return true;
  return std::nullopt;
}

ItemPlan plan_columns(const std::string& file, const std::vector<ItemColumn>& columns, const LabelledFormat& format,
                      const std::optional<NamedLabels>& own) {
  return Planner(file, columns, format).plan(own);
}

}  // namespace motet
