package io.offhook.calls.sdp;

import io.offhook.sip.MediaDescription;
import io.offhook.sip.SdpGroup;
import io.offhook.sip.SessionDescription;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The media lines of a session description, as far as packets are read by them. Immutable; the calls of one make of
 * telephone describe themselves alike, so that they can share one (see {@code FreshBindings}).
 */
public final class MediaLines {
    private final MediaLine[] lines;
    /** Of each line, which one is the first of its bundle; its own where it has none. */
    private final byte[] bundles;

    private final int hash;

    private MediaLines(MediaLine[] lines, byte[] bundles) {
        this.lines = lines;
        this.bundles = bundles;
        hash = Arrays.hashCode(lines) * 31 + Arrays.hashCode(bundles);
    }

    public static MediaLines of(SessionDescription description) {
        List<MediaDescription> media = description.media();
        MediaLine[] lines = new MediaLine[media.size()];
        byte[] bundles = new byte[media.size()];
        for (int i = 0; i < lines.length; i++) {
            lines[i] = MediaLine.of(media.get(i));
            bundles[i] = (byte) firstOfBundle(description, i);
        }
        return new MediaLines(lines, bundles);
    }

    private static int firstOfBundle(SessionDescription description, int index) {
        SdpGroup bundle = description.bundleOf(description.media().get(index).mid());
        for (int i = 0; bundle != null && i < index; i++) {
            if (bundle.mids().contains(description.media().get(i).mid())) {
                return i;
            }
        }
        return index;
    }

    /** A line of the description. */
    public MediaLine at(int index) {
        return lines[index];
    }

    /** The line that a payload type belongs to: the given one, or another one of its bundle (RFC 9143). */
    public MediaLine lineOf(int index, int payloadType) {
        if (lines[index].lists(payloadType)) {
            return lines[index];
        }
        for (int i = 0; i < lines.length; i++) {
            if (bundles[i] == bundles[index] && lines[i].lists(payloadType)) {
                return lines[i];
            }
        }
        return lines[index];
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof MediaLines that
                && hash == that.hash
                && Arrays.equals(lines, that.lines)
                && Arrays.equals(bundles, that.bundles);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
