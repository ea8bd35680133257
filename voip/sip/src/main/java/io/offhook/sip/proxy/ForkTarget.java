package io.offhook.sip.proxy;

import io.offhook.sip.SipHop;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One target of a request (RFC 3261, 16.5).
 *
 * @param uri the Request-URI that it gets
 * @param routes URIs of Route headers to put before those of the request, such as a binding's Path (RFC 3327, 5.4); the
 *     first one decides where the request goes
 * @param place the URI that decides where the request goes, without becoming a Route; "" to find it by the first route, or
 *     else by the URI
 * @param hop where it goes, whatever the URIs say; null to find it by them
 * @param places where its URI leads, if that was resolved already: tried one after the other, and the {@link HopResolver} is
 *     notified of what became of each (RFC 3263, 4.3); empty to find them
 * @param changes headers to remove and to add, after those of {@link ResponseContext#requestChanges}
 * @param fallback knows what to try when it fails; null for nothing
 */
public record ForkTarget(
        String uri,
        List<String> routes,
        String place,
        @Nullable SipHop hop,
        List<SipHop> places,
        HeaderChanges changes,
        @Nullable TargetFallback fallback) {
    /** Copies routes and places. */
    public ForkTarget {
        routes = List.copyOf(routes);
        places = List.copyOf(places);
    }

    /** A target whose URI was not resolved. */
    public ForkTarget(
            String uri,
            List<String> routes,
            String place,
            @Nullable SipHop hop,
            HeaderChanges changes,
            @Nullable TargetFallback fallback) {
        this(uri, routes, place, hop, List.of(), changes, fallback);
    }

    /** A target without another place and without fallback. */
    public ForkTarget(String uri, List<String> routes, @Nullable SipHop hop, HeaderChanges changes) {
        this(uri, routes, "", hop, changes, null);
    }

    /** A target that gets further header lines, each with its line end; "" for none. */
    public ForkTarget(String uri, List<String> routes, @Nullable SipHop hop, String headers) {
        this(uri, routes, hop, HeaderChanges.adding(headers));
    }

    /** A target that is found by its URI. */
    public static ForkTarget of(String uri) {
        return new ForkTarget(uri, List.of(), null, HeaderChanges.NONE);
    }

    /** A target whose URI leads to these places, of which there is at least one. */
    public static ForkTarget at(String uri, List<SipHop> places) {
        return new ForkTarget(uri, List.of(), "", null, places, HeaderChanges.NONE, null);
    }

    /** Whether the target itself decides where the request goes, rather than a Route of the request. */
    boolean decidesPlace() {
        return !place.isEmpty() || !routes.isEmpty();
    }

    /** The URI that decides where the request goes. */
    String nextHop() {
        if (!place.isEmpty()) {
            return place;
        }
        return routes.isEmpty() ? uri : routes.getFirst();
    }

    byte[] uriOctets() {
        return uri.getBytes(StandardCharsets.UTF_8);
    }
}
