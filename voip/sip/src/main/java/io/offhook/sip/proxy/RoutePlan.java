package io.offhook.sip.proxy;

import io.offhook.sip.SipAddressView;
import io.offhook.sip.SipHeader;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipUriView;
import io.offhook.sip.SipValueCursor;
import io.offhook.sip.edit.MessageEdits;
import io.offhook.sip.edit.OctetWriter;
import java.nio.charset.StandardCharsets;

/**
 * What the Route headers of a request say (RFC 3261, 16.4 and 16.6 step 6): which of its values are ours and leave, what the
 * Request-URI becomes, and where the request goes next. Reused; positions are those of the message it was made for.
 *
 * <p>A strict router before us has put our own URI into the Request-URI, and the real one into the last Route. A strict router
 * after us wants its own URI there, and the real one last. Both of our values leave where a change of transport made us
 * record two (RFC 5658). A flow token in the second leads to a phone behind NAT.
 */
final class RoutePlan {
    private static final byte[] LR = "lr".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] ROUTE = "Route: <".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] ROUTE_END = ">\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int LIMIT = 128;
    private static final int OWN_VALUES = 2;

    private final ProxyIdentity identity;
    private final FlowToken tokens;
    private final RouteSignature signature;
    private final SipValueCursor cursor = new SipValueCursor();
    private final SipAddressView address = new SipAddressView();
    private final SipUriView uri = new SipUriView();
    private final OwnMaddr ownMaddr = new OwnMaddr();
    private final SipHop flow = new SipHop();
    private final int[] offset = new int[LIMIT];
    private final int[] length = new int[LIMIT];
    private final int[] next = new int[LIMIT];
    private final int[] line = new int[LIMIT];
    private final int[] uriOffset = new int[LIMIT];
    private final int[] uriLength = new int[LIMIT];
    private int count;
    private int first;
    private int last;
    private int targetOffset;
    private int targetLength;
    private boolean hasFlow;
    private boolean signed;
    private boolean strictNext;
    private boolean tooMany;
    private int listener;
    private byte[] target = new byte[0];

    RoutePlan(ProxyIdentity identity, FlowToken tokens, RouteSignature signature) {
        this.identity = identity;
        this.tokens = tokens;
        this.signature = signature;
    }

    /** Makes the plan of a request that came from {@code source}. */
    void make(SipMessageView request, SipHop source) {
        byte[] octets = request.octets();
        count = 0;
        tooMany = false;
        hasFlow = false;
        signed = false;
        listener = -1;
        cursor.start(request, SipHeader.ROUTE);
        while (cursor.next()) {
            if (count == LIMIT) {
                tooMany = true;
                break;
            }
            collect(octets);
        }
        first = 0;
        last = count;
        target = octets;
        targetOffset = request.requestUriOffset();
        targetLength = request.requestUriLength();
        uri.wrap(octets, targetOffset, targetLength);
        if (count > 0 && uri.isWellFormed() && identity.isOwn(uri) && uri.find(LR)) {
            last--;
            targetOffset = uriOffset[last];
            targetLength = uriLength[last];
            takeOwn(request, source);
        }
        while (first < last && first < OWN_VALUES && isOwn(octets, first)) {
            takeOwn(request, source);
            first++;
        }
        uri.wrap(target, targetOffset, targetLength);
        if (ownMaddr.isOwn(uri, source, identity)) {
            OctetWriter plain = ownMaddr.strip(uri);
            target = plain.octets();
            targetOffset = 0;
            targetLength = plain.length();
        }
        strictNext = first < last && !(uri.wrap(octets, uriOffset[first], uriLength[first]) && uri.find(LR));
    }

    private void collect(byte[] octets) {
        offset[count] = cursor.offset();
        length[count] = cursor.length();
        next[count] = cursor.nextOffset();
        line[count] = cursor.line();
        address.wrap(octets, cursor.offset(), cursor.length());
        uriOffset[count] = address.uriOffset();
        uriLength[count] = address.uriLength();
        count++;
    }

    private boolean isOwn(byte[] octets, int i) {
        return uri.wrap(octets, uriOffset[i], uriLength[i]) && identity.isOwn(uri);
    }

    /**
     * Of two values of ours the second is for the side that the request goes to: its listener, and its flow token unless the
     * request came from there. One that anybody can have written adds nothing to one that we have signed.
     */
    private void takeOwn(SipMessageView request, SipHop source) {
        boolean isValid = signature.isValid(request, uri);
        if (signed && !isValid) {
            return;
        }
        signed = isValid;
        listener = identity.listenerOf(uri);
        hasFlow = tokens.read(uri) && !tokens.hop().isSameRemote(source);
        if (hasFlow) {
            flow.set(tokens.hop());
        }
    }

    /** Whether a Route value of ours was there that we had signed, so that the request follows what we recorded. */
    boolean isSigned() {
        return signed;
    }

    /** Whether a Route value of ours was there, and none that we had signed. */
    boolean isUnsigned() {
        return !signed && (first > 0 || last < count);
    }

    /** Whether the request has more Route values than are looked at. */
    boolean isTooLong() {
        return tooMany;
    }

    /** Whether a Route, or a flow token of ours, says where the request goes. */
    boolean hasNextHop() {
        return hasFlow || first < last;
    }

    /** Whether Route values of others lead further. */
    boolean hasRoute() {
        return first < last;
    }

    /** The listener that our own Route value names for the side that the request goes to; -1 if there is none. */
    int listener() {
        return listener;
    }

    /** Whether a flow token leads to the next hop, which {@link #flow} is. */
    boolean hasFlow() {
        return hasFlow && first == last;
    }

    SipHop flow() {
        return flow;
    }

    /** The array with the Request-URI as it is to be, before a strict router or a target changes it. */
    byte[] target() {
        return target;
    }

    String targetText() {
        return new String(target, targetOffset, targetLength, StandardCharsets.UTF_8);
    }

    int targetOffset() {
        return targetOffset;
    }

    int targetLength() {
        return targetLength;
    }

    /** Wraps the URI that decides where the request goes: that of the first Route, or the target. */
    boolean nextHop(byte[] octets, SipUriView view) {
        return first < last
                ? view.wrap(octets, uriOffset[first], uriLength[first])
                : view.wrap(target, targetOffset, targetLength);
    }

    /**
     * Records the changes of Request-URI and Route.
     *
     * @param uriOctets the array with the new Request-URI
     * @param hasPath whether other Route values come first, so that ours do not decide
     */
    void edit(SipMessageView request, byte[] uriOctets, int from, int bytes, boolean hasPath, MessageEdits edits) {
        int left = first;
        boolean isStrict = strictNext && !hasPath;
        if (isStrict) {
            replaceUri(request, request.octets(), uriOffset[first], uriLength[first], edits);
            left++;
        } else {
            replaceUri(request, uriOctets, from, bytes, edits);
        }
        for (int i = 0; i < left; i++) {
            remove(request, i, i + 1 < count && line[i + 1] == line[i], left, edits);
        }
        if (last < count && last >= left) {
            removeLast(request, edits);
        }
        if (isStrict) {
            // the real target follows all other Routes
            int at = request.lineEnd(line[count - 1]);
            edits.at(at, 0).put(ROUTE).put(uriOctets, from, bytes).put(ROUTE_END);
        }
    }

    @SuppressWarnings("ReferenceEquality") // a place in the same array, not the same text
    private static void replaceUri(SipMessageView request, byte[] by, int from, int bytes, MessageEdits edits) {
        boolean isSame = by == request.octets() && from == request.requestUriOffset();
        if (!isSame) {
            edits.at(request.requestUriOffset(), request.requestUriLength()).put(by, from, bytes);
        }
    }

    /** Removes a value from the front; the whole line with its last value. */
    private void remove(SipMessageView request, int i, boolean hasMoreInLine, int left, MessageEdits edits) {
        if (hasMoreInLine) {
            int end = offset[i + 1];
            boolean isWholeLineGone = true;
            for (int k = i + 1; k < count && line[k] == line[i]; k++) {
                isWholeLineGone &= k < left;
            }
            if (!isWholeLineGone) {
                edits.at(offset[i], end - offset[i]);
            }
            return;
        }
        int start = request.nameOffset(line[i]);
        edits.at(start, request.lineEnd(line[i]) - start);
    }

    private void removeLast(SipMessageView request, MessageEdits edits) {
        int i = count - 1;
        if (i > 0 && line[i - 1] == line[i] && i - 1 >= first) {
            int from = offset[i - 1] + length[i - 1];
            edits.at(from, offset[i] + length[i] - from);
        } else {
            int start = request.nameOffset(line[i]);
            edits.at(start, request.lineEnd(line[i]) - start);
        }
    }
}
