// From what people set to what the models count with.
#pragma once

#include "engine/engine.h"
#include "engine/packet/net.h"
#include "engine/wire.h"
#include "fabric/ecmp.h"
#include "fabric/fabric.h"

namespace railyard::packet {

/// What one NIC does about congestion.
DcqcnParameters dcqcn_of(const DcqcnPlan& plan);

Parameters parameters_of(const Fabric& fabric, const WireFormat& wire, const PathPolicy& routing, const PacketPlan& plan);

/// What NICs do for the flows of a second transport: all but that as `first` says.
Parameters parameters_beside(const Parameters& first, const Fabric& fabric, const PathPolicy& routing, const PacketPlan& plan,
                             const TransportBeside& beside);

}  // namespace railyard::packet
