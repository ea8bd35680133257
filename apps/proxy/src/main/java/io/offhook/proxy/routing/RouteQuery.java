package io.offhook.proxy.routing;

import io.offhook.packet.IpAddress;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipTransport;
import io.offhook.sip.SipUri;
import java.util.List;

/**
 * A request outside of dialogs that needs a route. Owned and immutable: it may be kept and passed to other threads.
 *
 * @param method its method, such as INVITE, as written
 * @param uri the request URI
 * @param from the URI of From
 * @param to the URI of To
 * @param callId the Call-ID
 * @param source where, and from whom, the request came
 * @param headers the header fields
 */
public record RouteQuery(
        String method, SipUri uri, SipUri from, SipUri to, String callId, Source source, Headers headers) {
    /**
     * Where, and from whom, a request came.
     *
     * @param address the address that it came from
     * @param port the port that it came from, 0 to 65535
     * @param transport what carried it
     * @param listener the name of the listener that received it
     * @param user the authenticated user, as {@code name@realm}; "" if nobody
     * @param trunk the trusted trunk whose address it is; "" for none
     */
    public record Source(
            IpAddress address, int port, SipTransport transport, String listener, String user, String trunk) {}

    /** The header fields of a request. */
    public interface Headers {
        /** No header fields. */
        Headers NONE = _ -> List.of();

        /**
         * The values of all fields of a name, in their order, each line as written; empty if there are none.
         *
         * @param name the name in any case, in long or compact form
         */
        List<String> values(String name);
    }

    /**
     * Copies a request.
     *
     * @param request the request; its bytes may change afterwards
     * @param uri the URI that decides on its target: the request URI, unless a router has moved it into a Route
     * @param source where, and from whom, it came
     */
    public static RouteQuery of(SipMessageView request, SipUri uri, Source source) {
        return new RouteQuery(
                request.methodText(),
                uri,
                SipUri.parse(request.fromUri()),
                SipUri.parse(request.toUri()),
                request.callId(),
                source,
                new MessageHeaders(request));
    }

    /** The authenticated user, as {@code name@realm}; "" if nobody. */
    public String user() {
        return source.user();
    }

    /** The trusted trunk whose address the request came from; "" for none. */
    public String trunk() {
        return source.trunk();
    }

    /** The user part of From, with escapes decoded. */
    public String fromUser() {
        return from.displayUser();
    }

    /** The domain of From. */
    public String fromDomain() {
        return from.host();
    }

    /** The dialled number or name: the user part of the request URI, with escapes decoded and without parameters. */
    public String dialled() {
        return Dialled.of(uri);
    }

    /** The same request with another URI. */
    public RouteQuery withUri(SipUri other) {
        return new RouteQuery(method, other, from, to, callId, source, headers);
    }
}
