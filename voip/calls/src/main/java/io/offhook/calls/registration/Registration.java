package io.offhook.calls.registration;

import io.offhook.calls.event.SipPacket;
import io.offhook.packet.Endpoint;
import io.offhook.sip.SipHeader;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipTransport;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A registration: what a client asked of a registrar by REGISTER, and what it was granted (RFC 3261, 10). Immutable; each
 * message makes another one.
 *
 * @param origin whose it is, and when it began
 * @param contact the URI registered, or null
 * @param userAgent as stated by the client, or null
 * @param standing what its messages have come to
 * @param boundUntilNs when the binding that was granted last runs out, nanoseconds since the epoch;
 *     {@link #NEVER} if there is none
 * @param unansweredNs when the last request was sent, if it had no final response yet; else NEVER
 * @param exchange how the last request fared
 */
public record Registration(
        Origin origin,
        @Nullable String contact,
        @Nullable String userAgent,
        Standing standing,
        long boundUntilNs,
        long unansweredNs,
        Exchange exchange) {
    /** The time of what did not happen. */
    public static final long NEVER = Long.MIN_VALUE;

    private static final int INTERVAL_TOO_BRIEF = 423;

    /**
     * What a registration is known by, and does not change.
     *
     * @param callId of its REGISTERs
     * @param addressOfRecord the To URI
     * @param user its user part, or null
     * @param client the sender of the REGISTER
     * @param registrar the receiver of the REGISTER
     * @param firstFrame of the first REGISTER, 1-based
     * @param firstNs its time, nanoseconds since the epoch
     */
    public record Origin(
            String callId,
            @Nullable String addressOfRecord,
            @Nullable String user,
            Endpoint client,
            Endpoint registrar,
            long firstFrame,
            long firstNs) {
        static Origin of(SipMessageView message, SipPacket packet) {
            boolean isRequest = message.isRequest();
            return new Origin(
                    message.callId(),
                    KeptText.cutOrNull(message.toUri()),
                    KeptText.cutOrNull(message.toUser()),
                    isRequest ? packet.source() : packet.destination(),
                    isRequest ? packet.destination() : packet.source(),
                    packet.frameNumber(),
                    packet.timestampNs());
        }
    }

    /**
     * How the last request of a registration fared, and what it was the sequel to.
     *
     * @param hasCredentials whether it answered a challenge
     * @param isStale whether the last challenge said that only the nonce was too old (RFC 7616, 3.3)
     * @param isReliable whether its transport repeats what gets lost
     * @param sends REGISTERs since the last final response, retransmissions included
     * @param unansweredSinceNs when the first of these was sent, nanoseconds since the epoch; {@link Registration#NEVER} if
     *     there is none
     * @param finalNs when the last final response came; NEVER if none did
     * @param lapsedNs when a binding ran out before it was refreshed, the last time that this happened; NEVER if it did not
     * @param lapseSeconds how long it took until there was a binding again; NaN if that did not happen
     */
    public record Exchange(
            boolean hasCredentials,
            boolean isStale,
            boolean isReliable,
            int sends,
            long unansweredSinceNs,
            long finalNs,
            long lapsedNs,
            double lapseSeconds) {
        /** A client that refreshes its binding in the moment when it runs out is hardly ever missed. */
        private static final long LEAST_LAPSE_NS = 1_000_000_000L;

        static final Exchange NONE = new Exchange(false, false, false, 0, NEVER, NEVER, NEVER, Double.NaN);

        Exchange request(SipMessageView message, SipPacket packet) {
            return new Exchange(
                    isCredentials(message, SipHeader.AUTHORIZATION)
                            || isCredentials(message, SipHeader.PROXY_AUTHORIZATION),
                    false,
                    packet.transport() != SipTransport.UDP,
                    sends + 1,
                    unansweredSinceNs == NEVER ? packet.timestampNs() : unansweredSinceNs,
                    finalNs,
                    lapsedNs,
                    lapseSeconds);
        }

        Exchange sentAgain() {
            return new Exchange(
                    hasCredentials,
                    isStale,
                    isReliable,
                    unansweredSinceNs == NEVER ? sends : sends + 1,
                    unansweredSinceNs,
                    finalNs,
                    lapsedNs,
                    lapseSeconds);
        }

        /** @param boundUntilNs of the binding before, or NEVER */
        Exchange end(SipMessageView message, long timestampNs, long boundUntilNs) {
            boolean isRenewal = message.statusCode() / 100 == 2
                    && boundUntilNs != NEVER
                    && timestampNs - boundUntilNs >= LEAST_LAPSE_NS;
            return new Exchange(
                    hasCredentials,
                    isStale(message, SipHeader.WWW_AUTHENTICATE) || isStale(message, SipHeader.PROXY_AUTHENTICATE),
                    isReliable,
                    0,
                    NEVER,
                    timestampNs,
                    isRenewal ? boundUntilNs : lapsedNs,
                    isRenewal ? (timestampNs - boundUntilNs) / 1e9 : lapseSeconds);
        }

        /** Whether a header has a response to a challenge: clients of IMS name themselves with an empty one (TS 24.229). */
        private static boolean isCredentials(SipMessageView message, SipHeader header) {
            int line = message.find(header, 0);
            if (line < 0) {
                return false;
            }
            String value = message.value(line).replace(" ", "");
            return !value.startsWith("Digest") || value.contains("response=\"") && !value.contains("response=\"\"");
        }

        private static boolean isStale(SipMessageView message, SipHeader header) {
            int line = message.find(header, 0);
            String value = line < 0 ? "" : message.value(line).replace(" ", "").toLowerCase(Locale.ROOT);
            return value.contains("stale=true") || value.contains("stale=\"true\"");
        }
    }

    /**
     * What the messages of a registration have come to.
     *
     * @param lastNs of the last message, nanoseconds since the epoch
     * @param requests REGISTERs, retransmissions not counted
     * @param expiresSeconds requested or granted; -1 if unknown
     * @param finalStatus the last final response; 0 if there was none
     * @param challenged whether a 401 or 407 was among the responses
     */
    public record Standing(long lastNs, int requests, long expiresSeconds, int finalStatus, boolean challenged) {}

    /** The time of the last message, nanoseconds since the epoch. */
    public long lastNs() {
        return standing.lastNs;
    }

    /** REGISTERs, retransmissions not counted. */
    public int requests() {
        return standing.requests;
    }

    /** Seconds that were requested or granted; -1 if unknown. */
    public long expiresSeconds() {
        return standing.expiresSeconds;
    }

    /** The last final response; 0 if there was none. */
    public int finalStatus() {
        return standing.finalStatus;
    }

    /** Whether a 401 or 407 was among the responses. */
    public boolean challenged() {
        return standing.challenged;
    }

    /** The Call-ID of its REGISTERs. */
    public String callId() {
        return origin.callId;
    }

    /** The URI of To. */
    public @Nullable String addressOfRecord() {
        return origin.addressOfRecord;
    }

    /** The user part of that, or null. */
    public @Nullable String user() {
        return origin.user;
    }

    /** The sender of the REGISTER. */
    public Endpoint client() {
        return origin.client;
    }

    /** The receiver of the REGISTER. */
    public Endpoint registrar() {
        return origin.registrar;
    }

    /** The first REGISTER's frame, 1-based. */
    public long firstFrame() {
        return origin.firstFrame;
    }

    /** The time of the first REGISTER, nanoseconds since the epoch. */
    public long firstNs() {
        return origin.firstNs;
    }

    /** Whether the binding ran out before some time, and nobody answered the request that was to refresh it. */
    public boolean isExpired(long nowNs) {
        return boundUntilNs != NEVER && unansweredNs != NEVER && boundUntilNs <= nowNs;
    }

    /** Whether it was refused after a challenge was answered, or by another final response than a challenge. */
    public boolean isRejected() {
        if (isLastChallenge()) {
            return exchange.hasCredentials && !exchange.isStale;
        }
        return finalStatus() >= 300;
    }

    /** Whether the last final response is a challenge. */
    public boolean isLastChallenge() {
        return isChallenge(finalStatus());
    }

    Registration sentAgain() {
        return with(exchange.sentAgain());
    }

    private Registration with(Exchange next) {
        return new Registration(origin, contact, userAgent, standing, boundUntilNs, unansweredNs, next);
    }

    static Registration first(SipMessageView message, SipPacket packet) {
        Standing begun = new Standing(packet.timestampNs(), 0, -1, 0, false);
        return new Registration(Origin.of(message, packet), null, null, begun, NEVER, NEVER, Exchange.NONE);
    }

    /** @param isNew whether it was not just passed on: then a challenge before it is met, or given up */
    Registration request(SipMessageView message, SipPacket packet, boolean isNew) {
        String newAgent = message.userAgent();
        ContactExpiry asked = ContactExpiry.asked(message);
        return new Registration(
                origin,
                asked == null || asked.isAll() || asked.uri().isEmpty() ? contact : asked.uri(),
                newAgent.isEmpty() ? userAgent : KeptText.cut(newAgent),
                new Standing(
                        packet.timestampNs(),
                        requests() + 1,
                        asked == null ? expiresSeconds() : asked.seconds(),
                        isNew && (isLastChallenge() || finalStatus() == INTERVAL_TOO_BRIEF) ? 0 : finalStatus(),
                        challenged()),
                boundUntilNs,
                isNew ? packet.timestampNs() : unansweredNs,
                isNew ? exchange.request(message, packet) : exchange);
    }

    /** @param isLate whether another request was sent since the one it is for */
    Registration response(SipMessageView message, SipPacket packet, boolean isLate) {
        int status = message.statusCode();
        boolean counts = status >= 200 && !isLate;
        long granted =
                counts && status / 100 == 2 ? ContactExpiry.grantedSeconds(message, contact, expiresSeconds()) : -1;
        long seconds = granted >= 0 ? granted : expiresSeconds();
        return new Registration(
                origin,
                contact,
                userAgent,
                new Standing(
                        packet.timestampNs(),
                        requests(),
                        seconds,
                        counts ? status : finalStatus(),
                        challenged() || isChallenge(status)),
                counts && status / 100 == 2 ? boundUntilNs(packet, seconds) : boundUntilNs,
                counts ? NEVER : unansweredNs,
                counts ? exchange.end(message, packet.timestampNs(), boundUntilNs) : exchange);
    }

    private static long boundUntilNs(SipPacket packet, long seconds) {
        return seconds <= 0 ? NEVER : packet.timestampNs() + seconds * 1_000_000_000L;
    }

    private static boolean isChallenge(int status) {
        return status == 401 || status == 407;
    }
}
