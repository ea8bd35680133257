package io.offhook.cli.print;

import io.offhook.packet.NetworkOrder;
import io.offhook.packet.SafeText;
import java.lang.foreign.MemorySegment;

/** A hex dump: offset, sixteen bytes in hexadecimal, and their printable ASCII characters. */
final class PrintHex {
    private static final int IN_LINE = 16;

    private PrintHex() {}

    static void append(StringBuilder to, MemorySegment segment, long offset, int length) {
        for (int line = 0; line < length; line += IN_LINE) {
            int end = Math.min(length, line + IN_LINE);
            SafeText.appendHex(to.append("    "), line, 4);
            to.append(' ');
            for (int i = line; i < line + IN_LINE; i++) {
                to.append(i == line + IN_LINE / 2 ? "  " : " ");
                if (i < end) {
                    SafeText.appendHex(to, NetworkOrder.u8(segment, offset + i), 2);
                } else {
                    to.append("  ");
                }
            }
            to.append("  ");
            for (int i = line; i < end; i++) {
                to.append(SafeText.asciiOrDot(NetworkOrder.u8(segment, offset + i)));
            }
            to.append('\n');
        }
    }
}
