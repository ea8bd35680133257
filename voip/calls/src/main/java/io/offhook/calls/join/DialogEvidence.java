package io.offhook.calls.join;

import io.offhook.sip.SipAddressView;
import io.offhook.sip.SipHeader;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipUri;
import io.offhook.sip.SipValueCursor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What the messages of one dialog say about other dialogs, so far as it is needed to find the legs of its call. There is
 * one for each call that is kept, so it holds only what was there, a few of each kind.
 */
public final class DialogEvidence {
    static final String IN_REPLY_TO = "In-Reply-To";

    /** The most values of a kind that are kept; further ones are left out. */
    private static final int MOST = 4;

    /** The most characters of a value that is kept. */
    private static final int LONGEST = 256;

    /** The fewest digits of a session id that another sender would hardly choose, too. */
    private static final int ORIGIN_DIGITS = 6;

    private static final long[] NO_ORIGINS = {};

    /**
     * A value and the header that it was in.
     *
     * @param header the name of the header
     * @param value without brackets and parameters
     */
    record Named(String header, String value) {}

    private List<Named> callIds = List.of();
    private List<Named> groups = List.of();
    private List<SessionIds> sessionIds = List.of();
    private List<String> callers = List.of();
    private List<String> called = List.of();
    private List<String> diverted = List.of();
    private long[] callerOrigins = NO_ORIGINS;
    private long[] calleeOrigins = NO_ORIGINS;
    private boolean offerless;
    private boolean invited;

    /** Creates evidence without content. */
    public DialogEvidence() {}

    /** Notes what an initial INVITE says. */
    public void invite(SipMessageView message, JoinHeaders headers) {
        if (!headers.isWanted()) {
            return;
        }
        for (int i = 0; i < message.headerCount(); i++) {
            switch (message.header(i)) {
                case P_ASSERTED_IDENTITY, REMOTE_PARTY_ID, DIVERSION, HISTORY_INFO -> {}
                default -> {
                    JoinHeaders.Wanted wanted = headers.find(message, i);
                    if (wanted != null) {
                        named(wanted, message.value(i));
                    }
                }
            }
        }
        String from = Subscriber.digits(message.fromUser());
        callers = users(message, SipHeader.P_ASSERTED_IDENTITY, callers, from);
        callers = users(message, SipHeader.REMOTE_PARTY_ID, callers, from);
        diverted = users(message, SipHeader.DIVERSION, diverted, "");
        diverted = users(message, SipHeader.HISTORY_INFO, diverted, "");
        String to = Subscriber.digits(message.toUser());
        called = user(called, SipUri.parse(message.requestUri()).displayUser(), to);
        sessionId(message, headers);
    }

    /** Notes the Session-ID of any message that belongs to the INVITE. */
    public void sessionId(SipMessageView message, JoinHeaders headers) {
        int line = headers.isWanted() ? message.find(SipHeader.SESSION_ID, 0) : -1;
        if (line >= 0 && message.valueLength(line) <= LONGEST) {
            SessionIds found = SessionIds.parse(message.value(line));
            if (!found.isEmpty()) {
                sessionIds = with(sessionIds, found);
            }
        }
    }

    private void named(JoinHeaders.Wanted wanted, String value) {
        String parameter = wanted.parameter();
        String kept = parameter == null ? bare(value) : parameter(value, parameter);
        if (kept.isEmpty() || kept.length() > LONGEST) {
            return;
        }
        Named found = new Named(wanted.name(), kept);
        if (wanted.names()) {
            callIds = with(callIds, found);
        } else {
            groups = with(groups, found);
        }
    }

    /** The value without brackets, quotes and parameters. */
    private static String bare(String value) {
        String text = value.strip();
        if (text.startsWith("<")) {
            int close = text.indexOf('>');
            return text.substring(1, close < 0 ? text.length() : close).strip();
        }
        int semicolon = text.indexOf(';');
        return unquoted(semicolon < 0 ? text : text.substring(0, semicolon));
    }

    private static String parameter(String value, String name) {
        for (String part : value.split(";", 16)) {
            int equals = part.indexOf('=');
            if (equals > 0 && part.substring(0, equals).strip().equalsIgnoreCase(name)) {
                return unquoted(part.substring(equals + 1));
            }
        }
        return "";
    }

    private static String unquoted(String text) {
        String bare = text.strip();
        boolean quoted = bare.length() > 1 && bare.startsWith("\"") && bare.endsWith("\"");
        return quoted ? bare.substring(1, bare.length() - 1) : bare;
    }

    /** @param present digits that are kept elsewhere */
    private static List<String> users(SipMessageView message, SipHeader header, List<String> known, String present) {
        if (message.find(header, 0) < 0) {
            return known;
        }
        List<String> users = known;
        SipAddressView address = new SipAddressView();
        SipValueCursor values = new SipValueCursor();
        values.start(message, header);
        while (values.next()) {
            address.wrap(message.octets(), values.offset(), values.length());
            users = user(users, SipUri.parse(address.uri()).displayUser(), present);
        }
        return users;
    }

    private static List<String> user(List<String> known, String user, String present) {
        String digits = Subscriber.digits(user);
        return digits.isEmpty() || digits.equals(present) ? known : with(known, digits);
    }

    private static <T> List<T> with(List<T> known, T value) {
        if (known.contains(value) || known.size() == MOST) {
            return known;
        }
        List<T> more = known.isEmpty() ? new ArrayList<>(1) : known;
        more.add(value);
        return more;
    }

    private static long[] with(long[] known, long value) {
        if (contains(known, value) || known.length == MOST) {
            return known;
        }
        long[] more = Arrays.copyOf(known, known.length + 1);
        more[known.length] = value;
        return more;
    }

    /** Whether an origin is among those of a side. */
    static boolean contains(long[] origins, long origin) {
        for (long each : origins) {
            if (each == origin) {
                return true;
            }
        }
        return false;
    }

    /** Notes that the first INVITE had no session description: it asked for an offer (RFC 3725). */
    public void invited(boolean described) {
        offerless = invited ? offerless : !described;
        invited = true;
    }

    /**
     * Notes the origin of a session description (RFC 8866, 5.2), if nobody else would choose the same by chance.
     *
     * @param user the user name
     * @param id the session id
     * @param address the address
     * @param byCaller whether the caller's side sent it
     */
    public void described(String user, String id, String address, boolean byCaller) {
        if (id.length() < ORIGIN_DIGITS || !id.chars().allMatch(each -> each >= '0' && each <= '9')) {
            return;
        }
        long origin = Keys.add(Keys.add(Keys.of(user), id), address);
        if (byCaller) {
            callerOrigins = with(callerOrigins, origin);
        } else {
            calleeOrigins = with(calleeOrigins, origin);
        }
    }

    List<Named> callIds() {
        return callIds;
    }

    List<Named> groups() {
        return groups;
    }

    List<SessionIds> sessionIds() {
        return sessionIds;
    }

    /** Digits of the callers that P-Asserted-Identity and Remote-Party-ID name, other than that of From. */
    List<String> callers() {
        return callers;
    }

    /** Digits of the users of the Request-URI, other than that of To. */
    List<String> called() {
        return called;
    }

    /** Digits of the users that the call went to before, by Diversion and History-Info. */
    List<String> diverted() {
        return diverted;
    }

    /** Hashes of the origins that the caller's side described. */
    long[] callerOrigins() {
        return callerOrigins;
    }

    /** Hashes of the origins that the callee's side described. */
    long[] calleeOrigins() {
        return calleeOrigins;
    }

    /** Whether the first INVITE asked for an offer. */
    boolean isOfferless() {
        return offerless;
    }
}
