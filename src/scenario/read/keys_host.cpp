#include "scenario/read/effect_conditions.h"
#include "scenario/read/keys_parts.h"

namespace railyard {

Section host_section() {
  using namespace conditions;
  using H = HostSpec;
  const KeyEffect library{kAnyCollective, {kNamedGpu}};
  return section(
      "host", "how servers are set up, where that costs a communication library something", library,
      [](ScenarioSpec& s) -> H& { return s.host; },
      {key("nics", &H::nics, "NICs of a server that the library uses, as NCCL_IB_HCA names them; all if not given", kPorts),
       key("nic_rate", &H::nic_rate,
           "what the way between a NIC and the memory of its GPU carries (PCIe, ACS, IOMMU); no limit if not given",
           kRateOrBytes),
       key("server_rate", &H::server_rate,
           "what a server passes on through its own memory, in one direction (no GPUDirect RDMA, sockets); no limit if not "
           "given",
           kRateOrBytes),
       key("latency", &H::latency, "added to every message between servers", kDelay),
       key("nvls", &H::nvls, "the scale-up switch reduces, where it can; NCCL_NVLS_ENABLE=0 is false"),
       key("p2p", &H::p2p, "GPUs of a server reach each other's memory; NCCL_P2P_DISABLE=1 is false"),
       only(KeyEffect{kAnyCollective, {kNamedGpu, kNoP2p}},
            key("p2p_rate", &H::p2p_rate, "of a GPU to others of its server without that, through host memory", kRateOrBytes)),
       key("pxn", &H::pxn, "an all_to_all changes rails inside servers; NCCL_PXN_DISABLE=1 is false"),
       key("channels", &H::channels, "at most, as NCCL_MAX_NCHANNELS says; the GPU's own if not given", kPorts)});
}

}  // namespace railyard
