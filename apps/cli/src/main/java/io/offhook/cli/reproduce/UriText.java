package io.offhook.cli.reproduce;

import io.offhook.packet.Endpoint;
import io.offhook.packet.IpAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** URIs of a leg with the addresses of sipp in the place of those captured, as one side writes them. */
final class UriText {
    private static final Pattern SIP_URI =
            Pattern.compile("(?i)(sips?:)([^@]*@)?(\\[[^\\]]*\\]|[^:;?@]+)(:\\d{1,5})?([;?].*)?");
    private static final Pattern TRANSPORT = Pattern.compile("(?i);transport=[^;?]*");
    private static final String LOCAL = "[local_ip]";
    private static final String REMOTE = "[remote_ip]";

    private final Endpoint own;
    private final Endpoint peer;

    /** @param isOfCaller whether the caller writes */
    UriText(CallLeg leg, boolean isOfCaller) {
        own = isOfCaller ? leg.caller() : leg.callee();
        peer = isOfCaller ? leg.callee() : leg.caller();
    }

    /** A URI of From or To: the address of one of the parties is replaced, all else stays. */
    String identity(String uri) {
        Matcher parts = SIP_URI.matcher(uri);
        if (!parts.matches()) {
            return SippText.escaped(uri);
        }
        String host = host(parts.group(3), parts.group(4));
        if (host == null) {
            return SippText.escaped(uri);
        }
        String port = parts.group(4) == null ? "" : host.equals(LOCAL) ? ":[local_port]" : ":[remote_port]";
        return before(parts) + host + port + parameters(parts);
    }

    /** The URI of a Contact, which leads to the writer. */
    String contact(String uri) {
        Matcher parts = SIP_URI.matcher(uri);
        return parts.matches() ? before(parts) + "[local_ip]:[local_port]" + parameters(parts) : SippText.escaped(uri);
    }

    /** A Request-URI: one of a dialog leads to the peer, and so does an address; a name stays. */
    String target(String uri, boolean isInDialog) {
        Matcher parts = SIP_URI.matcher(uri);
        boolean isReplaced = parts.matches() && (isInDialog || address(parts.group(3)) != null);
        return isReplaced ? before(parts) + "[remote_ip]:[remote_port]" + parameters(parts) : SippText.escaped(uri);
    }

    private static String before(Matcher parts) {
        return SippText.escaped(parts.group(1) + (parts.group(2) == null ? "" : parts.group(2)));
    }

    private static String parameters(Matcher parts) {
        if (parts.group(5) == null) {
            return "";
        }
        Matcher transport = TRANSPORT.matcher(parts.group(5));
        if (!transport.find()) {
            return SippText.escaped(parts.group(5));
        }
        return SippText.escaped(parts.group(5).substring(0, transport.start()))
                + ";transport=[transport]"
                + SippText.escaped(parts.group(5).substring(transport.end()));
    }

    private @Nullable String host(String text, @Nullable String port) {
        IpAddress address = address(text);
        if (address == null) {
            return null;
        }
        if (own.address().equals(peer.address()) && (":" + peer.port()).equals(port)) {
            return address.equals(peer.address()) ? REMOTE : null;
        }
        return address.equals(own.address()) ? LOCAL : address.equals(peer.address()) ? REMOTE : null;
    }

    private static @Nullable IpAddress address(String host) {
        boolean isBracketed = host.startsWith("[") && host.endsWith("]");
        return IpAddress.parse(isBracketed ? host.substring(1, host.length() - 1) : host);
    }
}
