"""Scapy as its documentation uses it. FILE ROUNDS PACKETS"""
import sys
import time
from scapy.all import PcapReader, TCP, UDP

for _ in range(int(sys.argv[2])):
    most = int(sys.argv[3])
    start = time.perf_counter_ns()
    packets = tcp = udp = ports = 0
    with PcapReader(sys.argv[1]) as reader:
        for packet in reader:
            packets += 1
            if UDP in packet:
                udp += 1
                ports += packet[UDP].sport + packet[UDP].dport
            elif TCP in packet:
                tcp += 1
                ports += packet[TCP].sport + packet[TCP].dport
            if packets == most:
                break
    print(packets, tcp, udp, ports, time.perf_counter_ns() - start, flush=True)
