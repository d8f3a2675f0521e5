#include "tools/compare/document_figures.h"

#include <algorithm>

#include "base/check.h"
#include "base/document.h"
#include "base/toml.h"
#include "catalog/embedded.h"

namespace railyard {

namespace {

const Document& document_figures_file() {
  static const Document file = [] {
    constexpr std::string_view kName = "catalog/documents/models.toml";
    const std::span<const EmbeddedFile> files = embedded_catalog();
    const auto found = std::find_if(files.begin(), files.end(), [&](const EmbeddedFile& one) { return one.name == kName; });
    RY_CHECK(found != files.end(), "the program holds what documents say");
    Result<Document> read = parse_toml(found->text, std::string(kName), "RY-CAT-001");
    RY_CHECK(read.has_value(), "the file that ships with the program is sound (compare_test)");
    return std::move(*read);
  }();
  return file;
}

std::string text_at(const Document* table, std::string_view key) {
  const Document* const value = table ? table->find(key) : nullptr;
  return value && value->text() ? *value->text() : std::string();
}

}  // namespace

std::string label_of(std::string_view id) {
  const std::string label = text_at(document_figures_file().find(id), "label");
  return label.empty() ? std::string(id) : label;
}

DocumentFigure document_figure(std::string_view id, std::string_view what) {
  const Document* const model = document_figures_file().find(id);
  const Document* const entry = model ? model->find(what) : nullptr;
  return {text_at(entry, "said"), text_at(entry, "published"), text_at(entry, "source")};
}

}  // namespace railyard
