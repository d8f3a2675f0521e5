// The clean estate of lint's tests in the languages of vendors: as files, with a mistake made in it or without.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/read/read.h"
#include "qos/device.h"

namespace railyard {

/// What is said in a language.
enum class Speaker : std::uint8_t { switches, hosts, jobs, inventory, policy };

/// A language that configurations are handed in in.
struct Language {
  std::string_view name;
  Speaker speaker;
  Dialect dialect;           // of its devices, as they are read
  std::string_view version;  // of a switch without a mistake
};
[[nodiscard]] std::span<const Language> languages();
[[nodiscard]] const Language& language_named(std::string_view name);

/// The name of a port of a switch, by its number from 0.
[[nodiscard]] std::string port_name(const Language& language, int number);

/// The clean estate with those who speak the language speaking it. Other switches speak SONiC, other hosts NVIDIA's tools.
/// Settings that the language's devices have by themselves are left to them.
[[nodiscard]] Estate clean_estate_in(const Language& language);

/// An estate as files. A device whose settings have no words is told of in `refused`, and has no file.
struct SpokenEstate {
  std::vector<ConfigText> files;
  std::vector<std::string> refused;
};
[[nodiscard]] SpokenEstate spoken(const Estate& estate, const Language& language);
/// What the files say; notes of readers are expected to be none.
[[nodiscard]] Estate heard(const std::vector<ConfigText>& files);

// Texts of one device, or of what stands beside the devices. Each writes what the project's own writers leave out, or all of it
// where there is no writer.
[[nodiscard]] std::vector<ConfigText> sonic_facts(const Device& device);
[[nodiscard]] std::vector<ConfigText> nvue_facts(const Device& device);
[[nodiscard]] std::string with_eos_facts(const Device& device, std::string text);
[[nodiscard]] std::string with_nxos_facts(const Device& device, std::string text);
[[nodiscard]] std::string with_junos_facts(const Device& device, std::string text);
[[nodiscard]] std::string os10_text(const Device& device);
[[nodiscard]] std::string aoscx_text(const Device& device);
[[nodiscard]] std::vector<ConfigText> host_facts(const Device& device);
[[nodiscard]] std::vector<ConfigText> niccli_texts(const Device& device);
[[nodiscard]] std::vector<ConfigText> nicctl_facts(const Device& device);
[[nodiscard]] std::vector<ConfigText> dcb_texts(const Device& device);
[[nodiscard]] std::string script_text(const Device& job);
[[nodiscard]] std::string kubernetes_text(const Device& job);
[[nodiscard]] std::string inventory_csv(const std::vector<InventoryRow>& rows);
[[nodiscard]] std::string inventory_json(const std::vector<InventoryRow>& rows);
[[nodiscard]] std::string policy_toml(const FabricPolicy& policy);

}  // namespace railyard
