#include "effects/cases.h"

namespace railyard::effects {

namespace {

using Set = std::vector<std::string>;

const std::vector<Variant> kNetworks = {
    {"adaptive", {"routing.policy=adaptive"}},
    {"spray", {"routing.policy=spray"}},
    {"pinned", {"routing.policy=pinned"}},
    {"flowlet", {"routing.policy=flowlet"}},
    {"paths", {"routing.policy=spray", "routing.paths=2"}},
    {"plain leaf", {"fabric.spines="}},
    {"no spines", {"fabric.hosts_per_leaf=64", "fabric.spines=", "fabric.buffer=3 MB"}},
    {"star", {"fabric.topology=star", "fabric.hosts_per_leaf=", "fabric.spines=", "fabric.buffer=3 MB"}},
    {"clos3", {"fabric.topology=clos3", "fabric.hosts_per_leaf=2", "fabric.hosts_per_pod=8", "fabric.spines="}},
    {"fat-tree", {"fabric.topology=fat-tree", "fabric.hosts_per_leaf=", "fabric.spines=", "fabric.radix=8"}},
    {"rails",
     {"fabric.topology=rail-optimized", "fabric.spines=", "cluster.gpus_per_node=4", "cluster.scale_up_domain=4",
      "cluster.scale_up_rate=1600 Gb/s"}},
    {"multi-plane", {"fabric.topology=multi-plane", "fabric.spines="}},
    {"dual-tor", {"fabric.topology=dual-tor", "fabric.spines="}},
    {"hybrid", {"fabric.topology=hybrid", "fabric.spines=", "fabric.island.gateways=1"}},
    {"optical",
     {"fabric.topology=optical", "fabric.hosts_per_leaf=2", "fabric.hosts_per_pod=4", "fabric.spines=1",
      "fabric.spine_uplinks=3"}},
    {"two sites",
     {"fabric.topology=two-site", "fabric.hosts_per_leaf=4", "fabric.spines=2", "fabric.haul.links=4",
      "fabric.haul.length=100 m"}},
    {"scheduled", {"fabric.switching=scheduled"}},
    {"catalog",
     {"cluster.nic=ConnectX-7",
      "fabric.link_rate=", "fabric.host_latency=", "fabric.switch_latency=", "fabric.switch=Tomahawk-5", "fabric.buffer=3 MB"}},
    {"no cable", {"fabric.link_delay="}},
    {"failing nic", {"failures.gpu 0 port 0={rate = \"20 Gb/s\"}"}},
    {"pairs", {"transport.qps_per_connection=4"}},
    {"spread pairs", {"transport.qps_per_connection=4", "routing.policy=adaptive"}},
    {"pinned pairs", {"transport.qps_per_connection=4", "routing.policy=pinned"}},
    {"adaptive paths", {"routing.policy=adaptive", "routing.paths=2"}},
    {"nodes", {"cluster.gpus_per_node=4"}},
    {"stored", {"fabric.switching=store-and-forward"}},
    {"no nic", {"fabric.host_latency="}},
    {"failure", {"failures.leaf 0 uplink 0=down"}},
    {"seeded", {"placement.policy=random"}},
    {"fragmented", {"placement.policy=fragmented", "fabric.gpus=64", "fabric.buffer=3 MB"}},
    {"servers", {"cluster.gpus_per_node=4", "cluster.scale_up_domain=4", "cluster.scale_up_rate=1600 Gb/s"}},
    {"quantised", {"engine.mode=quantised"}},
};

const std::vector<Variant> kPackets = {
    {"lossy", {"transport.pfc.enabled=false", "fabric.buffer=100 kB"}},
    {"selective", {"transport.pfc.enabled=false", "fabric.buffer=100 kB", "transport.loss_recovery=selective-repeat"}},
    {"paused", {"transport.pfc.enabled=true", "fabric.buffer=1 MB", "transport.ecn.kmin=", "transport.ecn.kmax="}},
    {"fixed", {"transport.pfc.enabled=true", "transport.pfc.xoff=10 kB"}},
    {"spectrum",
     {"fabric.switch=Spectrum-4", "transport.pfc.enabled=true", "fabric.buffer=2 MB", "transport.pfc.alpha=0.02",
      "fabric.switch_latency=500 ns"}},
    {"no control", {"transport.control=none"}},
    {"hpcc", {"transport.control=hpcc"}},
    {"swift", {"transport.control=swift"}},
    {"cubic", {"transport.control=cubic"}},
    {"dctcp", {"transport.control=dctcp"}},
    {"nscc", {"transport.control=nscc"}},
    {"timely", {"transport.control=timely"}},
    {"rccc", {"transport.control=rccc"}},
    {"ibcc",
     {"transport.control=ibcc", "transport.ecn.kmin=1 kB", "transport.ecn.kmax=20 kB", "transport.ibcc.ccti_increase=20"}},
    {"timed", {"transport.dcqcn.rpg_time_reset=3 us", "transport.dcqcn.rpg_byte_reset=0", "transport.dcqcn.rpg_threshold=5"}},
    {"trimmed", {"transport.control=swift", "transport.queue_limit=20 kB", "transport.trimming=true"}},
    {"limited", {"transport.queue_limit=20 kB"}},
    {"stalled", {"transport.credits=20 kB"}},
};

const std::vector<Variant> kTraffic = {
    {"uniform", {"traffic.pattern=uniform", "traffic.fan_in="}},
    {"rounds", {"traffic.rounds=3", "traffic.interval=5 us"}},
    {"recovering",
     {"traffic.size=200 kB", "transport.dcqcn.rpg_time_reset=3 us", "transport.dcqcn.rpg_byte_reset=0",
      "transport.dcqcn.rpg_threshold=2"}},
    {"bursts",
     {"traffic.pattern=microburst", "traffic.size=", "traffic.burst=50 kB", "traffic.bursts=3", "traffic.interval=10 us"}},
    {"file", {"traffic.pattern=file", "traffic.size=", "traffic.fan_in=", "traffic.file=flows.csv"}},
    {"storage", {"traffic.storage.servers=2", "traffic.storage.checkpoint=100 kB", "traffic.storage.size=50 kB"}},
    {"checkpoints",
     {"traffic.storage.servers=2", "traffic.storage.checkpoint=100 kB", "traffic.storage.size=50 kB",
      "traffic.storage.rounds=2", "traffic.storage.interval=20 us"}},
    {"slow", {"traffic.slow_hosts=[0]", "traffic.slow_rate=10 Gb/s", "transport.receive_buffer=20 kB"}},
    {"stuck", {"traffic.slow_hosts=[0]", "traffic.slow_rate=0 b/s", "transport.receive_buffer=20 kB"}},
    {"storm",
     {"traffic.slow_hosts=[0]", "traffic.slow_rate=0 b/s", "transport.receive_buffer=20 kB", "transport.pfc.watchdog=true",
      "transport.pfc.watchdog_detection=20 us", "transport.pfc.watchdog_restoration=20 us", "transport.pfc.watchdog_poll=10 us",
      "transport.pfc.enabled=true"}},
    {"drawn", {"fabric.topology=file", "fabric.hosts_per_leaf=", "fabric.spines=", "fabric.file=fabric.txt"}},
    {"seated", {"placement.policy=file", "placement.file=ranks.txt"}},
};

const std::vector<Variant> kCollectives = {
    {"library", {"cluster.gpu=H100-SXM-80", "collective.algorithm=auto", "collective.group=8", "cluster.scale_up_rate="}},
    {"failing library",
     {"cluster.gpu=H100-SXM-80", "collective.algorithm=auto", "cluster.scale_up_rate=", "cluster.gpus_per_node=4",
      "cluster.scale_up_domain=4", "placement.policy=in-order", "failures.gpu 0 port 0={rate = \"20 Gb/s\"}"}},
    {"all-to-all", {"collective.kind=all_to_all", "collective.algorithm=auto"}},
    {"hierarchical", {"collective.algorithm=hierarchical"}},
    {"drawn",
     {"fabric.topology=file", "fabric.hosts_per_leaf=", "fabric.spines=", "fabric.file=fabric.txt",
      "cluster.scale_up_domain=", "cluster.gpus_per_node="}},
    {"seated", {"placement.policy=file", "placement.file=ranks.txt"}},
};

const std::vector<Variant> kSteps = {
    {"experts", {"model.experts=8", "model.experts_per_token=2", "model.expert_ffn=1024", "parallel.expert=4"}},
    {"few experts", {"model.experts=8", "model.experts_per_token=2", "model.expert_ffn=1024", "parallel.expert=2"}},
    {"shared experts",
     {"model.experts=8", "model.experts_per_token=2", "model.expert_ffn=1024", "model.shared_experts=2", "parallel.expert=4"}},
    {"latent",
     {"model.attention=mla", "model.mla_kv_rank=128", "model.mla_nope_dim=64", "model.mla_rope_dim=32",
      "model.mla_value_dim=64"}},
    {"encoder", {"model.encoder_layers=2", "model.encoder_tokens=256", "model.encoder_hidden=512", "model.encoder_heads=8"}},
    {"preset",
     {"model.preset=llama3-8b", "model.layers=4", "model.hidden=", "model.heads=", "model.ffn=", "model.vocabulary="}},
    {"deduplicated",
     {"model.experts=8", "model.experts_per_token=2", "model.expert_ffn=1024", "parallel.expert=4", "model.expert_groups=2",
      "model.expert_group_limit=1", "parallel.expert_dispatch=deduplicated"}},
    {"one stage", {"parallel.pipeline=1"}},
    {"one tensor", {"parallel.tensor=1"}},
    {"one replica", {"parallel.tensor=4", "parallel.pipeline=4"}},
    {"zero 1", {"parallel.zero=1"}},
    {"zero 3", {"parallel.zero=3"}},
    {"chunks", {"parallel.virtual_pipeline=2"}},
    {"context", {"parallel.context=2"}},
    {"fp8", {"training.precision=fp8"}},
    {"unfused", {"training.attention=unfused"}},
    {"wide heads", {"model.heads=8"}},
    {"scaled rotary", {"model.scaled_rotary=true"}},
    {"rotary apart", {"training.fused_rotary=false"}},
    {"layers apart", {"training.fused_layers=false"}},
    {"tied", {"model.tied_embeddings=true"}},
    {"drawn", {"fabric.topology=file", "fabric.hosts_per_leaf=", "fabric.spines=", "fabric.file=fabric.txt"}},
    {"seated", {"placement.policy=file", "placement.file=ranks.txt"}},
};

const std::vector<Variant> kWholeSteps = {
    {"jitter", {"jitter.max=50 us", "jitter.share=0.5"}},
    {"jitter calls", {"jitter.delay=50 us", "jitter.calls=[0]"}},
    {"changing circuits",
     {"fabric.topology=optical", "fabric.hosts_per_leaf=2", "fabric.hosts_per_pod=4", "fabric.spines=1",
      "fabric.spine_uplinks=4", "fabric.circuits=phases", "fabric.reconfiguration=1 us"}},
};

std::vector<Variant> joined(std::initializer_list<const std::vector<Variant>*> parts) {
  std::vector<Variant> all;
  for (const std::vector<Variant>* part : parts) all.insert(all.end(), part->begin(), part->end());
  return all;
}

}  // namespace

std::span<const Variant> variants_of(std::string_view workload) {
  static const std::vector<Variant> traffic = joined({&kNetworks, &kPackets, &kTraffic}),
                                    collective = joined({&kNetworks, &kPackets, &kCollectives}),
                                    slice = joined({&kNetworks, &kPackets, &kSteps}),
                                    step = joined({&kNetworks, &kSteps, &kWholeSteps});
  if (workload == "step") return step;
  if (workload == "slice") return slice;
  return workload == "collective" ? collective : traffic;
}

}  // namespace railyard::effects
