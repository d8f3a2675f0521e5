// Owns the rows of a Net: built from a fabric, grown as flows and messages are added.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/large_array.h"
#include "engine/engine.h"
#include "engine/packet/net.h"
#include "engine/packet/row_store.h"
#include "engine/packet/slot_store.h"
#include "engine/packet/voq.h"
#include "engine/wire.h"
#include "fabric/ecmp.h"
#include "fabric/fabric.h"
#include "fabric/live.h"
#include "plan/packet_plan.h"

namespace railyard::packet {

/// A switch that computes has a reducer inside it, which takes this long to begin a message, and as long again to pass packets
/// to its switch.
inline constexpr Picoseconds kReducerStep = kReducerLatency / 2;

/// Which part of a network's nodes this process plays, of so many.
struct NetworkShare {
  std::uint32_t process = 0, processes = 1;
};

class Network {
 public:
  /// Of the options it is told what others take of ports, whether switches compute (then every switch has a reducer, a host of
  /// its own inside it that flows may begin or end at, kReducerStep), whether links fail (failover.h), and of a second
  /// transport. Of the rows that change, only those of a share are there: its nodes, and ports that lead to them.
  Network(const Fabric& fabric, const WireFormat& wire, const PathPolicy& routing, const PacketPlan& plan,
          const PacketOptions& options, NetworkShare share = {});

  /// A queue pair between two hosts over `there` and, for answers, `back`: ports from end to end, or
  /// round a loop for as long as packets live.
  /// `beside`: it is of the second transport.
  std::uint32_t add_flow(std::span<const PortId> there, std::span<const PortId> back, std::uint8_t traffic_class,
                         bool beside = false);

  /// Ports between a switch and its reducer, which no fabric has: their ids are beyond the fabric's. REQUIRES: it has one.
  [[nodiscard]] PortId to_reducer(NodeId node) const { return PortId(reducer_ports_[node.index()]); }
  [[nodiscard]] PortId from_reducer(NodeId node) const { return PortId(reducer_ports_[node.index()] + 1); }

  /// A message at the end of a flow, which its NIC knows of from `from` on.
  void add_message(std::uint32_t flow, Bytes payload, Time from);

  /// Everything back to time zero; flows stay.
  void restart();

  /// Makes room in a node's pool.
  void reserve(std::uint32_t node, std::uint32_t packets);
  [[nodiscard]] std::uint32_t most_grants(Time span) const;

  // What changes where links fail -------------------------------------------------------------------------------------

  /// Of a port of the fabric; none of scale-up links.
  [[nodiscard]] std::uint32_t index_of(PortId id) const { return index_of_[id.index()]; }
  void set_rate(std::uint32_t port, BitsPerSecond rate);
  /// What a sender knows of room at the far end, where links are run by credits: all there can be while the link is down.
  void recount_credits(std::uint32_t port, bool is_down);
  /// Other ports for a flow. Its sender stays where it is, and has room at the first of them. Returns whether they are others.
  bool set_path(std::uint32_t flow, std::span<const PortId> there, std::span<const PortId> back);
  /// Switches choose among the ports that lead on.
  void choose_among(const LivePorts& live);

  /// Where nobody asks for messages later: one more of a flow is acknowledged, so that its row may be used again. Not while a
  /// worker runs.
  void let_go_of_message(std::uint32_t flow);

  Net net;
  Net beside;  // the same rows, with what NICs do for flows of the second transport, where there is one

