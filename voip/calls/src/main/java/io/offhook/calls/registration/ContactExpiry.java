package io.offhook.calls.registration;

import io.offhook.sip.SipAddressView;
import io.offhook.sip.SipHeader;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipValueCursor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A Contact of a REGISTER or of its 2xx, and how long it is bound: by its own {@code expires} parameter, otherwise by
 * the Expires header (RFC 3261, 10.2.1.1 and 20.10).
 *
 * @param uri as written
 * @param seconds requested or granted, 0 to end the binding; -1 if unknown
 */
record ContactExpiry(String uri, long seconds) {
    /** The most bindings read of a registrar's list. */
    private static final int MAX = 64;

    private static final String ALL = "*";

    /** The Contact that a REGISTER requests: of several, the one to be bound longest; null if there is none. */
    static @Nullable ContactExpiry asked(SipMessageView message) {
        ContactExpiry longest = null;
        for (ContactExpiry contact : of(message)) {
            if (longest == null || contact.seconds > longest.seconds) {
                longest = contact;
            }
        }
        return longest;
    }

    /**
     * The expiry that a 2xx grants a contact, among the bindings of others.
     *
     * @param uri the contact, or null if unknown
     * @param askedSeconds the expiry requested; -1 if unknown
     * @return seconds, 0 if the binding ended; -1 if the response does not state it
     */
    static long grantedSeconds(SipMessageView message, @Nullable String uri, long askedSeconds) {
        List<ContactExpiry> bound = of(message);
        for (ContactExpiry contact : bound) {
            if (contact.uri.equals(uri)) {
                return contact.seconds;
            }
        }
        if (askedSeconds == 0) {
            return 0; // the list has the bindings of others
        }
        // a middlebox may have changed the address
        return bound.size() == 1 ? bound.getFirst().seconds : message.expires();
    }

    /** Whether it stands for all bindings (RFC 3261, 10.2.2). */
    boolean isAll() {
        return uri.equals(ALL);
    }

    private static List<ContactExpiry> of(SipMessageView message) {
        SipValueCursor cursor = new SipValueCursor();
        SipAddressView address = new SipAddressView();
        List<ContactExpiry> contacts = new ArrayList<>(1);
        cursor.start(message, SipHeader.CONTACT);
        while (cursor.next() && contacts.size() < MAX) {
            address.wrap(message.octets(), cursor.offset(), cursor.length());
            long own = seconds(address.parameter("expires"));
            contacts.add(new ContactExpiry(address.uri(), own >= 0 ? own : message.expires()));
        }
        return contacts;
    }

    /** delta-seconds of RFC 3261, 25.1, at most 2^32 - 1 (20.19); -1 of anything else. */
    private static long seconds(String text) {
        if (text.isEmpty() || text.length() > 10) {
            return -1;
        }
        long value = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = value * 10 + digit;
        }
        return Math.min(value, 0xffff_ffffL);
    }
}
