package io.offhook.cli;

import io.offhook.packet.NetworkOrder;
import java.lang.foreign.MemorySegment;

/** A line about a DNS message (RFC 1035, 4.1): what was asked, and how it was answered. */
final class PrintDns {
    private static final int HEADER = 12;
    private static final int MAX_NAME = 255;

    private PrintDns() {}

    static void describe(MemorySegment segment, long offset, int length, StringBuilder to) {
        int flags = NetworkOrder.u16(segment, offset + 2);
        boolean isResponse = (flags & 0x8000) != 0;
        to.append(isResponse ? "response 0x" : "query 0x");
        PrintText.appendHex(to, NetworkOrder.u16(segment, offset), 4);
        int opcode = flags >>> 11 & 15;
        if (opcode != 0) {
            to.append(" opcode ").append(opcode);
        }
        if (NetworkOrder.u16(segment, offset + 4) > 0) {
            question(segment, offset, offset + length, to);
        }
        if (isResponse) {
            response(segment, offset, flags & 15, to);
        }
    }

    private static void question(MemorySegment segment, long offset, long end, StringBuilder to) {
        to.append(' ');
        long at = name(segment, offset + HEADER, end, to);
        if (at >= 0 && at + 2 <= end) {
            to.append(' ').append(typeName(NetworkOrder.u16(segment, at)));
        }
    }

    /** Appends the name; the place behind it, or -1 where it is not all there. A compressed one is not followed. */
    private static long name(MemorySegment segment, long from, long end, StringBuilder to) {
        long at = from;
        while (at < end && at - from <= MAX_NAME) {
            int label = NetworkOrder.u8(segment, at);
            if (label == 0) {
                to.append(at == from ? "." : "");
                return at + 1;
            }
            if (label >= 64 || at + 1 + label > end) {
                to.append("...");
                return -1;
            }
            to.append(at == from ? "" : ".");
            PrintText.append(to, segment, at + 1, label);
            at += 1 + label;
        }
        to.append("...");
        return -1;
    }

    private static void response(MemorySegment segment, long offset, int code, StringBuilder to) {
        int answers = NetworkOrder.u16(segment, offset + 6);
        String name = codeName(code);
        if (name.isEmpty()) {
            to.append(' ').append(answers).append(answers == 1 ? " answer" : " answers");
        } else {
            to.append(' ').append(name);
        }
    }

    private static String codeName(int code) {
        return switch (code) {
            case 0 -> "";
            case 1 -> "FORMERR";
            case 2 -> "SERVFAIL";
            case 3 -> "NXDOMAIN";
            case 4 -> "NOTIMP";
            case 5 -> "REFUSED";
            default -> "code " + code;
        };
    }

    private static String typeName(int type) {
        return switch (type) {
            case 1 -> "A";
            case 2 -> "NS";
            case 5 -> "CNAME";
            case 6 -> "SOA";
            case 12 -> "PTR";
            case 15 -> "MX";
            case 16 -> "TXT";
            case 28 -> "AAAA";
            case 33 -> "SRV";
            case 35 -> "NAPTR";
            case 43 -> "DS";
            case 48 -> "DNSKEY";
            case 64 -> "SVCB";
            case 65 -> "HTTPS";
            case 255 -> "ANY";
            default -> "type " + type;
        };
    }
}
