package io.offhook.cli.input;

import io.offhook.cli.command.MisuseException;
import io.offhook.filter.FilterException;
import io.offhook.filter.PacketFilter;
import io.offhook.packet.LinkType;
import java.util.function.IntFunction;

/**
 * The filter of {@code --filter EXPRESSION}, in the language of pcap-filter(7): only matching frames are read. The expression
 * is compiled for each link type of the capture; if no frame of a link type can match, none of them is read.
 */
public final class FrameFilter implements IntFunction<PacketFilter> {
    /** The number of characters shown of the expression, from a fault on. */
    private static final int SHOWN = 40;

    private final String expression;

    FrameFilter(String expression) {
        this.expression = expression;
    }

    /** The filter for a link type. */
    @Override
    public PacketFilter apply(int linkType) {
        try {
            return PacketFilter.of(expression, linkType);
        } catch (FilterException e) {
            if (e.isRejectsAll()) {
                return (_, _, _, _) -> 0;
            }
            throw misuse(expression, linkType, e);
        }
    }

    static MisuseException misuse(String expression, int linkType, FilterException e) {
        return new MisuseException(
                "--filter for link type " + LinkType.name(linkType) + ": " + describe(expression, e));
    }

    /** A fault and its position, in one line. */
    private static String describe(String expression, FilterException e) {
        int offset = e.offset();
        if (offset < 0) {
            return e.reason();
        }
        int end = Math.min(expression.length(), offset + SHOWN);
        String rest = expression.substring(offset, end) + (end < expression.length() ? "..." : "");
        return e.reason() + (rest.isEmpty() ? ", at the end" : ", at \"" + rest + "\"");
    }
}
