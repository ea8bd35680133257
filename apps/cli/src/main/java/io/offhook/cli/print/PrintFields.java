package io.offhook.cli.print;

import io.offhook.cli.terminal.Style;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.SafeText;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/** Layers and fields as indented text, one per line: {@code offhook print -v}. */
final class PrintFields implements FieldVisitor {
    private static final Set<String> IN_HEX = Set.of(
            "type",
            "protocol",
            "checksum",
            "identification",
            "flags",
            "spi",
            "verificationTag",
            "teid",
            "key",
            "vni",
            "family",
            "hardwareType",
            "protocolType",
            "extensionProfile",
            "lastSenderReport");
    private static final int FEW_BYTES = 16;

    private final StringBuilder to;
    private final boolean colored;
    private final boolean isUnicode;

    /** @param to receives the lines */
    PrintFields(StringBuilder to, boolean colored, boolean isUnicode) {
        this.to = to;
        this.colored = colored;
        this.isUnicode = isUnicode;
    }

    @Override
    public void layer(String label, int offset, int length, boolean isCut) {
        to.append("    ");
        Style.HEADING.append(to, label, colored);
        to.append(" at ").append(offset).append(", ").append(length).append(length == 1 ? " byte" : " bytes");
        if (isCut) {
            Style.BAD.append(to, ", cut or malformed", colored);
        }
        to.append('\n');
    }

    private StringBuilder name(String name) {
        to.append("        ");
        SafeText.append(to, name);
        return to.append(": ");
    }

    @Override
    public void number(String name, long value) {
        name(name).append(value);
        if (IN_HEX.contains(name)) {
            to.append(" (0x").append(Long.toHexString(value)).append(')');
        }
        to.append('\n');
    }

    @Override
    public void flag(String name, boolean value) {
        name(name).append(value).append('\n');
    }

    @Override
    public void text(String name, String value) {
        if (name.equals("text") || name.equals("body")) {
            lines(value);
        } else {
            name(name);
            SafeText.append(to, value);
            to.append('\n');
        }
    }

    /** Text of several lines. */
    private void lines(String value) {
        value.lines().forEach(line -> {
            to.append(isUnicode ? "        │ " : "        | ");
            SafeText.append(to, line);
            to.append('\n');
        });
    }

    @Override
    public void header(String name, String value) {
        name(name);
        SafeText.append(to, value);
        to.append('\n');
    }

    @Override
    public void bytes(String name, MemorySegment segment, long offset, int length) {
        name(name);
        for (int i = 0; i < Math.min(length, FEW_BYTES); i++) {
            to.append(i == 0 ? "" : " ");
            SafeText.appendHex(to, NetworkOrder.u8(segment, offset + i), 2);
        }
        if (length > FEW_BYTES) {
            to.append(" ... (").append(length).append(" bytes)");
        }
        to.append('\n');
    }
}
