"""dpkt as its documentation uses it. FILE ROUNDS PACKETS"""
import sys
import time
import dpkt

for _ in range(int(sys.argv[2])):
    most = int(sys.argv[3])
    start = time.perf_counter_ns()
    packets = tcp = udp = ports = 0
    with open(sys.argv[1], "rb") as file:
        for _, bytes_ in dpkt.pcap.Reader(file):
            packets += 1
            network = dpkt.ethernet.Ethernet(bytes_).data
            transport = getattr(network, "data", None)
            if isinstance(transport, dpkt.udp.UDP):
                udp += 1
                ports += transport.sport + transport.dport
            elif isinstance(transport, dpkt.tcp.TCP):
                tcp += 1
                ports += transport.sport + transport.dport
            if packets == most:
                break
    print(packets, tcp, udp, ports, time.perf_counter_ns() - start, flush=True)
