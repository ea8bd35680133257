package io.offhook.sip.proxy;

import io.offhook.packet.WrapStatus;
import io.offhook.sip.SipAddressView;
import io.offhook.sip.SipHeader;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import io.offhook.sip.SipUriView;
import io.offhook.sip.SipValueCursor;
import io.offhook.sip.SipViaView;
import io.offhook.sip.edit.MessageEdits;
import io.offhook.sip.edit.OctetWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hides the addresses of one side of the proxy from the other. What leaves has our addresses only, and in them, sealed, what
 * was there; what comes back is opened before anything else looks at it. Nothing is remembered, so that any lane and any later
 * process with the same {@link RouteKey} can do it.
 *
 * <pre>
 *  leaves                                                   comes back as
 *  Via: ours;th=(the Vias below)                            the same Via of a response
 *  Record-Route: ours;th=(those below, of a request)        Record-Route of a response, Route of a request
 *  Record-Route: ours;td=(those above, of a response)       Route of a request
 *  Contact: user@ours;th=(the URI)                          Request-URI of a request
 * </pre>
 *
 * <p>Contacts of registrations and of redirections stay: they are meant for others. Call-ID, From, To and bodies are the user
 * agents' own; a media relay takes addresses out of SDP. Reused and single-threaded.
 */
final class HiddenTopology {
    private static final byte[] BEFORE = ascii("th");
    private static final byte[] BEHIND = ascii("td");
    private static final char VIA = 'v';
    private static final char ROUTE = 'r';
    private static final char CONTACT = 'c';
    private static final int LIMIT = 65_535;
    private static final int REDIRECTION = 300;
    private static final int FAILURE = 400;

    private final ProxyIdentity identity;
    private final SealedText sealed;
    private final SipMessageView message = new SipMessageView();
    private final SipValueCursor cursor = new SipValueCursor();
    private final SipAddressView address = new SipAddressView();
    private final SipUriView uri = new SipUriView();
    private final SipViaView via = new SipViaView();
    private final MessageEdits edits = new MessageEdits();
    private final OctetWriter hidden = new OctetWriter(LIMIT);
    private final OctetWriter revealed = new OctetWriter(LIMIT);

    /** One value of a header: where it is, and its line. */
    private record Value(int offset, int length, int line) {}

    HiddenTopology(ProxyIdentity identity, RouteKey key) {
        this.identity = identity;
        sealed = new SealedText(key);
    }

    /**
     * A message as it may leave.
     *
     * @param to where to: our address in Contact is that of its listener
     * @return the message; null if it is too long
     */
    @Nullable
    OctetWriter hide(SipHop to, byte[] octets, int offset, int length) {
        hidden.clear();
        if (message.wrap(octets, offset, length) != WrapStatus.OK) {
            return hidden.put(octets, offset, length);
        }
        edits.start(message);
        boolean isRequest = message.isRequest();
        if (isRequest) {
            hideVias();
        }
        hideRecordRoutes(isRequest);
        boolean isRedirection = message.statusCode() >= REDIRECTION && message.statusCode() < FAILURE;
        boolean isRegister = (isRequest ? message.method() : message.cseqMethod()) == SipMethod.REGISTER;
        if (!isRegister && !isRedirection) {
            hideContacts(to.listener());
        }
        return edits.writeTo(hidden) ? hidden : null;
    }

    /** A message as it was before it was hidden; null if nothing in it was, or if it is too long. */
    @Nullable
    OctetWriter reveal(byte[] octets, int offset, int length) {
        if (message.wrap(octets, offset, length) != WrapStatus.OK) {
            return null;
        }
        edits.start(message);
        int opened = 0;
        if (message.isRequest()) {
            opened += revealRequestUri();
            opened += revealRoutes(SipHeader.ROUTE, BEFORE);
            opened += revealRoutes(SipHeader.ROUTE, BEHIND);
        } else {
            opened += revealVias();
            opened += revealRoutes(SipHeader.RECORD_ROUTE, BEFORE);
        }
        revealed.clear();
        return opened > 0 && edits.writeTo(revealed) ? revealed : null;
    }

    // Via

    private void hideVias() {
        List<Value> vias = values(SipHeader.VIA);
        if (vias.size() > 1) {
            Value own = vias.getFirst();
            put(own.offset + own.length, BEFORE, seal(VIA, vias.subList(1, vias.size())));
            remove(vias.subList(1, vias.size()), own);
        }
    }

    /** Returns how many were opened, here and below. */
    private int revealVias() {
        if (!message.topVia(via) || !via.find(BEFORE)) {
            return 0;
        }
        byte[] below = sealed.open(VIA, message.octets(), via.valueOffset(), via.valueLength());
        if (below == null) {
            return 0;
        }
        take(BEFORE, via.valueOffset(), via.valueLength());
        edits.at(via.offset() + via.length(), 0).put(", ").put(below);
        return 1;
    }

    // Record-Route and Route

