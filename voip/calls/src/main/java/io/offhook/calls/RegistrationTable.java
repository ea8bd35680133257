package io.offhook.calls;

import io.offhook.calls.event.SipPacket;
import io.offhook.packet.Endpoint;
import io.offhook.packet.PlacedCount;
import io.offhook.sip.SipMessageView;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * REGISTER transactions as captured, one for each Call-ID and address of record: who registers from where, and with
 * what result (RFC 3261, 10). Their number is limited, and so is their text, to {@value KeptText#LIMIT} characters each
 * on average; beyond that, the oldest is evicted and counted.
 */
public final class RegistrationTable {
    /** A registration, and the CSeq of its last request; -1 before one was seen. */
    private record Attempt(Registration registration, long cseq) {
        /** Characters of what is kept as long as it is. */
        int text() {
            String contact = registration.contact;
            return registration.callId.length() + (contact == null ? 0 : contact.length());
        }
    }

    private final Map<String, Attempt> byKey = new LinkedHashMap<>();
    private final int max;
    private long text;
    private final PlacedCount evicted = new PlacedCount();

    RegistrationTable(int max) {
        this.max = max;
    }

    /** Processes a REGISTER or a response to one. */
    void accept(SipMessageView message, SipPacket packet) {
        String address = message.toUri();
        String key = message.callId() + ' ' + address;
        Attempt known = byKey.get(key);
        if (known == null) {
            known = new Attempt(Registration.first(message, packet), -1);
            text += key.length();
        } else {
            text -= known.text();
        }
        Attempt next = message.isRequest() ? request(known, message, packet) : response(known, message, packet);
        byKey.put(key, next);
        text += next.text();
        makeRoom();
    }

    private void makeRoom() {
        while (byKey.size() > max || byKey.size() > 1 && text > (long) max * KeptText.LIMIT) {
            Iterator<Map.Entry<String, Attempt>> attempts = byKey.entrySet().iterator();
            Map.Entry<String, Attempt> oldest = attempts.next();
            Registration registration = oldest.getValue().registration;
            evicted.add(registration.firstFrame(), registration.firstNs());
            text -= oldest.getKey().length() + oldest.getValue().text();
            attempts.remove();
        }
    }

    private static Attempt request(Attempt known, SipMessageView message, SipPacket packet) {
        // of one that passes a proxy there are several with the same number
        boolean isNew = message.cseqNumber() > known.cseq;
        Registration registration = known.registration.request(message, packet, isNew);
        return new Attempt(registration, isNew ? message.cseqNumber() : known.cseq);
    }

    private static Attempt response(Attempt known, SipMessageView message, SipPacket packet) {
        boolean isLate = message.cseqNumber() >= 0 && message.cseqNumber() < known.cseq;
        return new Attempt(known.registration.response(message, packet, isLate), known.cseq);
    }

    List<Registration> registrations() {
        List<Registration> all = new ArrayList<>(byKey.size());
        byKey.values().forEach(attempt -> all.add(attempt.registration));
        return all;
    }

    /** Registrations that were evicted; the place is that of their first messages. */
    public PlacedCount evicted() {
        return evicted;
    }

    /**
     * A registration.
     *
     * @param callId of its REGISTERs
     * @param addressOfRecord the To URI
     * @param user its user part, or null
     * @param contact the URI registered, or null
     * @param userAgent as stated by the client, or null
     * @param client the sender of the REGISTER
     * @param registrar the receiver of the REGISTER
     * @param firstFrame of the first REGISTER, 1-based
     * @param firstNs its time, nanoseconds since the epoch
     * @param lastNs of the last message
     * @param requests REGISTERs, retransmissions not counted
     * @param expiresSeconds requested or granted; -1 if unknown
     * @param finalStatus the last final response; 0 if there was none
     * @param challenged whether a 401 or 407 was among the responses
     * @param boundUntilNs when the binding that was granted last runs out, nanoseconds since the epoch;
     *     {@link CallReport#NEVER} if there is none
     * @param unansweredNs when the last request was sent, if it had no final response yet; else NEVER
     */
    public record Registration(
            String callId,
            @Nullable String addressOfRecord,
            @Nullable String user,
            @Nullable String contact,
            @Nullable String userAgent,
            Endpoint client,
            Endpoint registrar,
            long firstFrame,
            long firstNs,
            long lastNs,
            int requests,
            long expiresSeconds,
            int finalStatus,
            boolean challenged,
            long boundUntilNs,
            long unansweredNs) {

        /** Whether the binding ran out before some time, and nobody answered the request that was to refresh it. */
        public boolean isExpired(long nowNs) {
            return boundUntilNs != CallReport.NEVER && unansweredNs != CallReport.NEVER && boundUntilNs <= nowNs;
        }

        static Registration first(SipMessageView message, SipPacket packet) {
            boolean request = message.isRequest();
            return new Registration(
                    message.callId(),
                    known(message.toUri()),
                    known(message.toUser()),
                    null,
                    null,
                    request ? packet.source() : packet.destination(),
                    request ? packet.destination() : packet.source(),
                    packet.frameNumber(),
                    packet.timestampNs(),
                    packet.timestampNs(),
                    0,
                    -1,
                    0,
                    false,
                    CallReport.NEVER,
                    CallReport.NEVER);
        }

        private static @Nullable String known(String text) {
            return KeptText.cutOrNull(text);
        }

        /** @param isNew whether it was not just passed on: then a challenge before it is met, or given up */
        Registration request(SipMessageView message, SipPacket packet, boolean isNew) {
            String newAgent = message.userAgent();
            ContactExpiry asked = ContactExpiry.asked(message);
            return new Registration(
                    callId,
                    addressOfRecord,
                    user,
                    asked == null || asked.isAll() || asked.uri().isEmpty() ? contact : asked.uri(),
                    newAgent.isEmpty() ? userAgent : KeptText.cut(newAgent),
                    client,
                    registrar,
                    firstFrame,
                    firstNs,
                    packet.timestampNs(),
                    requests + 1,
                    asked == null ? expiresSeconds : asked.seconds(),
                    isNew && isChallenge(finalStatus) ? 0 : finalStatus,
                    challenged,
                    boundUntilNs,
                    isNew ? packet.timestampNs() : unansweredNs);
        }

        /** @param isLate whether another request was sent since the one it is for */
        Registration response(SipMessageView message, SipPacket packet, boolean isLate) {
            int status = message.statusCode();
            boolean counts = status >= 200 && !isLate;
            long granted =
                    counts && status / 100 == 2 ? ContactExpiry.grantedSeconds(message, contact, expiresSeconds) : -1;
            return new Registration(
                    callId,
                    addressOfRecord,
                    user,
                    contact,
                    userAgent,
                    client,
                    registrar,
                    firstFrame,
                    firstNs,
                    packet.timestampNs(),
                    requests,
                    granted >= 0 ? granted : expiresSeconds,
                    counts ? status : finalStatus,
                    challenged || isChallenge(status),
                    counts && status / 100 == 2
                            ? boundUntilNs(packet, granted >= 0 ? granted : expiresSeconds)
                            : boundUntilNs,
                    counts ? CallReport.NEVER : unansweredNs);
        }

        private static long boundUntilNs(SipPacket packet, long seconds) {
            return seconds <= 0 ? CallReport.NEVER : packet.timestampNs() + seconds * 1_000_000_000L;
        }

        private static boolean isChallenge(int status) {
            return status == 401 || status == 407;
        }
    }
}
