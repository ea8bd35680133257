package io.offhook.cli.input;

import io.offhook.cli.command.MisuseException;
import io.offhook.filter.FilterException;
import io.offhook.filter.PacketFilter;
import io.offhook.packet.LinkType;
import io.offhook.pcap.FilteredSource;
import io.offhook.pcap.PacketSource;
import java.util.function.IntFunction;

/**
 * The filter of {@code --filter EXPRESSION}, in the language of pcap-filter(7): only matching frames are read. The expression
 * is compiled for each link type of the capture; if no frame of a link type can match, none of them is read.
 */
public final class FrameFilter implements IntFunction<PacketFilter> {
    /** The number of characters shown of the expression, from a fault on. */
    private static final int SHOWN = 40;

    private static final int[] USUAL = {LinkType.ETHERNET, LinkType.LINUX_SLL, LinkType.IEEE802_11_RADIOTAP};

    private final String expression;

    /** @param expression of pcap-filter(7) */
    public FrameFilter(String expression) {
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

    /** A source with only the frames that match; closing it closes the other. */
    public PacketSource in(PacketSource source) {
        return new FilteredSource(source, this);
    }

    /**
     * Checks the expression before anything is read.
     *
     * @throws MisuseException if it is understood for none of the usual link types
     */
    public void check() {
        MisuseException first = null;
        for (int linkType : USUAL) {
            try {
                apply(linkType);
                return;
            } catch (MisuseException e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
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
