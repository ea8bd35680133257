package io.offhook.cli;

import io.offhook.packet.NetworkOrder;
import io.offhook.packet.PacketWalker;
import io.offhook.packet.TcpView;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/** A line about a TCP segment: what its payload starts with where that is known, and else flags and numbers. */
final class PrintTcp {
    private static final byte[][] HTTP = {
        ascii("GET /"),
        ascii("POST /"),
        ascii("HEAD /"),
        ascii("PUT /"),
        ascii("DELETE /"),
        ascii("OPTIONS "),
        ascii("CONNECT "),
        ascii("HTTP/1."),
    };
    private static final byte[] RTSP = ascii("RTSP/1.0");
    private static final String[] FLAGS = {"FIN", "SYN", "RST", "PSH", "ACK", "URG", "ECE", "CWR", "AE"};

    private final PrintSip sip;
    private final TcpView tcp = new TcpView();

    PrintTcp(PrintSip sip) {
        this.sip = sip;
    }

    /** Names what the segment carries, and appends a summary. */
    String describe(PacketWalker walker, StringBuilder to) {
        MemorySegment segment = walker.segment();
        long at = walker.payloadOffset();
        int length = walker.payloadLength();
        if (length > 0) {
            String name = payload(segment, at, length, to);
            if (!name.isEmpty()) {
                return name;
            }
        }
        int transport = walker.transport();
        WrapStatus status = tcp.wrap(segment, walker.layerOffset(transport), walker.layerLength(transport));
        if (status == WrapStatus.OK) {
            flags(to);
            to.append(" Seq=").append(tcp.sequenceNumber());
            if (tcp.isAck()) {
                to.append(" Ack=").append(tcp.acknowledgmentNumber());
            }
            to.append(" Win=").append(tcp.window());
            to.append(" Len=").append(walker.payloadWireLength());
        } else {
            to.append("header cut");
        }
        return "TCP";
    }

    private void flags(StringBuilder to) {
        to.append('[');
        int start = to.length();
        for (int i = 0; i < FLAGS.length; i++) {
            if ((tcp.flags() >>> i & 1) != 0) {
                to.append(to.length() == start ? "" : ",").append(FLAGS[i]);
            }
        }
        to.append(']');
    }

    /** What the payload is, or "" where it is the middle of something. */
    private String payload(MemorySegment segment, long at, int length, StringBuilder to) {
        if (sip.isMessageStart(segment, at, length)) {
            return sip.describe(to);
        }
        if (length >= 6 && NetworkOrder.u8(segment, at + 1) == 3 && NetworkOrder.u8(segment, at + 2) <= 4) {
            int type = NetworkOrder.u8(segment, at);
            if (type >= 20 && type <= 24) {
                to.append(PrintUdp.tlsRecord(type));
                to.append(type == 22 ? handshake(NetworkOrder.u8(segment, at + 5)) : "");
                return "TLS";
            }
        }
        for (byte[] start : HTTP) {
            if (startsWith(segment, at, length, start)) {
                line(segment, at, length, to);
                return "HTTP";
            }
        }
        if (startsWith(segment, at, length, RTSP)) {
            line(segment, at, length, to);
            return "RTSP";
        }
        return "";
    }

    /** What an unencrypted handshake message begins (RFC 8446, 4). */
    private static String handshake(int type) {
        return switch (type) {
            case 1 -> ", client hello";
            case 2 -> ", server hello";
            case 11 -> ", certificate";
            case 16 -> ", client key exchange";
            default -> "";
        };
    }

    private static boolean startsWith(MemorySegment segment, long at, int length, byte[] start) {
        if (length < start.length) {
            return false;
        }
        for (int i = 0; i < start.length; i++) {
            if (NetworkOrder.u8(segment, at + i) != start[i]) {
                return false;
            }
        }
        return true;
    }

    private static void line(MemorySegment segment, long at, int length, StringBuilder to) {
        int end = 0;
        while (end < length
                && NetworkOrder.u8(segment, at + end) != '\r'
                && NetworkOrder.u8(segment, at + end) != '\n') {
            end++;
        }
        PrintText.append(to, segment, at, end);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
