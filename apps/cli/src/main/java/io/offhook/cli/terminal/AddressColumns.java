package io.offhook.cli.terminal;

/**
 * Two columns of addresses in lines that are printed one by one, such as "192.0.2.1:5060 -> 192.0.2.2:5060". Where there is
 * room, both have their usual width. In narrower terminals they are as wide as the addresses so far need, and addresses
 * that are wider than there is room are cut in the middle.
 */
public final class AddressColumns {
    /** "255.255.255.255:65535" */
    private static final int USUAL = 21;
    /** With less room, columns are only as wide as necessary. */
    private static final int AMPLE_ROOM = 70;

    private final int most;
    private final String ellipsis;
    private final boolean isFixed;
    private int width;

    /** @param room the columns for both addresses, without what is between them */
    public AddressColumns(int room, boolean isUnicode) {
        most = room < 2 * USUAL ? Math.max(1, room / 2) : Integer.MAX_VALUE;
        isFixed = room >= AMPLE_ROOM;
        width = isFixed ? USUAL : 0;
        ellipsis = isUnicode ? "…" : "~";
    }

    /** Appends "source -> destination", aligned at the arrow. */
    public void append(StringBuilder line, String source, String destination) {
        String from = Text.cutInside(source, most, ellipsis);
        String to = Text.cutInside(destination, most, ellipsis);
        if (!isFixed) {
            width = Math.max(width, Math.max(Text.width(from), Text.width(to)));
        }
        line.repeat(' ', Math.max(0, width - Text.width(from)))
                .append(from)
                .append(" -> ")
                .append(to);
        line.repeat(' ', Math.max(0, width - Text.width(to)));
    }
}
