#!/bin/bash
IF=eth2
DEV=mlx5_1
mlnx_qos -i $IF --trust=dscp -f 0,0,0,0,0,1,0,0 --dscp2prio set,40,5 --dscp2prio set,26,0 && ip link set dev ${IF} mtu 9000
mlnx_qos -i $IF -s ets,ets,strict -t 30,70,0 -p 0,1,2,3,4,5,6,7 --dcbx fw
echo 160 | tee /sys/class/infiniband/$DEV/tc/1/traffic_class
echo 0 > /sys/class/net/$IF/ecn/roce_np/enable/3
mlxconfig -d $DEV set CNP_DSCP_P1=46 DCBX_WILLING_P1=1
