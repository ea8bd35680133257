package io.offhook.calls.join;

import io.offhook.packet.Endpoint;
import io.offhook.sip.SipAddressView;
import io.offhook.sip.SipHeader;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import io.offhook.sip.SipUri;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What the messages of a dialog say about being transferred (RFC 3515), or about taking the place of another dialog (RFC
 * 3891). Few calls have any.
 */
public final class TransferEvidence {
    private static final int MOST_REFERRALS = 8;
    private static final int MOST_HOPS = 4;

    /**
     * A Replaces header (RFC 3891, 6.1).
     *
     * @param callId of the dialog to be replaced
     * @param toTag hash of its tag at the receiver of the INVITE; 0 if absent
     * @param fromTag hash of the other tag; 0 if absent
     * @param isEarlyOnly whether it may only be replaced before it is answered
     */
    public record Replaces(String callId, long toTag, long fromTag, boolean isEarlyOnly) {
        static @Nullable Replaces parse(String value) {
            String[] parts = value.strip().split(";", 16);
            String callId = parts[0].strip();
            long to = 0;
            long from = 0;
            boolean early = false;
            for (String part : parts) {
                String lower = part.strip().toLowerCase(Locale.ROOT);
                String text = part.substring(part.indexOf('=') + 1);
                to = lower.startsWith("to-tag=") ? tagHash(text) : to;
                from = lower.startsWith("from-tag=") ? tagHash(text) : from;
                early |= lower.equals("early-only");
            }
            return callId.isEmpty() ? null : new Replaces(callId, to, from, early);
        }

        /** As the tags of messages are hashed. */
        private static long tagHash(String tag) {
            byte[] text = ("<sip:a>;tag=" + tag.strip()).getBytes(StandardCharsets.UTF_8);
            SipAddressView address = new SipAddressView();
            address.wrap(text, 0, text.length);
            return address.tagHash();
        }
    }

    /** A REFER. */
    public static final class Referral {
        private final String user;
        private final @Nullable Replaces replaces;
        private final long sentNs;
        private final long sequence;
        private final List<Endpoint> referees = new ArrayList<>(1);
        private boolean accepted;
        private int reported;

        private Referral(String user, @Nullable Replaces replaces, long sentNs, long sequence) {
            this.user = user;
            this.replaces = replaces;
            this.sentNs = sentNs;
            this.sequence = sequence;
        }

        /** The user that the other side was referred to; "" if the URI has none. */
        public String user() {
            return user;
        }

        /** The dialog whose place is to be taken; null in a blind transfer. */
        public @Nullable Replaces replaces() {
            return replaces;
        }

        /** When it was sent, nanoseconds since the epoch. */
        public long sentNs() {
            return sentNs;
        }

        /** Whether a 2xx accepted it. */
        public boolean isAccepted() {
            return accepted;
        }

        /** The final status that a NOTIFY reported of the new INVITE; 0 if none did. */
        public int reported() {
            return reported;
        }

        /** Whether an INVITE from there is one of the side that was referred. */
        public boolean isReferee(Endpoint source) {
            for (Endpoint referee : referees) {
                if (referee.high() == source.high() && referee.low() == source.low()) {
                    return true;
                }
            }
            return false;
        }
    }

    private @Nullable Replaces replaces;
    private boolean referred;
    private final List<Referral> referrals = new ArrayList<>(0);

    private TransferEvidence() {}

    /**
     * Notes a message of a dialog.
     *
     * @param known what is known of the dialog; null if nothing is
     * @return {@code known}, or new evidence if this is the first message with any
     */
    public static @Nullable TransferEvidence note(
            @Nullable TransferEvidence known, SipMessageView message, Endpoint destination, long timestampNs) {
        SipMethod method = message.isRequest() ? message.method() : message.cseqMethod();
        boolean mayTell = switch (method) {
            case REFER -> known != null || message.isRequest();
            case NOTIFY -> known != null && message.isRequest();
            case INVITE ->
                message.isRequest()
                        && message.toTagHash() == 0
                        && (message.find(SipHeader.REPLACES, 0) >= 0 || message.find(SipHeader.REFERRED_BY, 0) >= 0);
            default -> false;
        };
        if (!mayTell) {
            return known;
        }
        TransferEvidence evidence = known == null ? new TransferEvidence() : known;
        switch (method) {
            case REFER -> evidence.refer(message, destination, timestampNs);
            case NOTIFY -> evidence.notify(message);
            default -> evidence.invite(message);
        }
        return evidence;
    }

    private void invite(SipMessageView message) {
        referred |= message.find(SipHeader.REFERRED_BY, 0) >= 0;
        Replaces found = Replaces.parse(message.text(SipHeader.REPLACES));
        replaces = found == null ? replaces : found;
    }

    private void refer(SipMessageView message, Endpoint destination, long timestampNs) {
        Referral same = null;
        for (Referral referral : referrals) {
            same = referral.sequence == message.cseqNumber() ? referral : same;
        }
        if (!message.isRequest()) {
            if (same != null) {
                same.accepted |= message.statusCode() / 100 == 2;
            }
            return;
        }
        if (same == null && referrals.size() < MOST_REFERRALS) {
            SipAddressView target = new SipAddressView();
            message.address(SipHeader.REFER_TO, target);
            SipUri uri = SipUri.parse(target.uri());
            same = new Referral(uri.displayUser(), replaces(uri.headers()), timestampNs, message.cseqNumber());
            referrals.add(same);
        }
        if (same != null && same.referees.size() < MOST_HOPS) {
            same.referees.add(destination);
        }
    }

    private static @Nullable Replaces replaces(String headers) {
        for (String header : headers.split("&", 16)) {
            if (header.regionMatches(true, 0, "Replaces=", 0, 9)) {
                try {
                    String value = header.substring(9).replace("+", "%2B");
                    return Replaces.parse(URLDecoder.decode(value, StandardCharsets.UTF_8));
                } catch (IllegalArgumentException _) { // an escape that is none
                    return null;
                }
            }
        }
        return null;
    }

    /** Reads the status line that reports how the new INVITE goes (RFC 3420). */
    private void notify(SipMessageView message) {
        if (referrals.isEmpty()
                || !message.contentType().toLowerCase(Locale.ROOT).startsWith("message/sipfrag")) {
            return;
        }
        int length = Math.min(message.bodyLength(), 64);
        String line = new String(message.octets(), message.bodyOffset(), length, StandardCharsets.UTF_8);
        if (line.length() >= 11
                && line.startsWith("SIP/2.0 ")
                && line.substring(8, 11).matches("[2-6][0-9]{2}")) {
            referrals.getLast().reported = Integer.parseInt(line.substring(8, 11));
        }
    }

    /** The dialog that its INVITE replaces; null if none. */
    public @Nullable Replaces replaces() {
        return replaces;
    }

    /** Whether its INVITE names who referred its sender (RFC 3892). */
    public boolean isReferred() {
        return referred;
    }

    /** The transfers that were asked for in the dialog, in the order of their requests. */
    public List<Referral> referrals() {
        return referrals;
    }
}
