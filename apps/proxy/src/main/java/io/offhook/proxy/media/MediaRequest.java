package io.offhook.proxy.media;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What is asked of a media relay.
 *
 * @param command what is to be done
 * @param callId the Call-ID
 * @param fromTag the tag of the side that made the offer, whichever message carried it; "" if there is none
 * @param toTag the tag of the other side; "" if it is not known yet
 * @param viaBranch tells branches of a forked call apart; "" if they share their ports
 * @param isToCaller whether the session description goes to the caller of the dialog
 * @param sdp the session description, one octet a character (ISO 8859-1); "" if there is none
 */
public record MediaRequest(
        MediaCommand command,
        String callId,
        String fromTag,
        String toTag,
        String viaBranch,
        boolean isToCaller,
        String sdp) {

    static MediaRequest ping() {
        return new MediaRequest(MediaCommand.PING, "", "", "", "", false, "");
    }

    /** Asks what the engine knows about a call. */
    public static MediaRequest query(String callId) {
        return new MediaRequest(MediaCommand.QUERY, callId, "", "", "", false, "");
    }

    /** Ends a whole call. */
    public static MediaRequest delete(String callId, String fromTag) {
        return new MediaRequest(MediaCommand.DELETE, callId, fromTag, "", "", false, "");
    }

    private static void put(Map<String, Bencode> values, String key, String text) {
        if (!text.isEmpty()) {
            values.put(key, new Bencode.Text(text));
        }
    }

    /** The command as it is sent, behind its cookie. */
    byte[] written(MediaConfig.Profile profile) {
        Map<String, Bencode> values = new TreeMap<>();
        put(values, "command", command.text());
        put(values, "call-id", octets(callId));
        put(values, "from-tag", octets(fromTag));
        put(values, "to-tag", octets(toTag));
        put(values, "via-branch", octets(viaBranch));
        put(values, "sdp", sdp);
        if (command == MediaCommand.OFFER || command == MediaCommand.ANSWER) {
            putFlags(values, profile, isToCaller ? profile.toCaller() : profile.toCallee());
        }
        return Bencode.written(new Bencode.Dictionary(values));
    }

    private static String octets(String text) {
        return Bencode.text(text).octets();
    }

    private void putFlags(Map<String, Bencode> values, MediaConfig.Profile profile, MediaConfig.Flags flags) {
        List<String> replaced = new ArrayList<>();
        if (flags.isOriginReplaced()) {
            replaced.add("origin");
        }
        if (flags.isConnectionReplaced()) {
            replaced.add("session-connection");
        }
        putList(values, "replace", replaced);
        if (flags.ice() != MediaConfig.Ice.DEFAULT) {
            put(values, "ICE", flags.ice().name().toLowerCase(Locale.ROOT).replace('_', '-'));
        }
        putList(values, "rtcp-mux", flags.rtcpMux());
        putList(values, "flags", flags.flags());
        if (command == MediaCommand.OFFER) { // an answer has the profile that was offered
            put(values, "transport-protocol", flags.transport().text());
            if (!profile.callerInterface().isEmpty()) {
                putList(
                        values,
                        "direction",
                        isToCaller
                                ? List.of(profile.calleeInterface(), profile.callerInterface())
                                : List.of(profile.callerInterface(), profile.calleeInterface()));
            }
        }
    }

    private static void putList(Map<String, Bencode> values, String key, List<String> texts) {
        if (!texts.isEmpty()) {
            values.put(key, Bencode.texts(texts));
        }
    }

    /** Octets of a message as the text of a session description. */
    static String sdp(byte[] octets, int offset, int length) {
        return new String(octets, offset, length, StandardCharsets.ISO_8859_1);
    }
}