    private void hideRecordRoutes(boolean isRequest) {
        List<Value> routes = values(SipHeader.RECORD_ROUTE);
        int first = 0;
        while (first < routes.size() && !isOwn(routes.get(first))) {
            first++;
        }
        if (first == routes.size()) {
            return;
        }
        int end = first;
        while (end < routes.size() && isOwn(routes.get(end))) {
            end++;
        }
        if (isRequest && end < routes.size()) {
            List<Value> below = routes.subList(end, routes.size());
            hide(routes.get(end - 1), BEFORE, below, below);
        } else if (!isRequest && first > 0) {
            List<Value> above = routes.subList(0, first);
            hide(routes.get(first), BEHIND, above.reversed(), above);
        }
    }

    /**
     * Seals values of Record-Route in one of ours.
     *
     * @param inOrder those that are hidden, in the order in which a request passes them from there
     */
    private void hide(Value own, byte[] parameter, List<Value> inOrder, List<Value> others) {
        address.wrap(message.octets(), own.offset, own.length);
        put(address.uriOffset() + address.uriLength(), parameter, seal(ROUTE, inOrder));
        remove(others, own);
    }

    private int revealRoutes(SipHeader header, byte[] parameter) {
        int opened = 0;
        for (Value route : values(header)) {
            if (!isOwn(route) || !uri.find(parameter)) {
                continue;
            }
            byte[] others = sealed.open(ROUTE, message.octets(), uri.valueOffset(), uri.valueLength());
            if (others != null) {
                take(parameter, uri.valueOffset(), uri.valueLength());
                edits.at(route.offset + route.length, 0).put(", ").put(others);
                opened++;
            }
        }
        return opened;
    }

    // Contact and Request-URI

    private void hideContacts(int listener) {
        for (Value contact : values(SipHeader.CONTACT)) {
            if (!wrapUri(contact) || !uri.isSip()) {
                continue;
            }
            byte[] octets = message.octets();
            String text = sealed.seal(CONTACT, octets, uri.offset(), uri.length());
            // parameters after a URI without brackets are the header's
            boolean isBare = uri.offset() == contact.offset;
            OctetWriter out = edits.at(uri.offset(), uri.length());
            String own = identity.listeners().get(Math.max(listener, 0)).uri(uri.isSecure());
            int host = own.indexOf(':') + 1;
            out.put(isBare ? "<" : "").put(own.substring(0, host));
            if (uri.userLength() > 0) {
                out.put(octets, uri.userOffset(), uri.userLength()).put('@');
            }
            out.put(own.substring(host)).put(';').put(BEFORE).put('=').put(text);
            out.put(isBare ? ">" : "");
        }
    }

    private int revealRequestUri() {
        if (!message.requestUri(uri) || !identity.isOwn(uri) || !uri.find(BEFORE)) {
            return 0;
        }
        byte[] target = sealed.open(CONTACT, message.octets(), uri.valueOffset(), uri.valueLength());
        if (target == null) {
            return 0;
        }
        edits.at(message.requestUriOffset(), message.requestUriLength()).put(target);
        return 1;
    }

    // values

    private List<Value> values(SipHeader header) {
        List<Value> values = new ArrayList<>();
        cursor.start(message, header);
        while (cursor.next()) {
            values.add(new Value(cursor.offset(), cursor.length(), cursor.line()));
        }
        return values;
    }

    /** Wraps the URI of a value; whether it is one of ours. */
    private boolean isOwn(Value value) {
        return wrapUri(value) && identity.isOwn(uri);
    }

    private boolean wrapUri(Value value) {
        address.wrap(message.octets(), value.offset, value.length);
        return uri.wrap(message.octets(), address.uriOffset(), address.uriLength());
    }

    private String seal(char purpose, List<Value> values) {
        OctetWriter text = new OctetWriter(LIMIT);
        for (Value value : values) {
            if (text.length() > 0) {
                text.put(", ");
            }
            text.put(message.octets(), value.offset, value.length);
        }
        return sealed.seal(purpose, text.octets(), 0, text.length());
    }

    private void put(int at, byte[] parameter, String text) {
        edits.at(at, 0).put(';').put(parameter).put('=').put(text);
    }

    /** Leaves out a parameter as we have written it, with the semicolon; it stays where somebody has put spaces into it. */
    private void take(byte[] parameter, int value, int length) {
        byte[] octets = message.octets();
        int from = value - 1 - parameter.length - 1;
        if (from >= message.offset() && octets[from] == ';' && octets[value - 1] == '=') {
            edits.at(from, value + length - from);
        }
    }

    /** Leaves out values: whole lines, and of the line of the value that stays, what is before or behind that. */
    private void remove(List<Value> values, Value staying) {
        int line = -1;
        for (Value value : values) {
            if (value.line == staying.line) {
                boolean isBefore = value.offset < staying.offset;
                int from = isBefore ? value.offset : staying.offset + staying.length;
                int end = isBefore ? staying.offset : message.valueOffset(value.line) + message.valueLength(value.line);
                if (line != value.line) {
                    edits.at(from, end - from);
                }
            } else if (value.line != line) {
                int start = message.nameOffset(value.line);
                edits.at(start, message.lineEnd(value.line) - start);
            }
            line = value.line;
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
