"""Counts the IP packets to one UDP port by Scapy's sniff: INTERFACE PORT; ends by SIGINT."""
import sys

from scapy.all import IP, UDP, sniff

interface, port = sys.argv[1], int(sys.argv[2])
count = 0


def packet(frame):
    global count
    if IP in frame and UDP in frame and frame[UDP].dport == port:
        count += 1


sniff(iface=interface, prn=packet, store=False)
print(count)
