#!/bin/sh
# gpu05: QoS of NVIDIA's NICs for RoCE. Most of it is lost at a reboot: run this at every start.

# mlx5_0 (eth0)
# Settings are made here and not taken from a neighbour over DCBX
mlnx_qos -i eth0 --dcbx os
mlxconfig -y -d mlx5_0 set DCBX_WILLING_P1=0
# Packets get their priority by DSCP, as switches see it; PCP is lost where frames are not tagged
mlnx_qos -i eth0 --trust dscp
# CNPs first, since a late one slows nobody down; the rest by weight
mlnx_qos -i eth0 --tsa ets,vendor,vendor,ets,vendor,vendor,strict,vendor --tcbw 50,0,0,50,0,0,0,0
# PFC: the NIC obeys and sends pauses of these priorities alone
mlnx_qos -i eth0 --pfc 0,0,0,1,0,0,0,0
# ToS of RoCE, whatever an application asks for: DSCP × 4, and 2 for ECN-capable transport
echo 106 > /sys/class/infiniband/mlx5_0/tc/1/traffic_class
cma_roce_tos -d mlx5_0 -t 106
# CNPs have a class of their own, which switches serve first
echo 48 > /sys/class/net/eth0/ecn/roce_np/cnp_dscp
echo 6 > /sys/class/net/eth0/ecn/roce_np/cnp_802p_prio
# DCQCN: receivers answer marks with CNPs (np), senders slow down (rp)
echo 0 > /sys/class/net/eth0/ecn/roce_np/enable/0
echo 0 > /sys/class/net/eth0/ecn/roce_rp/enable/0
echo 0 > /sys/class/net/eth0/ecn/roce_np/enable/1
echo 0 > /sys/class/net/eth0/ecn/roce_rp/enable/1
echo 0 > /sys/class/net/eth0/ecn/roce_np/enable/2
echo 0 > /sys/class/net/eth0/ecn/roce_rp/enable/2
echo 1 > /sys/class/net/eth0/ecn/roce_np/enable/3
echo 1 > /sys/class/net/eth0/ecn/roce_rp/enable/3
echo 0 > /sys/class/net/eth0/ecn/roce_np/enable/4
echo 0 > /sys/class/net/eth0/ecn/roce_rp/enable/4
echo 0 > /sys/class/net/eth0/ecn/roce_np/enable/5
echo 0 > /sys/class/net/eth0/ecn/roce_rp/enable/5
echo 0 > /sys/class/net/eth0/ecn/roce_np/enable/6
echo 0 > /sys/class/net/eth0/ecn/roce_rp/enable/6
echo 0 > /sys/class/net/eth0/ecn/roce_np/enable/7
echo 0 > /sys/class/net/eth0/ecn/roce_rp/enable/7
# A RoCE packet of 4096 bytes and its headers must fit into one frame
ip link set dev eth0 mtu 4200
# Writes to memory of GPUs may pass each other on PCIe; needs a reset of the NIC
mlxconfig -y -d mlx5_0 set PCI_WR_ORDERING=1

# mlx5_1 (eth1)
# Settings are made here and not taken from a neighbour over DCBX
mlnx_qos -i eth1 --dcbx os
mlxconfig -y -d mlx5_1 set DCBX_WILLING_P1=0
# Packets get their priority by DSCP, as switches see it; PCP is lost where frames are not tagged
mlnx_qos -i eth1 --trust dscp
# CNPs first, since a late one slows nobody down; the rest by weight
mlnx_qos -i eth1 --tsa ets,vendor,vendor,ets,vendor,vendor,strict,vendor --tcbw 50,0,0,50,0,0,0,0
# PFC: the NIC obeys and sends pauses of these priorities alone
mlnx_qos -i eth1 --pfc 0,0,0,1,0,0,0,0
# ToS of RoCE, whatever an application asks for: DSCP × 4, and 2 for ECN-capable transport
echo 106 > /sys/class/infiniband/mlx5_1/tc/1/traffic_class
cma_roce_tos -d mlx5_1 -t 106
# CNPs have a class of their own, which switches serve first
echo 48 > /sys/class/net/eth1/ecn/roce_np/cnp_dscp
echo 6 > /sys/class/net/eth1/ecn/roce_np/cnp_802p_prio
# DCQCN: receivers answer marks with CNPs (np), senders slow down (rp)
echo 0 > /sys/class/net/eth1/ecn/roce_np/enable/0
echo 0 > /sys/class/net/eth1/ecn/roce_rp/enable/0
echo 0 > /sys/class/net/eth1/ecn/roce_np/enable/1
echo 0 > /sys/class/net/eth1/ecn/roce_rp/enable/1
echo 0 > /sys/class/net/eth1/ecn/roce_np/enable/2
echo 0 > /sys/class/net/eth1/ecn/roce_rp/enable/2
echo 1 > /sys/class/net/eth1/ecn/roce_np/enable/3
echo 1 > /sys/class/net/eth1/ecn/roce_rp/enable/3
echo 0 > /sys/class/net/eth1/ecn/roce_np/enable/4
echo 0 > /sys/class/net/eth1/ecn/roce_rp/enable/4
echo 0 > /sys/class/net/eth1/ecn/roce_np/enable/5
echo 0 > /sys/class/net/eth1/ecn/roce_rp/enable/5
echo 0 > /sys/class/net/eth1/ecn/roce_np/enable/6
echo 0 > /sys/class/net/eth1/ecn/roce_rp/enable/6
echo 0 > /sys/class/net/eth1/ecn/roce_np/enable/7
echo 0 > /sys/class/net/eth1/ecn/roce_rp/enable/7
# A RoCE packet of 4096 bytes and its headers must fit into one frame
ip link set dev eth1 mtu 4200
# Writes to memory of GPUs may pass each other on PCIe; needs a reset of the NIC
mlxconfig -y -d mlx5_1 set PCI_WR_ORDERING=1
