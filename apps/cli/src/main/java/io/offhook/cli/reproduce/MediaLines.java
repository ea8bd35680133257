package io.offhook.cli.reproduce;

import io.offhook.packet.Endpoint;
import io.offhook.sip.MediaDescription;
import io.offhook.sip.SessionDescription;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/**
 * The media lines of a leg, which keep their places in all offers and answers (RFC 3264, 8). One of them is the first that sipp
 * knows the port of, as {@code [media_port]}; the others have ports above it, two each.
 */
final class MediaLines {
    /** The most media lines with ports of their own. */
    static final int MOST = 16;

    private static final String AUDIO = "audio";

    private final int primary;
    private final List<String> types = new ArrayList<>();
    private final List<List<Endpoint>> ofCaller = new ArrayList<>();
    private final List<List<Endpoint>> ofCallee = new ArrayList<>();

    /** @param played the lines of which packets are played; empty if that is not known yet, or none are */
    MediaLines(List<LegMessage> messages, Collection<Integer> played) {
        for (LegMessage message : messages) {
            SessionDescription sdp = message.kept().sdp();
            List<MediaDescription> media = sdp == null ? List.of() : sdp.media();
            for (int i = 0; i < media.size(); i++) {
                if (types.size() <= i) {
                    types.add(media.get(i).type());
                }
                add(message.isOfCaller() ? ofCaller : ofCallee, i, media.get(i));
            }
        }
        primary = primary(played);
    }

    /** The first line of audio that is played; else the first that is played; else the first of audio, or of all. */
    private int primary(Collection<Integer> played) {
        int audio = types.indexOf(AUDIO);
        if (played.isEmpty() || played.contains(audio)) {
            return Math.max(0, audio);
        }
        return Collections.min(played);
    }

    private static void add(List<List<Endpoint>> sides, int line, MediaDescription media) {
        while (sides.size() <= line) {
            sides.add(new ArrayList<>());
        }
        Endpoint endpoint = media.endpoint();
        if (endpoint != null && !sides.get(line).contains(endpoint)) {
            sides.get(line).add(endpoint);
        }
    }

    /** Whether the first port is that of audio. */
    boolean isAudio() {
        return types.isEmpty() || primary < types.size() && types.get(primary).equals(AUDIO);
    }

    /** The media line in which a side described an endpoint; -1 if it did in none. */
    int line(boolean isOfCaller, Endpoint endpoint) {
        List<List<Endpoint>> sides = isOfCaller ? ofCaller : ofCallee;
        for (int i = 0; i < sides.size(); i++) {
            if (sides.get(i).contains(endpoint)) {
                return i;
            }
        }
        return -1;
    }

    /** The line whose port is {@code [media_port]}. */
    int primary() {
        return primary;
    }

    /** How far the port of a line is above that of the primary line. */
    int offset(int line) {
        if (line == primary) {
            return 0;
        }
        return line >= MOST ? 0 : 2 * (line < primary ? line + 1 : line);
    }

    /** The offsets that scenarios use, each as a key {@code media_N} of sipp: two of each line. */
    List<Integer> offsets() {
        List<Integer> offsets = new ArrayList<>();
        for (int i = 0; i < 2 * Math.clamp(types.size(), 1, MOST); i++) {
            offsets.add(i);
        }
        return offsets;
    }

    /**
     * The port of a line in a scenario; one beyond the limit is 0.
     *
     * @param start of the line, up to the port: {@code m=audio}
     */
    String port(int line, String start) {
        if (line >= MOST) {
            return "0";
        }
        // sipp takes the port that it sends media from where it writes [media_port], and wants the type in that line
        boolean isKnown = start.equals("m=audio") || start.equals("m=video");
        return line == primary && isKnown ? "[media_port]" : key(line, 0);
    }

    /** The port of a line, or the one above it, in any other line. */
    String key(int line, int more) {
        return "[media_" + (offset(line) + more) + "]";
    }
}
