package io.offhook.sip.registrar;

import io.offhook.sip.SipAddressView;
import io.offhook.sip.SipHeader;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import io.offhook.sip.SipUri;
import io.offhook.sip.SipValueCursor;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What a REGISTER asks for (RFC 3261, 10.2), taken out of its message. Owned and immutable. */
public final class RegisterRequest {
    private static final int MOST_CONTACTS = 100;
    private static final int MOST_CALL_ID = 256;
    private static final int MOST_PATH = 2048;
    private static final int MOST_USER_AGENT = 64;
    private static final AddressOfRecord NOBODY = new AddressOfRecord("", "");
    private static final Set<String> KNOWN_OPTIONS = Set.of("path", "outbound", "gruu");

    private final RegistrationSource source;
    private final AddressOfRecord addressOfRecord;
    private final int port;
    private final String callId;
    private final long cseq;
    private final Set<String> options;
    private final String path;
    private final List<RequestedContact> contacts;
    private final boolean star;
    private final long expiresS;
    private final int vias;
    private final String userAgent;
    private final @Nullable RegisterOutcome refusal;

    private RegisterRequest(SipMessageView request, RegistrationSource source) {
        this.source = source;
        SipUri to = SipUri.parse(request.toUri());
        AddressOfRecord known = AddressOfRecord.of(to);
        addressOfRecord = known == null ? NOBODY : known;
        port = to.port();
        callId = request.callId();
        cseq = request.cseqNumber();
        options = options(request, SipHeader.SUPPORTED);
        Set<String> required = options(request, SipHeader.REQUIRE);
        options.addAll(required);
        path = joined(request, SipHeader.PATH);
        vias = count(request, SipHeader.VIA);
        int expires = request.find(SipHeader.EXPIRES, 0);
        expiresS = expires < 0 ? -1 : RequestedContact.seconds(request.value(expires));
        userAgent = shortened(request.userAgent());
        contacts = new ArrayList<>();
        boolean hasStar = false;
        boolean isReadable = true;
        SipValueCursor cursor = new SipValueCursor();
        SipAddressView view = new SipAddressView();
        cursor.start(request, SipHeader.CONTACT);
        while (isReadable && cursor.next()) {
            if (cursor.text().equals("*")) {
                hasStar = true;
                continue;
            }
            view.wrap(request.octets(), cursor.offset(), cursor.length());
            RequestedContact contact = RequestedContact.read(view, cursor.text());
            isReadable = contact != null && contacts.size() < MOST_CONTACTS;
            if (contact != null) {
                contacts.add(contact);
            }
        }
        star = hasStar;
        boolean isWhole = isReadable
                && known != null
                && !callId.isEmpty()
                && callId.length() <= MOST_CALL_ID
                && cseq >= 0
                && request.cseqMethod() == SipMethod.REGISTER
                && path.length() <= MOST_PATH
                && path.chars().allMatch(c -> c >= ' ' && c < 127);
        refusal = refusal(isWhole, required);
    }

    /**
     * Reads a REGISTER. What cannot be accepted has a {@link #refusal}.
     *
     * @param request a request whose headers are complete
     * @param source where it came from
     */
    public static RegisterRequest read(SipMessageView request, RegistrationSource source) {
        return new RegisterRequest(request, source);
    }

    private @Nullable RegisterOutcome refusal(boolean isWhole, Set<String> required) {
        if (!isWhole) {
            return RegisterOutcome.refused(RegisterFinding.MALFORMED);
        }
        Set<String> unknown = new TreeSet<>(required);
        unknown.removeAll(KNOWN_OPTIONS);
        if (!unknown.isEmpty()) {
            return RegisterOutcome.refused(RegisterFinding.UNSUPPORTED, "Unsupported: " + String.join(", ", unknown));
        }
        if (star && (!contacts.isEmpty() || expiresS != 0)) {
            return RegisterOutcome.refused(RegisterFinding.WRONG_STAR);
        }
        long lasting = contacts.stream().filter(contact -> asked(contact) != 0).count();
        if (lasting > 1 && contacts.stream().anyMatch(this::usesOutbound)) {
            return RegisterOutcome.refused(RegisterFinding.MALFORMED);
        }
        if (vias > 1 && contacts.stream().anyMatch(this::usesOutbound) && !isFirstHopOutbound()) {
            return RegisterOutcome.refused(RegisterFinding.NO_OUTBOUND);
        }
        return null;
    }

    /** Whether the proxy that is next to the phone keeps its flow: the last value of Path has "ob" (RFC 5626, 5.1). */
    private boolean isFirstHopOutbound() {
        int last = path.lastIndexOf('<');
        String uri = last < 0 ? path : path.substring(last);
        return (";" + SipUri.parse(uri).parameters().toLowerCase(Locale.ROOT) + ";").contains(";ob;");
    }

    /** The refusal of what cannot be accepted, whatever bindings there are; null if there is none. */
    public @Nullable RegisterOutcome refusal() {
        return refusal;
    }

    /** Whose bindings they are: the URI in To. */
    public AddressOfRecord addressOfRecord() {
        return addressOfRecord;
    }

    /** Where the request came from. */
    public RegistrationSource source() {
        return source;
    }

    /** The Call-ID. */
    public String callId() {
        return callId;
    }

    /** The CSeq number, 0 to 2^32 - 1. */
    public long cseq() {
        return cseq;
    }

    /** The port in To; -1 if there is none. */
    int port() {
        return port;
    }

    String path() {
        return path;
    }

    String userAgent() {
        return userAgent;
    }

    List<RequestedContact> contacts() {
        return contacts;
    }

    boolean isStar() {
        return star;
    }

    /** Whether an extension is supported or required by the phone. */
    boolean supports(String option) {
        return options.contains(option);
    }

    /** What a contact asks for in seconds: by itself, or by the header for all; -1 if not at all. */
    long asked(RequestedContact contact) {
        return contact.expiresS() >= 0 ? contact.expiresS() : expiresS;
    }

    /** Whether a contact is one flow of an instance, which may have several (RFC 5626, 6). */
    boolean usesOutbound(RequestedContact contact) {
        return contact.regId() > 0 && !contact.instance().isEmpty() && supports("outbound");
    }

    private static Set<String> options(SipMessageView request, SipHeader header) {
        Set<String> options = new TreeSet<>();
        SipValueCursor cursor = new SipValueCursor();
        cursor.start(request, header);
        while (options.size() < MOST_CONTACTS && cursor.next()) {
            String option = cursor.text().toLowerCase(Locale.ROOT);
            if (option.chars().allMatch(c -> c > ' ' && c < 127)) {
                options.add(option);
            }
        }
        return options;
    }

    private static String joined(SipMessageView request, SipHeader header) {
        StringBuilder values = new StringBuilder();
        SipValueCursor cursor = new SipValueCursor();
        cursor.start(request, header);
        while (values.length() <= MOST_PATH && cursor.next()) {
            values.append(values.isEmpty() ? "" : ", ").append(cursor.text());
        }
        return values.toString();
    }

    private static int count(SipMessageView request, SipHeader header) {
        SipValueCursor cursor = new SipValueCursor();
        cursor.start(request, header);
        int count = 0;
        while (cursor.next()) {
            count++;
        }
        return count;
    }

    private static String shortened(String text) {
        String printable = text.replaceAll("[^ -~]", "?");
        return printable.length() > MOST_USER_AGENT ? printable.substring(0, MOST_USER_AGENT) : printable;
    }

    /** Whom it registers, and from where; for logs. */
    @Override
    public String toString() {
        return "REGISTER " + addressOfRecord + " from " + source;
    }
}
