// How the layers of a model are dealt to the parts of a pipeline.
#pragma once

#include <cstdint>
#include <vector>

namespace railyard {

/// How many layers each of `virtual_stages` parts of the model gets: as given, else evenly; where that does not come out, the
/// ends, which also hold embedding and head, get one less. Empty if there is no such split.
std::vector<std::uint32_t> split_layers(std::uint32_t layers, std::uint32_t virtual_stages,
                                        const std::vector<std::uint32_t>& given);

}  // namespace railyard
