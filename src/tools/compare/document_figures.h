// What documents and primary sources say of the models that are compared: catalog/documents/models.toml.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace railyard {

/// Figures of one kind of one model, as text.
struct DocumentFigure {
  std::string claimed;    // by the documents; empty where they are silent
  std::string published;  // by a primary source; the same
  std::string source;     // of the latter
};

/// The preset's name for people ("Llama 3"); the id itself where it is no preset of the file.
std::string label_of(std::string_view id);

/// `what` is a key of the file: "mfu", "gpus". Empty texts where it says nothing.
DocumentFigure document_figure(std::string_view id, std::string_view what);

}  // namespace railyard
