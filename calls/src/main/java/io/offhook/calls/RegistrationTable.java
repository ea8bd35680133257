package io.offhook.calls;

import io.offhook.packet.Endpoint;
import io.offhook.sip.SipMessageView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * REGISTER transactions as captured, one line a Call-ID and address of record: who registers where, from where, with what
 * answer (RFC 3261, 10). Bounded by {@link #MAX}; the oldest gives way, counted.
 */
public final class RegistrationTable {
    private static final int MAX = 1 << 14;

    private final Map<String, Registration> byKey = new LinkedHashMap<>();
    private final int max;
    private long evicted;

    RegistrationTable() {
        this(MAX);
    }

    RegistrationTable(int max) {
        this.max = max;
    }

    /** Takes a REGISTER or a response to one into account. */
    void accept(SipMessageView message, SipPacket packet) {
        String address = message.toUri();
        String key = message.callId() + ' ' + address;
        Registration known = byKey.get(key);
        if (known == null) {
            if (byKey.size() == max) {
                byKey.remove(byKey.keySet().iterator().next());
                evicted++;
            }
            known = Registration.first(message, packet);
        }
        byKey.put(key, message.isRequest() ? known.request(message, packet) : known.response(message, packet));
    }

    List<Registration> registrations() {
        return new ArrayList<>(byKey.values());
    }

    public long evicted() {
        return evicted;
    }

    /**
     * One registration.
     *
     * @param callId of its REGISTERs
     * @param addressOfRecord the To URI
     * @param user its user part, or null
     * @param contact the URI registered, or null
     * @param userAgent as the client says, or null
     * @param client who registers
     * @param registrar whom it asks
     * @param firstFrame of the first REGISTER, 1-based
     * @param firstNs its time, nanoseconds since the epoch
     * @param lastNs of the last message
     * @param requests REGISTERs, retransmissions not counted
     * @param expiresSeconds asked for or granted; -1 where nothing was said
     * @param finalStatus the last final response; 0 where there was none
     * @param challenged whether a 401 or 407 was among the responses
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
            boolean challenged) {

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
                    false);
        }

        private static @Nullable String known(String text) {
            return text.isEmpty() ? null : text;
        }

        Registration request(SipMessageView message, SipPacket packet) {
            String newContact = message.contactUri();
            String newAgent = message.userAgent();
            long asked = message.expires();
            return new Registration(
                    callId,
                    addressOfRecord,
                    user,
                    newContact.isEmpty() ? contact : newContact,
                    newAgent.isEmpty() ? userAgent : newAgent,
                    client,
                    registrar,
                    firstFrame,
                    firstNs,
                    packet.timestampNs(),
                    requests + 1,
                    asked >= 0 ? asked : expiresSeconds,
                    finalStatus,
                    challenged);
        }

        Registration response(SipMessageView message, SipPacket packet) {
            int status = message.statusCode();
            long granted = status / 100 == 2 ? message.expires() : -1;
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
                    status >= 200 ? status : finalStatus,
                    challenged || status == 401 || status == 407);
        }
    }
}
