package io.offhook.cli.screen;

import io.offhook.cli.messages.KeptMessage;
import io.offhook.cli.messages.MessageArrow;
import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Text;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Offers and answers of a call (RFC 3264), side by side, media against media. */
final class SessionPairs {
    private SessionPairs() {}

    /** An offer, and the answer to it; either may be missing. */
    record Pair(@Nullable KeptMessage offer, @Nullable KeptMessage answer) {}

    /**
     * The pairs in the order of offers. A response answers the request with its CSeq and Call-ID if that had a description, else
     * it offers, and the ACK answers (RFC 3261, 13.2.1). A description that is sent again is the same.
     */
    static List<Pair> of(List<KeptMessage> messages) {
        List<Pair> pairs = new ArrayList<>();
        for (KeptMessage message : messages) {
            if (message.sdpText() == null) {
                continue;
            }
            int open = open(pairs, message);
            if (open >= 0) {
                KeptMessage offer = pairs.get(open).offer();
                if (pairs.get(open).answer() == null) {
                    pairs.set(open, new Pair(offer, message));
                }
            } else {
                pairs.add(new Pair(message, null));
            }
        }
        return pairs;
    }

    /** The pair that a message belongs to: as answer, or as a copy of what is there; -1 if it begins one. */
    private static int open(List<Pair> pairs, KeptMessage message) {
        for (int i = pairs.size() - 1; i >= 0; i--) {
            KeptMessage offer = pairs.get(i).offer();
            boolean isSame = offer != null
                    && offer.callId().equals(message.callId())
                    && offer.cseqNumber() == message.cseqNumber();
            if (!isSame || offer == null) {
                continue;
            }
            boolean isOtherWay = offer.source().equals(message.destination());
            boolean isCopy = offer.isRequest() == message.isRequest();
            if (isCopy || isOtherWay || message.method().equals("ACK")) {
                boolean isNewHop = isCopy && !offer.source().equals(message.source());
                return isNewHop ? -1 : i;
            }
        }
        return -1;
    }

    /** The lines of the page, with escape sequences of {@link Style#append}. */
    static List<String> lines(List<KeptMessage> messages, int width) {
        List<String> lines = new ArrayList<>();
        for (Pair pair : of(messages)) {
            if (!lines.isEmpty()) {
                lines.add("");
            }
            side(lines, heading("Offer", pair.offer()), heading("Answer", pair.answer()), width, Style.HEADING);
            List<List<String>> left = sections(pair.offer());
            List<List<String>> right = sections(pair.answer());
            for (int i = 0; i < Math.max(left.size(), right.size()); i++) {
                section(
                        lines,
                        i < left.size() ? left.get(i) : List.of(),
                        i < right.size() ? right.get(i) : List.of(),
                        width);
            }
        }
        if (lines.isEmpty()) {
            lines.add("No message of this call has a session description.");
        }
        return lines;
    }

    private static String heading(String what, @Nullable KeptMessage message) {
        return message == null
                ? what + ": none"
                : what + ": " + MessageArrow.label(message) + ", frame " + message.frameNumber();
    }

    /** The lines for the session, then those of each medium. */
    private static List<List<String>> sections(@Nullable KeptMessage message) {
        List<List<String>> sections = new ArrayList<>();
        sections.add(new ArrayList<>());
        String text = message == null ? null : message.sdpText();
        for (String line : text == null ? List.<String>of() : text.lines().toList()) {
            if (line.startsWith("m=")) {
                sections.add(new ArrayList<>());
            }
            sections.getLast().add(Text.printable(line));
        }
        return sections;
    }

    private static void section(List<String> lines, List<String> left, List<String> right, int width) {
        for (int i = 0; i < Math.max(left.size(), right.size()); i++) {
            String one = i < left.size() ? left.get(i) : "";
            String other = i < right.size() ? right.get(i) : "";
            boolean isMedium = one.startsWith("m=") || other.startsWith("m=");
            side(lines, one, other, width, isMedium ? Style.NOTE : Style.PLAIN);
        }
    }

    /** Adds two texts side by side, wrapped each in its half. */
    private static void side(List<String> lines, String left, String right, int width, Style style) {
        int half = (width - 2) / 2;
        List<String> ones = Text.wrap(left, half);
        List<String> others = Text.wrap(right, half);
        for (int i = 0; i < Math.max(ones.size(), others.size()); i++) {
            String one = i < ones.size() ? ones.get(i) : "";
            StringBuilder line = new StringBuilder();
            style.append(line, one, true);
            line.repeat(' ', half + 2 - Text.width(one));
            style.append(line, i < others.size() ? others.get(i) : "", true);
            lines.add(line.toString().stripTrailing());
        }
    }
}
