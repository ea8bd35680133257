package io.offhook.sip;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads enough of pcap and pcapng, Ethernet and Linux cooked v1, IPv4 and IPv6 to give UDP and TCP payloads to a test:
 * no fragments, no tunnels, no reordering.
 */
final class CapturePayloads {
    /** Takes a payload; flow names addresses, ports and protocol of one direction. */
    interface Sink {
        void payload(long frame, boolean tcp, String flow, long sequence, ByteBuffer payload);
    }

    private static final int ETHERNET = 1;
    private static final int LINUX_SLL = 113;

    private final Sink sink;
    private long frame;

    private CapturePayloads(Sink sink) {
        this.sink = sink;
    }

    static void read(Path file, Sink sink) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        CapturePayloads reader = new CapturePayloads(sink);
        if (bytes.getInt(0) == 0x0a0d0d0a) {
            reader.pcapng(bytes);
        } else {
            reader.pcap(bytes.order(bytes.getInt(0) == 0xa1b2c3d4 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN));
        }
    }

    private void pcap(ByteBuffer bytes) {
        int linkType = bytes.getInt(20);
        int at = 24;
        while (at + 16 <= bytes.limit() && at + 16 + bytes.getInt(at + 8) <= bytes.limit()) {
            int length = bytes.getInt(at + 8);
            frame(linkType, bytes.slice(at + 16, length));
            at += 16 + length;
        }
    }

    private void pcapng(ByteBuffer bytes) {
        bytes.order(bytes.getInt(8) == 0x1a2b3c4d ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
        int linkType = ETHERNET;
        int at = 0;
        while (at + 12 <= bytes.limit()) {
            int type = bytes.getInt(at);
            int length = bytes.getInt(at + 4);
            if (length < 12 || at + length > bytes.limit()) {
                return;
            }
            if (type == 1) {
                linkType = bytes.getShort(at + 8);
            } else if (type == 6) {
                frame(linkType, bytes.slice(at + 28, bytes.getInt(at + 20)));
            }
            at += length;
        }
    }

    private void frame(int linkType, ByteBuffer packet) {
        frame++;
        packet.order(ByteOrder.BIG_ENDIAN);
        int typeAt = linkType == ETHERNET ? 12 : linkType == LINUX_SLL ? 14 : -1;
        if (typeAt < 0 || packet.limit() < 40) {
            return;
        }
        while (packet.getShort(typeAt) == (short) 0x8100) {
            typeAt += 4;
        }
        int ip = typeAt + 2;
        int etherType = packet.getShort(typeAt) & 0xffff;
        if (etherType == 0x0800 && (packet.getShort(ip + 6) & 0x3fff) == 0) {
            int headerLength = (packet.get(ip) & 0xf) * 4;
            int length = packet.getShort(ip + 2) & 0xffff;
            transport(packet, packet.get(ip + 9), ip + 12, 4, ip + headerLength, ip + length);
        } else if (etherType == 0x86dd && packet.limit() >= ip + 40) {
            int length = packet.getShort(ip + 4) & 0xffff;
            transport(packet, packet.get(ip + 6), ip + 8, 16, ip + 40, ip + 40 + length);
        }
    }

    private void transport(ByteBuffer packet, int protocol, int addresses, int addressLength, int at, int statedEnd) {
        int end = Math.min(statedEnd, packet.limit());
        int headerLength =
                protocol == 17 ? 8 : protocol == 6 && at + 20 <= end ? (packet.get(at + 12) >> 4 & 0xf) * 4 : -1;
        if (headerLength < 0 || at + headerLength > end) {
            return;
        }
        StringBuilder flow = new StringBuilder();
        for (int i = addresses; i < addresses + 2 * addressLength; i++) {
            flow.append(packet.get(i)).append('.');
        }
        flow.append(packet.getInt(at)).append('/').append(protocol);
        long sequence = protocol == 6 ? packet.getInt(at + 4) & 0xffff_ffffL : 0;
        sink.payload(
                frame,
                protocol == 6,
                flow.toString(),
                sequence,
                packet.slice(at + headerLength, end - at - headerLength));
    }
}
