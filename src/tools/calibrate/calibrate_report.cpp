#include <fmt/format.h>

#include "tools/calibrate/calibrate.h"

namespace railyard {

namespace {

std::string share(double value) { return fmt::format("{:.3f}", value); }

}  // namespace

std::string entry_name(const Calibrated& row) { return fmt::format("{}-{}", name_of(row.kind), name_of(row.policy)); }

Report calibrate_report(const std::vector<Calibrated>& rows) {
  TextTable table{{"transport", "routing", "control", "permutation", "incast", "ring", "efficiency"},
                  {Align::left, Align::left, Align::left, Align::right, Align::right, Align::right, Align::right},
                  {}};
  TextTable differs{{"transport", "routing", "where packets fell behind most, and what they met"}, {}, {}};
  for (const Calibrated& row : rows) {
    const std::string kind(name_of(row.kind)), policy(name_of(row.policy));
    table.rows.push_back({kind, policy, std::string(name_of(row.control)), share(row.permutation), share(row.incast),
                          share(row.ring), share(row.efficiency)});
    differs.rows.push_back({kind, policy, row.differs});
  }
  return {"What packets leave to flows",
          {{"",
            {table, differs,
             std::string("Shares of the goodput that flows have with all of every port: 64 MB each, 64 hosts at 400 "
                         "Gb/s under 8 leaves; three permutations, 8 to 1, a ring. Efficiency is their geometric "
                         "mean (docs/models.md); --write FILE writes it as the catalog has it.")}}}};
}

std::string calibrate_toml(const std::vector<Calibrated>& rows, const std::string& command, const std::string& version) {
  std::string text =
      "# What flows get to use of a port, by transport and routing: made by the command that each entry names, which plays "
      "the\n"
      "# same traffic with packets and with flows (docs/models.md, what congestion control leaves to flows). Not measured on\n"
      "# hardware: simulated, hence estimated. permutation, incast, ring: share of the flow engine's goodput that packets "
      "reach.\n";
  for (const Calibrated& row : rows)
    text += fmt::format(
        "\n[{}]\nkind = \"{}\"\npolicy = \"{}\"\ncontrol = \"{}\"\nefficiency = {}\npermutation = {}\nincast = {}\nring = "
        "{}\ncommand = \"{}\"\nversion = \"{}\"\nfingerprint = \"{}\"\nsource = \"Railyard's packets against its flows: 64 "
        "hosts at 400 Gb/s, 64 MB each ({})\"\nstatus = \"estimated\"\n",
        entry_name(row), name_of(row.kind), name_of(row.policy), name_of(row.control), share(row.efficiency),
        share(row.permutation), share(row.incast), share(row.ring), command, version, row.fingerprint, command);
  return text;
}

}  // namespace railyard