  [[nodiscard]] std::uint32_t nodes() const { return static_cast<std::uint32_t>(is_host_.size()); }
  [[nodiscard]] std::uint32_t port_count() const { return static_cast<std::uint32_t>(fresh_ports_.size()); }
  [[nodiscard]] std::uint32_t flow_count() const { return static_cast<std::uint32_t>(senders_.size()); }
  /// Of the fabric; none for a port of a reducer.
  [[nodiscard]] PortId id_of(std::uint32_t port) const {
    return port_id_[port] < fabric_.port_from.size() ? PortId(port_id_[port]) : PortId();
  }
  /// Ports of the fabric that this one is: where cells take all of a trunk's alike, those. REQUIRES: it is none of a reducer.
  [[nodiscard]] IdRange<PortId> ids_of(std::uint32_t port) const;
  [[nodiscard]] bool is_of_fabric(std::uint32_t node) const { return node < fabric_.kind.size(); }
  /// The node itself; of a reducer, the switch that it is inside.
  [[nodiscard]] NodeId place_of(std::uint32_t node) const {
    return NodeId(is_of_fabric(node) ? node : net.ports[net.first_port[node]].to);
  }
  [[nodiscard]] bool is_host(std::uint32_t node) const { return is_host_[node]; }
  /// A host as it is when nothing has failed.
  [[nodiscard]] const Host& host_as_built(std::uint32_t node) const { return fresh_hosts_[node]; }
  /// The class of what a host sends: data has its own mark. REQUIRES: the node is a host of the fabric.
  [[nodiscard]] std::uint8_t class_at(NodeId host, std::uint8_t traffic_class) const {
    return traffic_class == kDataClass ? fresh_hosts_[host.index()].data_class : plan_.queue_of[traffic_class];
  }
  /// Which of so many workers plays each node: neighbours together, hosts with their switches.
  [[nodiscard]] std::vector<std::uint32_t> workers_by_node(std::uint32_t workers) const;
  [[nodiscard]] std::uint32_t process_of(std::uint32_t node) const { return process_of_.empty() ? 0 : process_of_[node]; }
  [[nodiscard]] const NetworkShare& share() const { return share_; }
  /// Whether a port has a row here that changes.
  [[nodiscard]] bool is_here(const Port& as_built) const {
    return process_of(as_built.node) == share_.process || process_of(as_built.to) == share_.process;
  }
  /// A port as it is when nothing has failed.
  [[nodiscard]] const Port& port_as_built(std::uint32_t port) const { return fresh_ports_[port]; }

  // Where rows are elsewhere: on a GPU, in another process ------------------------------------------------------------

  /// How many there are of what is neither by node nor by port nor by flow.
  struct RowCounts {
    std::size_t dcqcn_sets, profiles, next_hops, lasts, flowlets, arrived, told;
  };
  [[nodiscard]] RowCounts row_counts() const {
    return {dcqcn_sets_.size(), profiles_.size(), next_hops_.size(), lasts_.size(),
            flowlets_.size(),   arrived_.size(),  told_.size()};
  }
  [[nodiscard]] std::uint32_t timer_leaves(std::uint32_t node) const { return timer_queue_leaves_[node]; }
  /// All slots of a node's pool are free.
  void clear_pool(std::uint32_t node);
  [[nodiscard]] std::uint32_t pool_slots(std::uint32_t node) const { return pool_size_[node]; }
  /// So many packets are what a node's pool begins with: of a node that something else plays.
  void adopt_pool(std::uint32_t node, std::span<const Packet> slots);
  /// Rows of senders here are not brought up to date while it runs.
  void keep_rows_elsewhere() { rows_are_elsewhere_ = true; }

 private:
  /// One direction of a link, before it has its place.
  struct Wire {
    std::uint32_t id, from, to;
    BitsPerSecond rate;     // what packets may use
    BitsPerSecond nominal;  // what its ends react by
    Picoseconds delay, cable;
    bool by_credits;
    std::uint32_t ports = 1;  // of the fabric, side by side, from the id on
  };
  [[nodiscard]] bool has_credits(NodeId from, NodeId to) const;
  [[nodiscard]] std::vector<Wire> wires_of_fabric(std::span<const BitsPerSecond> taken) const;
  [[nodiscard]] Wire wire_of_cells(TrunkId trunk, std::span<const BitsPerSecond> taken) const;
  void add_reducers(std::vector<Wire>& wires);
  void add_ports(const std::vector<Wire>& wires);
  void add_nodes();
  void limit_hosts();
  void add_dcqcn();
  void add_profiles();
  void add_port_profiles();
  void add_fabric_profile();
  void add_credit_places();
  void begin_virtual_queues();
  [[nodiscard]] bool takes_cells(TrunkId trunk) const;
  [[nodiscard]] bool is_for_cells(std::uint32_t port) const;
  void set_aside(std::uint32_t node);
  [[nodiscard]] const DeviceQos* qos_of(std::uint32_t link) const;
  [[nodiscard]] const Profile& profile_of_link(std::uint32_t link) const;
  [[nodiscard]] Bytes headroom_before(std::uint32_t link, std::uint32_t group) const;
  void add_choices();
  void find_groups(const LivePorts& live);
  void lay_out_paths(std::uint32_t longest);
  void make_room_at(std::uint32_t port);
  [[nodiscard]] bool is_reducer(std::uint32_t node) const { return !is_of_fabric(node); }
  [[nodiscard]] std::uint32_t reverse(std::uint32_t id) const;
  void refresh();
  void begin_rows();
  [[nodiscard]] bool is_own(std::uint32_t node) const { return process_of(node) == share_.process; }
  void begin_flow(std::uint32_t flow);
  [[nodiscard]] Time round_trip_of(std::uint32_t flow) const;
  [[nodiscard]] std::uint32_t mtu_of(const Sender& s) const;
  [[nodiscard]] const Net& net_of(const Sender& s) const { return s.beside ? beside : net; }
  void mark_beside(const TransportBeside& second);
  void add_beside(const TransportBeside& second);

