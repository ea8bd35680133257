package io.offhook.sip.proxy;

import io.offhook.sip.SipHeader;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import io.offhook.sip.SipViaView;
import io.offhook.sip.edit.MessageEdits;
import io.offhook.sip.edit.OctetWriter;
import io.offhook.sip.edit.ReceivedVia;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Writes requests and responses as a proxy passes them on (RFC 3261, 16.6 steps 1 to 9 and 16.7 step 3). Reused; what it
 * returns is valid until the next call.
 */
final class ForwardedMessages {
    private static final byte[] LINE_END = ascii("\r\n");
    private static final byte[] RECORD_ROUTE = ascii("Record-Route: <sip:");
    private static final byte[] RECORD_ROUTE_SECURE = ascii("Record-Route: <sips:");
    private static final byte[] SIPS = ascii("sips:");
    private static final byte[] ROUTE_END = ascii(">\r\n");
    private static final byte[] ROUTE = ascii("Route: <");
    private static final byte[] MAX_FORWARDS = ascii("Max-Forwards: ");
    private static final byte[] MAX_BREADTH = ascii("Max-Breadth: ");
    private static final byte[] CONTENT_LENGTH = ascii("Content-Length: ");
    private static final byte[] NO_CREDENTIALS = new byte[0];
    private static final int LIMIT = 65_535;

    private final ProxyIdentity identity;
    private final ProxySettings settings;
    private final FlowToken tokens;
    private final RouteSignature signature;
    private final MessageEdits edits = new MessageEdits();
    private final OctetWriter out = new OctetWriter(LIMIT);
    private final SipViaView via = new SipViaView();
    private final ReceivedVia received = new ReceivedVia();

    // of the request that is being written
    private byte[] target = new byte[0];
    private int targetOffset;
    private int targetLength;
    private long breadth;
    private boolean tokenForSource;
    private boolean tokenForHop;
    private byte[] credentials = NO_CREDENTIALS;
    private @Nullable BodyChange change;

    ForwardedMessages(ProxyIdentity identity, ProxySettings settings, FlowToken tokens, RouteSignature signature) {
        this.identity = identity;
        this.settings = settings;
        this.tokens = tokens;
        this.signature = signature;
    }

    /** Sets the Request-URI of the next request, a piece of an array, and its Max-Breadth. */
    void target(byte[] octets, int offset, int length, long maxBreadth) {
        target = octets;
        targetOffset = offset;
        targetLength = length;
        breadth = maxBreadth;
    }

    /** Sets whether the Record-Route of the next requests leads back to the source, and on to the hop, by a flow token. */
    void tokens(boolean forSource, boolean forHop) {
        tokenForSource = forSource;
        tokenForHop = forHop;
    }

    /** Sets header lines of credentials for the next request only; empty for none. */
    void credentials(byte[] lines) {
        credentials = lines;
    }

    /** Sets the change of the bodies of the next requests; null for none. */
    void body(@Nullable BodyChange ofBody) {
        change = ofBody;
    }

    /**
     * Begins a request: our Via up to the branch.
     *
     * @return where the branch is to be written
     */
    OctetWriter beginRequest(SipMessageView request, SipHop hop) {
        edits.start(request);
        return edits.at(request.headersOffset(), 0).put(identity.viaPrefix(hop.listener()));
    }

    /** Ends the request that was begun; null if it is too long. */
    @Nullable
    OctetWriter endRequest(
            SipMessageView request,
            RoutePlan plan,
            SipHop source,
            SipHop hop,
            @Nullable ForkTarget fork,
            HeaderChanges changes) {
        OctetWriter added = edits.at(request.headersOffset(), 0);
        added.put(LINE_END);
        if (settings.recordsRoute() && recordsRoute(request.method())) {
            recordRoute(request, source, hop, added);
        }
        if (fork != null) {
            for (String route : fork.routes()) {
                added.put(ROUTE).put(route).put(ROUTE_END);
            }
        }
        // before those of the sender: a peer looks at the first ones for its realm
        added.put(credentials);
        credentials = NO_CREDENTIALS;
        putMaxForwards(request);
        putMaxBreadth(request);
        request.topVia(via);
        if (received.isNeeded(via, request.octets(), source)) {
            int offset = via.offset();
            received.write(via, request.octets(), source, edits.at(offset, via.length()));
        }
        boolean hasPath = fork != null && !fork.routes().isEmpty();
        plan.edit(request, target, targetOffset, targetLength, hasPath, edits);
        if (change == null) {
            putContentLength(request, hop);
        } else {
            change.record(request, edits);
        }
        changes.record(request, edits);
        if (fork != null) {
            fork.changes().record(request, edits);
        }
        out.clear();
        return edits.writeTo(out) ? out : null;
    }

