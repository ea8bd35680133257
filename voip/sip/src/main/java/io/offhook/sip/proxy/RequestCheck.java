package io.offhook.sip.proxy;

import io.offhook.sip.SipAddressView;
import io.offhook.sip.SipHeader;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipUriView;
import io.offhook.sip.SipValueCursor;
import io.offhook.sip.SipViaView;
import io.offhook.sip.edit.OctetWriter;
import io.offhook.sip.transaction.KeyedHash;
import io.offhook.sip.transaction.TransactionLayer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The checks that every request must pass before it is forwarded (RFC 3261, 16.3; RFC 5393). Reused. */
final class RequestCheck {
    /** Why a request is refused: the response. */
    enum Refusal {
        BAD_URI(400, "Bad Request-URI"),
        BAD_REQUEST_LINE(400, "Bad Request-Line"),
        BAD_MAX_BREADTH(400, "Bad Max-Breadth"),
        BAD_MAX_FORWARDS(400, "Bad Max-Forwards"),
        BAD_ROUTE(400, "Too Many Route Values"),
        UNKNOWN_SCHEME(416, "Unsupported URI Scheme"),
        TOO_MANY_HOPS(483, "Too Many Hops"),
        LOOP(482, "Loop Detected"),
        TOO_BROAD(440, "Max-Breadth Exceeded"),
        BAD_EXTENSION(420, "Bad Extension");

        final int status;
        final String reason;

        Refusal(int status, String reason) {
            this.status = status;
            this.reason = reason;
        }
    }

    /** The Max-Breadth of a request without one (RFC 5393, 5.3.2). */
    private static final long MAX_BREADTH = 60;

    private static final int VERSION_LENGTH = " SIP/2.0".length();
    private static final byte[] TAG = "tag".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TEL = "tel".getBytes(StandardCharsets.US_ASCII);

    private final ProxySettings settings;
    private final KeyedHash hash;
    private final SipUriView uri = new SipUriView();
    private final SipValueCursor cursor = new SipValueCursor();
    private final SipViaView via = new SipViaView();
    private final SipAddressView address = new SipAddressView();
    private String unsupported = "";
    private int loop;
    private long breadth;

    RequestCheck(ProxySettings settings) {
        this.settings = settings;
        hash = new KeyedHash(settings.secret() ^ 0x6c6f_6f70L, settings.secret());
    }

    /** Checks a request; null if it passes. */
    @Nullable
    Refusal check(SipMessageView request, RoutePlan plan, TransactionLayer layer) {
        boolean isWellFormed = uri.wrap(request.octets(), request.requestUriOffset(), request.requestUriLength());
        if (uri.schemeLength() > 0 && !uri.isSip() && !isTel()) {
            return Refusal.UNKNOWN_SCHEME;
        }
        if (!isWellFormed || uri.isSip() && uri.hasHeaders()) {
            return Refusal.BAD_URI;
        }
        if (!isRequestLineExact(request)) {
            return Refusal.BAD_REQUEST_LINE;
        }
        if (plan.isTooLong()) {
            return Refusal.BAD_ROUTE;
        }
        if (request.find(SipHeader.MAX_FORWARDS, 0) >= 0) {
            long hops = request.maxForwards();
            if (hops <= 0) {
                return hops < 0 ? Refusal.BAD_MAX_FORWARDS : Refusal.TOO_MANY_HOPS;
            }
        }
        int line = request.find(SipHeader.MAX_BREADTH, 0);
        breadth = line < 0 ? MAX_BREADTH : breadth(request, line);
        if (breadth < 1) {
            return breadth < 0 ? Refusal.BAD_MAX_BREADTH : Refusal.TOO_BROAD;
        }
        loop = loopHash(request);
        if (isLoop(request, layer)) {
            return Refusal.LOOP;
        }
        return isSupported(request) ? null : Refusal.BAD_EXTENSION;
    }

    /** The option tags that are not supported, after {@link Refusal#BAD_EXTENSION}. */
    String unsupported() {
        return unsupported;
    }

    /** The hash for our branch, after a check. */
    int loop() {
        return loop;
    }

    /** The Max-Breadth of the request, after a check. */
    long breadth() {
        return breadth;
    }

    private boolean isTel() {
        byte[] octets = uri.octets();
        if (uri.schemeLength() != TEL.length) {
            return false;
        }
        for (int i = 0; i < TEL.length; i++) {
            if ((octets[uri.offset() + i] | 0x20) != TEL[i]) {
                return false;
            }
        }
        return true;
    }

    /** Whether the request line has single spaces, none in the URI or at its end, and no fold after it. */
    private static boolean isRequestLineExact(SipMessageView request) {
        byte[] octets = request.octets();
        int from = request.requestUriOffset();
        int end = from + request.requestUriLength();
        for (int i = from; i < end; i++) {
            if (octets[i] == ' ' || octets[i] == '\t') {
                return false;
            }
        }
        int lineEnd = end + VERSION_LENGTH;
        int next = request.headersOffset();
        return from == request.offset() + request.methodLength() + 1
                && lineEnd < next
                && (octets[lineEnd] == '\r' || octets[lineEnd] == '\n')
                && octets[next] != ' '
                && octets[next] != '\t';
    }

    /** The value, or the default if it is more, which buys nobody more; -1 if it is not a number. */
    private static long breadth(SipMessageView request, int line) {
        if (request.valueLength(line) == 0) {
            return -1;
        }
        long value = 0;
        for (int i = 0; i < request.valueLength(line); i++) {
            int digit = request.octets()[request.valueOffset(line) + i] - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = Math.min(value * 10 + digit, MAX_BREADTH);
        }
        return value;
    }

    /** Of what decides on the way of a request as it was received (RFC 5393, 4.2.2), and of what identifies it. */
    int loopHash(SipMessageView request) {
        byte[] octets = request.octets();
        hash.begin().add(octets, request.requestUriOffset(), request.requestUriLength());
        cursor.start(request, SipHeader.ROUTE);
        while (cursor.next()) {
            hash.add('\n').add(octets, cursor.offset(), cursor.length());
        }
        addTag(request, SipHeader.FROM);
        addTag(request, SipHeader.TO);
        int callId = request.find(SipHeader.CALL_ID, 0);
        if (callId >= 0) {
            hash.add(octets, request.valueOffset(callId), request.valueLength(callId));
        }
        return (int) hash.add(request.cseqNumber()).end().low();
    }

    private void addTag(SipMessageView request, SipHeader header) {
        hash.add('\n');
        if (request.address(header, address) && address.find(TAG)) {
            hash.add(request.octets(), address.valueOffset(), address.valueLength());
        }
    }

    private boolean isLoop(SipMessageView request, TransactionLayer layer) {
        cursor.start(request, SipHeader.VIA);
        while (cursor.next()) {
            via.wrap(request.octets(), cursor.offset(), cursor.length());
            if (layer.loopHash(via, request.octets()) == (loop & 0xffff_ffffL)) {
                return true;
            }
        }
        return false;
    }

    private boolean isSupported(SipMessageView request) {
        if (request.find(SipHeader.PROXY_REQUIRE, 0) < 0) {
            return true;
        }
        OctetWriter missing = new OctetWriter(1024);
        cursor.start(request, SipHeader.PROXY_REQUIRE);
        while (cursor.next()) {
            if (!settings.supported().contains(cursor.text().toLowerCase(Locale.ROOT))) {
                missing.put(missing.length() == 0 ? "" : ", ").put(request.octets(), cursor.offset(), cursor.length());
            }
        }
        unsupported = missing.toString();
        return missing.length() == 0;
    }
}
