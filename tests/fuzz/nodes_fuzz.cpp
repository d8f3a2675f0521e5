// Any bytes as a list of nodes: every reader must answer with names that can be shown, each once, or with findings; and lists
// must merge with each other.
#include <cstdint>
#include <set>
#include <string>

#include "base/check.h"
#include "base/printable.h"
#include "scheduler/host_list.h"
#include "scheduler/read_nodes.h"

namespace {

using namespace railyard;

void show(const Diagnostics& findings) {
  RY_CHECK(!findings.empty(), "a refusal has a reason");
  for (const Diagnostic& one : findings) (void)to_text(one);
}

void check_list(const ListedNodes& list) {
  RY_CHECK(!list.nodes.empty() && list.nodes.size() <= kMostHosts, "a list has nodes");
  std::set<std::string> names;
  for (const ListedNode& node : list.nodes) {
    RY_CHECK(printable(node.name) == node.name && !node.name.empty(), "a name can be shown");
    RY_CHECK(names.insert(node.name).second, "every name is there once");
    for (const std::string& one : node.switches) RY_CHECK(printable(one) == one, "a switch can be shown");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const Result<ListedNodes> list = read_nodes(text, "fuzz.txt");
  if (!list) {
    show(list.error());
    return 0;
  }
  check_list(*list);
  if (list->nodes.size() > 4096) return 0;
  static const Result<ListedNodes> known = read_nodes("gpu1 idle\ngpu2 alloc\ngpu001 idle\na idle\n", "known.txt");
  const Result<ListedNodes> both = merge_nodes({*list, *known});
  if (both)
    check_list(*both);
  else
    show(both.error());
  return 0;
}
