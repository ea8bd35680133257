package io.offhook.proxy.routing;

import io.offhook.sip.SipUri;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A target of a request: one branch.
 *
 * @param uri the request URI of the branch
 * @param nextHop where the branch is sent, if not to {@code uri} (RFC 3261, 16.6, step 7); no Route is added; null for the
 *     request URI
 * @param group the group of which a member is the next hop, tried one after another; "" for none
 * @param headers changes of the header fields of this branch
 * @param credentials the name of the credentials with which a challenge of the target is answered; "" for none
 */
public record Target(
        SipUri uri, @Nullable SipUri nextHop, String group, List<HeaderChange> headers, String credentials) {
    /** Checks the URI, and that there is one next hop. */
    public Target {
        headers = List.copyOf(headers);
        if (uri.scheme().isEmpty() || uri.user().isEmpty() && uri.host().isEmpty()) {
            throw new IllegalArgumentException(
                    "\"" + uri + "\" is not a URI with a scheme, such as sip:user@example.org");
        }
        if (nextHop != null && !group.isEmpty()) {
            throw new IllegalArgumentException(
                    "a target has a next hop or a group, not both: " + nextHop + ", " + group);
        }
    }

    /** A target that is reached by its URI. */
    public static Target of(SipUri uri) {
        return new Target(uri, null, "", List.of(), "");
    }

    /** A target that is reached by way of a next hop. */
    public static Target by(SipUri uri, SipUri nextHop) {
        return new Target(uri, nextHop, "", List.of(), "");
    }

    /** A target that is reached by way of a member of a group of the configuration. */
    public static Target byGroup(SipUri uri, String group) {
        return new Target(uri, null, group, List.of(), "");
    }

    /** The same target with changes of header fields. */
    public Target withHeaders(List<HeaderChange> changes) {
        return new Target(uri, nextHop, group, changes, credentials);
    }

    /** The same target with credentials of the configuration. */
    public Target withCredentials(String name) {
        return new Target(uri, nextHop, group, headers, name);
    }
}
