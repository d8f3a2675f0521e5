// Reads COUNTERS_DB of SONiC as JSON (`sonic-db-dump -n COUNTERS_DB`, `redis-dump`): ports and queues by their names.
#include <map>

#include "measured/switch_counters.h"
#include "measured/text.h"

namespace railyard::switch_counters {

namespace {

using namespace measured_text;

/// "Ethernet0" and 3 of "Ethernet0:3".
struct Owner {
  std::string port;
  std::optional<std::uint32_t> queue;
};

std::map<std::string, Owner> owners_in(const Document& database) {
  std::map<std::string, Owner> out;
  for (const std::string_view table : {"COUNTERS_PORT_NAME_MAP", "COUNTERS_QUEUE_NAME_MAP", "COUNTERS_PG_NAME_MAP"}) {
    const Document* names = database.find(table);
    if (names && names->find("value")) names = names->find("value");
    if (!names || !names->members()) continue;
    for (const Document::Member& member : *names->members()) {
      if (!member.value.text()) continue;
      const std::size_t colon = member.key.rfind(':');
      Owner owner{short_text(member.key.substr(0, colon)), {}};
      if (colon != std::string::npos) owner.queue = small_number(std::string_view(member.key).substr(colon + 1));
      out.emplace(*member.value.text(), std::move(owner));
    }
  }
  return out;
}

}  // namespace

bool is_sonic_database(const MeasuredText& text) {
  return without_blanks(std::string_view(text.text).substr(0, 64)).starts_with('{') && contains(text.text, "\"COUNTERS:oid:");
}

void read_sonic_database(const MeasuredText& text, Measurements& all) {
  const auto document = json_of(text, "COUNTERS_DB", all);
  if (!document) return;
  const Document* data = document->find("data");
  const Document& database = data ? *data : *document;
  if (!database.members()) return;
  const std::map<std::string, Owner> owners = owners_in(database);
  for (const Document::Member& object : *database.members()) {
    const auto owner = owners.find(std::string(behind(object.key, "COUNTERS:").value_or("")));
    const Document* values = object.value.find("value") ? object.value.find("value") : &object.value;
    if (owner == owners.end() || !values->members()) continue;
    for (const Document::Member& counter : *values->members()) {
      const auto value = number_in(*values, counter.key);
      if (!value) continue;
      add_counter(all, text.device, owner->second.port, counter.key, *value, {text.file, counter.where.line, 0});
      if (owner->second.queue) all.counters.back().priority = owner->second.queue;
    }
  }
}

}  // namespace railyard::switch_counters
