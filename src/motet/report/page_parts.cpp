#include "motet/report/page_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motet/report/html.h"

namespace motet {
namespace {

std::string legend_html(const MatrixPicture& picture) {
  std::string out = "<ul class=\"legend\">\n";
  for (std::size_t kind = 0; kind < picture.kinds.size(); ++kind) {
    out += fmt::format("<li><span class=\"swatch kind-{}\"></span>{}</li>\n", kind, html_text(picture.kinds[kind]));
  }
  return out + "</ul>\n";
}

// What a picture by blocks leaves out is told beside it.
std::string block_html(const MatrixPicture& picture) {
  const PictureBlock block = picture_block(picture.rows.names.size(), picture.columns.names.size());
  if (block.rows == 1 && block.columns == 1) return "";
  return fmt::format(
      "<p class=\"more\">{} {}s and {} {}s are more than can be drawn one by one: each cell of the picture stands for "
      "{} by {}, in the colour of most that are not empty, and paler where those are few. Names are those of the first "
      "in each.</p>\n",
      picture.rows.names.size(), html_text(picture.rows.title), picture.columns.names.size(),
      html_text(picture.columns.title), block.rows, block.columns);
}

std::string bar_html(const CardBar& bar) {
  const double share = std::isfinite(bar.share) ? std::clamp(bar.share, 0.0, 1.0) : 0.0;
  std::string tick;
  std::string numbers = fmt::format("{:.2f}", share);
  if (std::isfinite(bar.reference)) {
    tick = fmt::format("<i style=\"left:{:.1f}%\"></i>", 100.0 * std::clamp(bar.reference, 0.0, 1.0));
    numbers += fmt::format(" <span class=\"reference\">all {:.2f}</span>", bar.reference);
  }
  return fmt::format(
      "<li><span class=\"name\">{}</span><span class=\"bar\" aria-hidden=\"true\"><b "
      "style=\"width:{:.1f}%\"></b>{}</span>"
      "<span class=\"share\">{}</span></li>\n",
      html_text(bar.name), 100.0 * share, tick, numbers);
}

std::string list_html(const CardList& list) {
  std::string out = fmt::format("<details>\n<summary>{}</summary>\n<ul class=\"names\">\n", html_text(list.title));
  for (const std::string& name : list.names) out += fmt::format("<li>{}</li>\n", html_text(name));
  out += "</ul>\n";
  if (!list.rest.empty()) out += fmt::format("<p class=\"more\">{}</p>\n", html_text(list.rest));
  return out + "</details>\n";
}

std::string card_html(const Card& card) {
  std::string out = fmt::format("<article class=\"card\">\n<h3>{}</h3>\n", html_text(card.title));
  if (!card.badges.empty()) {
    out += "<p class=\"badges\">";
    for (const std::string& badge : card.badges) out += fmt::format("<span>{}</span>", html_text(badge));
    out += "</p>\n";
  }
  if (!card.facts.empty()) {
    out += "<dl>\n";
    for (const auto& [what, value] : card.facts) {
      out += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", html_text(what), html_text(value));
    }
    out += "</dl>\n";
  }
  for (const CardBars& part : card.bars) {
    out += fmt::format("<h4>{}</h4>\n<ul class=\"bars\">\n", html_text(part.title));
    for (const CardBar& bar : part.bars) out += bar_html(bar);
    out += "</ul>\n";
  }
  for (const CardList& list : card.lists) out += list_html(list);
  return out + "</article>\n";
}

}  // namespace

std::string picture_html(const MatrixPicture& picture) {
  const std::string title = html_text(picture.title);
  const std::string caption = html_text(picture.caption);
  std::string out = fmt::format(
      "<figure class=\"picture\">\n<h3>{}</h3>\n"
      "<noscript><p class=\"more\">The picture needs JavaScript; its numbers are in the table.</p></noscript>\n"
      "<div class=\"picture-box\" hidden><canvas tabindex=\"0\" role=\"img\" aria-label=\"{}: {}\"></canvas>"
      "<div class=\"picture-tip\" aria-live=\"polite\" hidden></div></div>\n"
      "<script type=\"application/json\">{}</script>\n",
      title, title, caption, html_json(picture_value(picture)));
  out += legend_html(picture) + block_html(picture);
  if (!picture.caption.empty()) out += fmt::format("<figcaption>{}</figcaption>\n", caption);
  out += "<details open>\n<summary>Numbers</summary>\n" + html_table(picture.table, picture.title) + "</details>\n";
  return out + "</figure>\n";
}

std::string image_html(const PageImage& image) {
  const std::string title = html_text(image.title);
  std::string out = fmt::format(
      "<figure class=\"picture\">\n<h3>{}</h3>\n"
      "<div class=\"image-box\"><img width=\"{}\" height=\"{}\" alt=\"{}: {}\" "
      "src=\"data:image/png;base64,{}\"></div>\n",
      title, image.width, image.height, title, html_text(image.caption),
      base64(std::vector<std::uint8_t>(image.png.begin(), image.png.end())));
  if (!image.caption.empty()) out += fmt::format("<figcaption>{}</figcaption>\n", html_text(image.caption));
  out += "<details>\n<summary>Numbers</summary>\n" + html_table(image.table, image.title) + "</details>\n";
  return out + "</figure>\n";
}

std::string cards_html(const std::vector<Card>& cards) {
  if (cards.empty()) return "";
  std::string out = "<div class=\"cards\">\n";
  for (const Card& card : cards) out += card_html(card);
  return out + "</div>\n";
}

}  // namespace motet