  const Fabric& fabric_;
  const PacketPlan& plan_;
  PathPolicy routing_;
  std::vector<BitsPerSecond> taken_;  // by port of the fabric: of its rate, by others; empty: nothing

  Bytes largest_packet_;  // of data, but for what begins a message
  std::vector<DcqcnParameters> dcqcn_sets_;
  std::vector<std::uint32_t> host_mtu_;  // by node, where hosts differ
  std::vector<Profile> profiles_;
  std::vector<std::uint32_t> profile_of_, qos_of_;  // by node: of profiles_, and of the plan's
  std::vector<std::uint32_t> port_profiles_;        // by port, where ports of one node differ
  std::vector<std::uint8_t> stopped_;               // by port, where nodes differ
  const NetworkShare share_;
  std::vector<std::uint32_t> process_of_;  // by node, where there are several
  RowStore<Port> ports_;
  LargeArray<Port> fresh_ports_;
  std::vector<std::uint32_t> port_id_, index_of_;  // by index, and by id
  std::vector<Link> links_;
  std::vector<LinkFault> faults_;  // by link, where links fail
  RowStore<PauseCounter> pause_counters_;
  RowStore<Ingress> ingress_;
  std::vector<std::uint32_t> headroom_;  // by class and link
  RowStore<Switch> switches_;
  std::vector<std::uint64_t> shared_size_;  // by node
  std::vector<Host> hosts_, fresh_hosts_;
  std::vector<std::vector<KeptPacket>> kept_;  // by node, where hosts may be stuck for a while
  RowStore<NicPort> nics_;
  std::vector<std::vector<TimedFlow>> waiting_, alarms_;  // by port of a host
  std::vector<Pool> pools_;
  std::vector<std::uint32_t> pool_size_;  // slots, a power of two or none
  SlotStore slots_;
  std::vector<TimerQueue> timer_queues_;
  std::vector<std::uint64_t> timer_keys_;
  std::vector<std::uint32_t> timer_queue_ports_, timer_queue_leaves_;  // room by node
  std::vector<std::uint32_t> first_port_, first_link_;
  std::vector<char> is_host_;
  std::vector<std::uint32_t> reducer_ports_;  // by node: id of the port to its reducer, the one from there is the next
  LargeArray<Sender> senders_;
  std::vector<Net::Ends> ends_;
  LargeArray<Receiver> receivers_;
  std::vector<Outgoing> messages_;
  /// Messages of a flow whose rows are not free again: the first, and how many of them are acknowledged.
  struct KeptRows {
    std::uint32_t first = kNone, acknowledged = 0;
  };
  std::vector<KeptRows> kept_rows_;           // by flow
  std::vector<std::uint32_t> free_messages_;  // rows
  LargeArray<std::uint32_t> paths_;
  std::vector<std::uint32_t> group_of_, next_hop_first_, next_hops_, last_first_;
  std::vector<std::uint32_t> stands_for_;  // by group: a host of it
  std::vector<Net::LastHop> lasts_;
  std::vector<Net::Flowlet> flowlets_;
  std::vector<std::uint64_t> arrived_, told_;
  std::vector<std::int64_t> credits_;
  std::vector<std::uint32_t> freed_;
  std::vector<Net::Load> loads_;
  std::vector<VoqSwitch> voqs_;             // by node, in a scheduled fabric
  std::vector<CreditPlace> credit_places_;  // likewise
  std::vector<Allowance> allowances_;       // by flow
  std::vector<Demand> demands_;
  std::uint32_t stride_ = 8;
  bool rows_are_elsewhere_ = false;
};

}  // namespace railyard::packet
