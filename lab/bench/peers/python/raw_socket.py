"""Counts the IP packets to one UDP port by a raw socket, as a sniffer of a few lines does: INTERFACE PORT; ends by SIGINT."""
import socket
import struct
import sys

interface, port = sys.argv[1], int(sys.argv[2])
raw = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
raw.bind((interface, 0))
count = length = 0
try:
    while True:
        frame = raw.recv(65535)
        if struct.unpack_from("!H", frame, 12)[0] == 0x800 and frame[23] == 17:
            header = (frame[14] & 15) * 4
            source, destination, size = struct.unpack_from("!HHH", frame, 14 + header)
            if destination == port:
                count += 1
                length += size
except KeyboardInterrupt:
    print(count)
