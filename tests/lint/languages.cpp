#include "lint/languages.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "config/write/limits.h"
#include "config/write/write.h"
#include "tools/lint/clean_estate.h"

namespace railyard {

namespace {

constexpr Language kLanguages[] = {
    {"sonic", Speaker::switches, Dialect::sonic, "202405"},
    {"nvue", Speaker::switches, Dialect::nvue, "5.9.1"},
    {"eos", Speaker::switches, Dialect::eos, "EOS-4.33.1F"},
    {"nxos", Speaker::switches, Dialect::nxos, "10.4(3)"},
    {"junos", Speaker::switches, Dialect::junos, "23.4R2-EVO"},
    {"os10", Speaker::switches, Dialect::os10, "10.5.6.2"},
    {"aos-cx", Speaker::switches, Dialect::aoscx, "GL.10.17.0001"},
    {"mlnx", Speaker::hosts, Dialect::mlnx, ""},
    {"niccli", Speaker::hosts, Dialect::niccli, ""},
    {"nicctl", Speaker::hosts, Dialect::nicctl, ""},
    {"dcb", Speaker::hosts, Dialect::dcb, ""},
    {"variables", Speaker::jobs, Dialect::environment, ""},
    {"script", Speaker::jobs, Dialect::environment, ""},
    {"kubernetes", Speaker::jobs, Dialect::environment, ""},
    {"CSV", Speaker::inventory, Dialect::environment, ""},
    {"JSON", Speaker::inventory, Dialect::environment, ""},
    {"policy", Speaker::policy, Dialect::environment, ""},
};

/// The number of a port of the clean estate, which are called as SONiC calls them.
int number_of_port(const std::string& name) { return std::stoi(name.substr(std::string("Ethernet").size())); }

/// What a device of another vendor has instead.
void speak_switch(Device& device, const Language& language) {
  device.dialect = language.dialect;
  device.version = language.version;
  device.files = {{device.name, 0, 0}};
  for (PortConfig& port : device.ports) {
    port.name = port_name(language, number_of_port(port.name));
    if (port.neighbour_port.starts_with("Ethernet"))
      port.neighbour_port = port_name(language, number_of_port(port.neighbour_port));
  }
  QosPolicy& policy = device.policies[0];
  if (language.name == "sonic") {
    device.hash.seed = device.role == Role::leaf ? 0 : 10;  // SONiC gives seeds by the type of the device
    return;
  }
  policy.group_of_class = {0, 1, 2, 3, 4, 5, 6, 7};
  device.hash.fields = {"src-ip", "dst-ip", "protocol", "src-port", "dst-port"};
  device.hash.function.clear();
  if (language.name != "os10") device.buffer.size.reset();
  if (language.name == "os10") policy.groups[3].alpha.reset(), policy.groups[3].xoff = 8'000'000_B;
  if (language.name == "junos") {
    policy.queues[3].ecn = EcnPolicy{{ThresholdUnit::percent, 55}, {ThresholdUnit::percent, 90}, 1, true};
    device.buffer.lossless_percent = 66, device.buffer.headroom_percent = 24, device.buffer.lossy_percent = 10;
  }
  if (language.name == "nvue") device.buffer.lossless_percent = device.buffer.lossy_percent = 50;
}

/// Names of RDMA devices and models of NICs.
void speak_host(Device& device, const Language& language) {
  device.dialect = language.dialect;
  for (std::size_t i = 0; i < device.nics.size(); i++) {
    NicConfig& nic = device.nics[i];
    if (language.name == "niccli") nic.name = fmt::format("bnxt_re{}", i), nic.model = "BCM57608";
    if (language.name == "nicctl") nic.name = fmt::format("ionic_{}", i), nic.model = "DSC Ethernet Controller";
    if (language.name == "dcb") nic.name = fmt::format("irdma{}", i), nic.model = "E830-CC";
    for (GpuNicDistance& one : device.distances)
      if (one.nic == fmt::format("mlx5_{}", i)) one.nic = nic.name;
  }
}

void speak_inventory(Estate& estate, const Language& switches, std::string_view system) {
  for (InventoryRow& row : estate.inventory) {
    row.port = port_name(switches, number_of_port(row.port));
    if (row.neighbour_port.starts_with("Ethernet"))
      row.neighbour_port = port_name(switches, number_of_port(row.neighbour_port));
    row.nos = fmt::format("{} {}", system, switches.version);
  }
  for (int i = 0; i < 3; i++) {
    InventoryRow& row = estate.inventory.emplace_back();
    row.device = fmt::format("spine{}", i), row.role = "spine", row.nos = fmt::format("{} {}", system, switches.version);
  }
  estate.allowed.versions = {{estate.devices[6].nics[0].model, {"28.41.1000"}},
                             {std::string(name_of(switches.dialect)), {std::string(switches.version)}}};
}

ConfigText file_of(const Device& device, std::string_view name, std::string text) {
  return {fmt::format("{}/{}", device.name, name), device.name, std::move(text)};
}

/// The text of the project's own writer, with what the language leaves to the device left to it.
std::string written(const Device& device, std::vector<std::string>& refused) {
  std::vector<std::string> left_out;
  Result<ConfigFile> file = write_config(sayable(device, left_out));
  if (file) return std::move(file->text);
  refused.push_back(to_text(file.error().front()));
  return {};
}

void speak_device(const Device& device, const Language& language, SpokenEstate& out) {
  const auto add = [&](std::vector<ConfigText> files) {
    for (ConfigText& file : files) out.files.push_back(std::move(file));
  };
  if (language.name == "os10") return out.files.push_back(file_of(device, "running.cfg", os10_text(device)));
  if (language.name == "aos-cx") return out.files.push_back(file_of(device, "running.cfg", aoscx_text(device)));
  if (language.name == "niccli") return add(niccli_texts(device));
  if (language.name == "dcb") return add(dcb_texts(device));
  const std::string text = written(device, out.refused);
  if (text.empty()) return;
  if (language.name == "sonic") {
    out.files.push_back(file_of(device, "config_db.json", text));
    add(sonic_facts(device));
  } else if (language.name == "nvue") {
    add(nvue_facts(device));
    out.files.push_back(file_of(device, "startup.nvue", text));
  } else if (language.name == "eos") {
    out.files.push_back(file_of(device, "running.cfg", with_eos_facts(device, text)));
  } else if (language.name == "nxos") {
    out.files.push_back(file_of(device, "running.cfg", with_nxos_facts(device, text)));
  } else if (language.name == "junos") {
    out.files.push_back(file_of(device, "junos.conf", with_junos_facts(device, text)));
  } else {
    out.files.push_back(file_of(device, "setup.sh", text));
    add(language.name == "mlnx" ? host_facts(device) : nicctl_facts(device));
  }
}

void speak_job(const Device& job, const Language& language, SpokenEstate& out) {
  if (language.name == "script")
    out.files.push_back({"train.sh", "train", script_text(job)});
  else if (language.name == "kubernetes")
    out.files.push_back({"train.yaml", "train", kubernetes_text(job)});
  else
    out.files.push_back({"train.env", "train", written(job, out.refused)});
}

/// A file of NCCL's variables on a host.
void speak_host_variables(const Device& host, SpokenEstate& out) {
  std::string text;
  for (const auto& [name, setting] : host.environment) text += fmt::format("{}={}\n", name, setting.value);
  if (!text.empty()) out.files.push_back(file_of(host, "nccl.conf", text));
}

}  // namespace

std::span<const Language> languages() { return kLanguages; }

const Language& language_named(std::string_view name) {
  for (const Language& language : kLanguages)
    if (language.name == name) return language;
  ADD_FAILURE() << "no language " << name;
  return kLanguages[0];
}

std::string port_name(const Language& language, int number) {
  if (language.name == "nvue") return fmt::format("swp{}", number + 1);
  if (language.name == "eos") return fmt::format("Ethernet{}/1", number + 1);
  if (language.name == "nxos") return fmt::format("Ethernet1/{}", number + 1);
  if (language.name == "junos") return fmt::format("et-0/0/{}", number);
  if (language.name == "os10") return fmt::format("ethernet1/1/{}", number + 1);
  if (language.name == "aos-cx") return fmt::format("1/1/{}", number + 1);
  return fmt::format("Ethernet{}", number);
}

Estate clean_estate_in(const Language& language) {
  const Language& switches = language.speaker == Speaker::switches ? language : language_named("sonic");
  const Language& hosts = language.speaker == Speaker::hosts ? language : language_named("mlnx");
  Estate estate = clean_estate();
  for (Device& device : estate.devices) {
    if (device.kind == DeviceKind::network_switch) speak_switch(device, switches);
    if (device.kind == DeviceKind::host) speak_host(device, hosts);
  }
  speak_inventory(estate, switches, switches.name);
  std::string names;
  for (const NicConfig& nic : estate.devices[6].nics) names += (names.empty() ? "=" : ",") + nic.name;
  estate.devices[9].environment["NCCL_IB_HCA"].value = names;
  return estate;
}

SpokenEstate spoken(const Estate& estate, const Language& language) {
  const Language& switches = language.speaker == Speaker::switches ? language : language_named("sonic");
  const Language& hosts = language.speaker == Speaker::hosts ? language : language_named("mlnx");
  SpokenEstate out;
  for (const Device& device : estate.devices) {
    if (device.kind == DeviceKind::network_switch) speak_device(device, switches, out);
    if (device.kind == DeviceKind::host) speak_device(device, hosts, out), speak_host_variables(device, out);
    if (device.kind == DeviceKind::job) speak_job(device, language, out);
  }
  if (language.name == "JSON")
    out.files.push_back({"inventory.json", "inventory", inventory_json(estate.inventory)});
  else
    out.files.push_back({"inventory.csv", "inventory", inventory_csv(estate.inventory)});
  out.files.push_back({"policy.toml", "policy", policy_toml(estate.allowed)});
  return out;
}

Estate heard(const std::vector<ConfigText>& files) {
  Estate estate;
  for (const ConfigText& file : files)
    for (const Diagnostic& note : read_config(file, estate)) ADD_FAILURE() << to_text(note) << "\n" << file.text;
  return estate;
}

}  // namespace railyard
