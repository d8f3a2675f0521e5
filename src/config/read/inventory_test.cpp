#include "config/read/inventory.h"

#include <gtest/gtest.h>

#include "config/read/readers.h"

namespace railyard {
namespace {

Diagnostics read_inventory(const std::string& text, Estate& estate, const std::string& file = "inventory.csv") {
  int readers = 0;
  for (const FileReader& reader : file_readers()) readers += reader.recognises({file, "inventory", text}) ? 1 : 0;
  EXPECT_EQ(readers, 1) << text;
  return read_config({file, "inventory", text}, estate);
}

TEST(ReadInventory, csv_by_the_names_of_its_columns) {
  Estate estate;
  EXPECT_TRUE(read_inventory("# fabric A\nDevice;Role;NOS;Cable;Port;Neighbour;Neighbour Port;Optics;Rack\n"
                             "leaf01;Leaf;SONiC 202405;;;;;;R1\nleaf01;;;30 m;Ethernet0;gpu01;eth4;\"DR4; 500 m\";R1\n"
                             "leaf01;;;2.5;Ethernet8\n",
                             estate)
                  .empty());
  ASSERT_EQ(estate.inventory.size(), 3U);
  EXPECT_EQ(estate.inventory[0].role, "leaf");
  EXPECT_EQ(estate.inventory[0].nos, "SONiC 202405");
  EXPECT_FALSE(estate.inventory[0].cable);
  EXPECT_EQ(estate.inventory[1].cable, 30_m);
  EXPECT_EQ(estate.inventory[1].neighbour_port, "eth4");
  EXPECT_EQ(estate.inventory[1].optics, "DR4; 500 m");
  EXPECT_EQ(estate.inventory[1].where.line, 4U);
  EXPECT_EQ(estate.inventory[2].cable, Millimetres(2500)) << "a bare number is metres";
}

TEST(ReadInventory, json_with_ports_inside) {
  Estate estate;
  EXPECT_TRUE(read_inventory(R"({"inventory": [{"device": "leaf01", "role": "leaf", "firmware": "5.4",
    "ports": [{"port": "Ethernet0", "cable": 3, "neighbour": "gpu01"}, {"port": "Ethernet8", "cable": "40 m"}]}]})",
                             estate, "inventory.json")
                  .empty());
  ASSERT_EQ(estate.inventory.size(), 3U);
  EXPECT_EQ(estate.inventory[0].firmware, "5.4");
  EXPECT_EQ(estate.inventory[1].device, "leaf01");
  EXPECT_EQ(estate.inventory[1].cable, 3_m);
  EXPECT_EQ(estate.inventory[2].port, "Ethernet8");
}

TEST(ReadInventory, what_is_no_length_is_said) {
  Estate estate;
  const Diagnostics found = read_inventory("device,cable\nleaf01,long\n,3\n", estate);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].code, "RY-CFG-004");
  EXPECT_EQ(found[0].severity, Severity::warning);
  EXPECT_EQ(found[0].where.line, 2U);
  EXPECT_EQ(found[1].where.line, 3U);
  EXPECT_EQ(estate.inventory.size(), 1U);
}

TEST(ReadFabricPolicy, what_is_allowed) {
  Estate estate;
  EXPECT_TRUE(read_inventory(R"(lossless_priorities = [3, 4]
[versions]
"ConnectX-7" = ["28.39.1002", "28.43.2026"]
SONiC = "202405"
[owners]
"dscp 26" = "training"
[[suppress]]
code = "RY-LNT-012"
device = "leaf01"
reason = "replaced in March"
)",
                             estate, "policy.toml")
                  .empty());
  EXPECT_EQ(estate.allowed.lossless_priorities, 0x18);
  EXPECT_EQ(estate.allowed.versions.at("ConnectX-7").size(), 2U);
  EXPECT_EQ(estate.allowed.versions.at("SONiC"), std::vector<std::string>{"202405"});
  EXPECT_EQ(estate.allowed.owners.at("dscp 26"), "training");
  ASSERT_EQ(estate.allowed.suppressions.size(), 1U);
  EXPECT_EQ(estate.allowed.suppressions[0].device, "leaf01");
  EXPECT_EQ(estate.allowed.suppressions[0].where.line, 7U);
}

TEST(ReadFabricPolicy, mistakes_are_named) {
  Estate estate;
  const Diagnostics found = read_inventory(
      "lossless_priorities = [9]\nversion = 1\n[owners]\nx = 1\n[[suppress]]\ncode = \"RY-LNT-012\"\n", estate, "policy.toml");
  ASSERT_EQ(found.size(), 4U);
  for (const Diagnostic& one : found) EXPECT_EQ(one.code, "RY-CFG-004");
  EXPECT_TRUE(has_errors(found));
  EXPECT_TRUE(estate.allowed.suppressions.empty()) << "nothing is silenced without a reason";

  Estate broken;
  EXPECT_EQ(read_inventory("[versions]\nSONiC = \n", broken, "policy.toml").at(0).code, "RY-CFG-003");
}

}  // namespace
}  // namespace railyard
