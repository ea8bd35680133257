package io.offhook.cli.messages;

import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Text;

/** Label and style of the arrow of a message. */
public final class MessageArrow {
    private MessageArrow() {}

    /** "INVITE", "180 Ringing", "BYE (again)". */
    public static String label(KeptMessage message) {
        String label = Text.printable(message.label());
        if (!message.isRequest() && message.cseqMethod().equals("INVITE") || message.isRequest()) {
            return label + mark(message);
        }
        // otherwise the 200 of a BYE or UPDATE could be mistaken for the answer
        return label + " (" + Text.printable(message.cseqMethod()) + ")" + mark(message);
    }

    private static String mark(KeptMessage message) {
        return switch (message.copy()) {
            case FIRST -> "";
            case RETRANSMISSION -> " (again)";
            case MIRRORED -> " (mirrored)";
        };
    }

    /** The style of a message: requests stand out, and the colour of a response shows its class. */
    public static Style style(KeptMessage message) {
        return style(message.isRequest() ? 0 : message.statusCode());
    }

    /**
     * The style of a request, or of a response.
     *
     * @param status of a response; 0 for a request
     */
    public static Style style(int status) {
        if (status == 0) {
            return Style.HEADING;
        }
        if (status < 200) {
            return Style.NOTE;
        }
        if (status < 300) {
            return Style.GOOD;
        }
        // redirections and requests for credentials are not failures
        return status < 400 || status == 401 || status == 407 ? Style.WARNING : Style.BAD;
    }
}