    /** Requests that create dialogs; NOTIFY by RFC 6665, 4.3. */
    private static boolean recordsRoute(SipMethod method) {
        return switch (method) {
            case INVITE, SUBSCRIBE, NOTIFY, REFER -> true;
            default -> false;
        };
    }

    /**
     * Two values where the transport or the listener changes (RFC 5658), or where one side needs a flow token: the one on top is
     * for those behind us.
     */
    private void recordRoute(SipMessageView request, SipHop source, SipHop hop, OctetWriter added) {
        boolean isDouble = source.listener() != hop.listener() || tokenForHop || tokenForSource;
        if (isDouble) {
            putRecordRoute(request, hop, tokenForHop, added);
        }
        putRecordRoute(request, source, tokenForSource, added);
    }

    private void putRecordRoute(SipMessageView request, SipHop side, boolean hasToken, OctetWriter added) {
        added.put(isTargetSecure() ? RECORD_ROUTE_SECURE : RECORD_ROUTE);
        int user = added.length();
        int userLength = 0;
        if (hasToken) {
            tokens.write(side, added);
            userLength = added.length() - user;
            added.put('@');
        }
        added.put(identity.routeSuffix(side.listener()));
        signature.write(request, user, userLength, added);
        added.put(ROUTE_END);
    }

    /** A SIPS Request-URI needs a SIPS Record-Route (RFC 3261, 16.6 step 4). */
    private boolean isTargetSecure() {
        if (targetLength < SIPS.length || target[targetOffset + SIPS.length - 1] != ':') {
            return false;
        }
        for (int i = 0; i < SIPS.length - 1; i++) {
            if ((target[targetOffset + i] | 0x20) != SIPS[i]) {
                return false;
            }
        }
        return true;
    }

    private void putMaxForwards(SipMessageView request) {
        int line = request.find(SipHeader.MAX_FORWARDS, 0);
        if (line < 0) {
            edits.at(request.headersOffset(), 0)
                    .put(MAX_FORWARDS)
                    .putDecimal(settings.maxForwards())
                    .put(LINE_END);
        } else {
            long left = Math.max(request.maxForwards() - 1, 0);
            edits.at(request.valueOffset(line), request.valueLength(line)).putDecimal(left);
        }
    }

    private void putMaxBreadth(SipMessageView request) {
        int line = request.find(SipHeader.MAX_BREADTH, 0);
        if (line < 0) {
            edits.at(request.headersOffset(), 0)
                    .put(MAX_BREADTH)
                    .putDecimal(breadth)
                    .put(LINE_END);
        } else {
            edits.at(request.valueOffset(line), request.valueLength(line)).putDecimal(breadth);
        }
    }

    private void putContentLength(SipMessageView message, SipHop hop) {
        if (hop.transport().isReliable() && message.find(SipHeader.CONTENT_LENGTH, 0) < 0) {
            edits.at(message.headersEnd(), 0)
                    .put(CONTENT_LENGTH)
                    .putDecimal(message.bodyLength())
                    .put(LINE_END);
        }
    }

    /** A response without our Via, for the hop that the request came from; null if it cannot be written. */
    @Nullable
    OctetWriter response(SipMessageView response, SipHop source, HeaderChanges changes) {
        return beginResponse(response) == null ? null : endResponse(response, source, changes);
    }

    /** Begins the changes of a response, with our Via removed, to which more may be added; null if it has no other Via. */
    @Nullable
    MessageEdits beginResponse(SipMessageView response) {
        edits.start(response);
        int line = response.find(SipHeader.VIA, 0);
        if (line < 0 || !response.topVia(via)) {
            return null;
        }
        int from = via.offset();
        int end = from + via.length();
        while (from >= response.lineEnd(line)) {
            // it had no value
            line = response.find(SipHeader.VIA, line + 1);
        }
        int valueEnd = response.valueOffset(line) + response.valueLength(line);
        if (!response.secondVia(via)) {
            return null;
        }
        if (via.offset() > end && via.offset() < valueEnd) {
            edits.at(from, via.offset() - from);
        } else {
            int start = response.nameOffset(line);
            edits.at(start, response.lineEnd(line) - start);
        }
        return edits;
    }

    /** Ends the response that was begun; null if it is too long. */
    @Nullable
    OctetWriter endResponse(SipMessageView response, SipHop source, HeaderChanges changes) {
        putContentLength(response, source);
        changes.record(response, edits);
        out.clear();
        return edits.writeTo(out) ? out : null;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
