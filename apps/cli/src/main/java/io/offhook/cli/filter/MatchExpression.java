package io.offhook.cli.filter;

import io.offhook.filter.FilterException;
import io.offhook.filter.PacketFilter;
import io.offhook.packet.FrameBatch;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** An expression compiled for a link type, or its fault; and the frames of a capture matched so far. */
final class MatchExpression {
    private final String text;
    private final @Nullable PacketFilter filter;
    private final String error;
    private final MessageDigest frames = sha1();
    private long matched;

    private MatchExpression(String text, @Nullable PacketFilter filter, String error) {
        this.text = text;
        this.filter = filter;
        this.error = error;
    }

    static MatchExpression of(String text, int linkType) {
        try {
            return new MatchExpression(text, PacketFilter.of(text, linkType), "");
        } catch (FilterException e) {
            return new MatchExpression(text, null, e.reason());
        }
    }

    private static MessageDigest sha1() {
        try {
            return MessageDigest.getInstance("SHA-1");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-1", e);
        }
    }

    String text() {
        return text;
    }

    void match(FrameBatch batch, int i) {
        if (filter == null
                || filter.match(batch.segmentOf(i), batch.offset(i), batch.capturedLength(i), batch.wireLength(i))
                        == 0) {
            return;
        }
        String number = Long.toString(batch.number(i));
        frames.update((matched == 0 ? number : "," + number).getBytes(StandardCharsets.US_ASCII));
        matched++;
    }

    /** "12 TAB sha1" of the frame numbers, joined by commas; or "error TAB" and the reason. Resets the count for the next capture. */
    String takeResult() {
        if (filter == null) {
            return "error\t" + error;
        }
        String result = matched + "\t" + HexFormat.of().formatHex(frames.digest());
        matched = 0;
        return result;
    }
}
