package io.offhook.calls.registration;

import io.offhook.calls.event.SipPacket;
import io.offhook.packet.PlacedCount;
import io.offhook.sip.SipMessageView;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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
            String contact = registration.contact();
            return registration.callId().length() + (contact == null ? 0 : contact.length());
        }
    }

    private final Map<String, Attempt> byKey = new LinkedHashMap<>();
    private final int max;
    private long text;
    private final PlacedCount evicted = new PlacedCount();

    /**
     * Creates an empty table.
     *
     * @param max the most registrations, 1 or more
     */
    public RegistrationTable(int max) {
        this.max = max;
    }

    /** Processes a REGISTER or a response to one. */
    public void accept(SipMessageView message, SipPacket packet) {
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

    /** Notes a REGISTER that was sent again. */
    public void sentAgain(SipMessageView message) {
        byKey.computeIfPresent(
                message.callId() + ' ' + message.toUri(),
                (key, known) -> new Attempt(known.registration.sentAgain(), known.cseq));
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

    /** All of them, in the order of their first messages; a copy that the caller owns. */
    public List<Registration> registrations() {
        List<Registration> all = new ArrayList<>(byKey.size());
        byKey.values().forEach(attempt -> all.add(attempt.registration));
        return all;
    }

    /** Registrations that were evicted; the place is that of their first messages. */
    public PlacedCount evicted() {
        return evicted;
    }
}
