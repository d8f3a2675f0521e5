#include "config/write/hash_words.h"

#include <fmt/format.h>

namespace railyard {

namespace {

constexpr HashWord kSonicHashWords[] = {
    {"src-ip", "SRC_IP"},        {"dst-ip", "DST_IP"},        {"protocol", "IP_PROTOCOL"}, {"src-port", "L4_SRC_PORT"},
    {"dst-port", "L4_DST_PORT"}, {"qpn", "RDMA_BTH_DEST_QP"}, {"in-port", "IN_PORT"},      {"flow-label", "IPV6_FLOW_LABEL"}};
constexpr HashWord kNvueHashWords[] = {{"protocol", "ip-protocol"},      {"src-ip", "source-ip"},
                                       {"dst-ip", "destination-ip"},     {"src-port", "source-port"},
                                       {"dst-port", "destination-port"}, {"flow-label", "ipv6-label"},
                                       {"in-port", "ingress-interface"}};
constexpr HashWord kEosHashWords[] = {{"src-ip", "source-ip"},          {"dst-ip", "destination-ip"},
                                      {"protocol", "protocol"},         {"src-port", "source-port"},
                                      {"dst-port", "destination-port"}, {"in-port", "ingress-interface"}};
constexpr HashWord kOs10HashWords[] = {{"src-ip", "source-ip"},
                                       {"dst-ip", "destination-ip"},
                                       {"protocol", "protocol"},
                                       {"dst-port", "l4-destination-port"},
                                       {"src-port", "l4-source-port"}};

}  // namespace

std::span<const HashWord> hash_words(Dialect dialect) {
  if (dialect == Dialect::sonic) return kSonicHashWords;
  if (dialect == Dialect::nvue) return kNvueHashWords;
  if (dialect == Dialect::eos) return kEosHashWords;
  if (dialect == Dialect::os10) return kOs10HashWords;
  return {};
}

std::string hash_field_list(const HashConfig& hash, Dialect dialect) {
  std::string text;
  for (const auto& [field, word] : hash_words(dialect))
    if (hash.has(field)) text += fmt::format(" {}", word);
  return text;
}

}  // namespace railyard
