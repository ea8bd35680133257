package io.offhook.cli;

import io.offhook.packet.Application;
import io.offhook.packet.ApplicationRecognizer;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.PacketWalker;
import io.offhook.packet.TcpView;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/** A line about a TCP segment: what its payload starts with where that is known, and else flags and numbers. */
final class PrintTcp {
    private static final String[] FLAGS = {"FIN", "SYN", "RST", "PSH", "ACK", "URG", "ECE", "CWR", "AE"};

    private final PrintSip sip;
    private final ApplicationRecognizer recognizer = new ApplicationRecognizer();
    private final TcpView tcp = new TcpView();

    PrintTcp(PrintSip sip) {
        this.sip = sip;
    }

    /** Names what the segment carries, and appends a summary. */
    String describe(PacketWalker walker, StringBuilder to) {
        MemorySegment segment = walker.segment();
        if (walker.payloadLength() > 0) {
            String name = payload(walker, to);
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
    private String payload(PacketWalker walker, StringBuilder to) {
        MemorySegment segment = walker.segment();
        long at = walker.payloadOffset();
        int length = walker.payloadLength();
        if (sip.isMessageStart(segment, at, length)) {
            return sip.describe(to);
        }
        Application application = recognizer.recognize(walker);
        switch (application) {
            case TLS -> {
                int type = NetworkOrder.u8(segment, at);
                to.append(PrintUdp.tlsRecord(type));
                to.append(type == 22 && length >= 6 ? handshake(NetworkOrder.u8(segment, at + 5)) : "");
            }
            case HTTP, RTSP -> line(segment, at, length, to);
            case DNS -> PrintDns.describe(segment, recognizer.offset(), recognizer.length(), to);
            case H225, SKINNY, DIAMETER -> to.append(walker.payloadWireLength()).append(" bytes");
            default -> {
                return "";
            }
        }
        return application.title();
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

    private static void line(MemorySegment segment, long at, int length, StringBuilder to) {
        int end = 0;
        while (end < length
                && NetworkOrder.u8(segment, at + end) != '\r'
                && NetworkOrder.u8(segment, at + end) != '\n') {
            end++;
        }
        PrintText.append(to, segment, at, end);
    }
}
