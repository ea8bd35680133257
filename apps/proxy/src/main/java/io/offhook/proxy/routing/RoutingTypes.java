package io.offhook.proxy.routing;

import io.offhook.config.ConfigType;
import io.offhook.config.ConfigTypes;
import io.offhook.sip.SipUri;
import java.util.Set;

/** The types of values in the configuration of routing. */
final class RoutingTypes {
    private static final Set<String> SCHEMES = Set.of("sip", "sips");

    /** A name that another part of the file assigns or uses. */
    static final ConfigType<String> NAME = ConfigTypes.scalar("name, letters, digits, - and _", text -> {
        if (!text.matches("[A-Za-z0-9_-]{1,32}")) {
            throw new IllegalArgumentException("\"" + text + "\" is not a name of 1 to 32 letters, digits, - and _");
        }
        return text;
    });
    /** A method, as written in requests. */
    static final ConfigType<String> METHOD = ConfigTypes.scalar("method, such as INVITE", text -> {
        if (!text.matches("[A-Z]{1,32}")) {
            throw new IllegalArgumentException("\"" + text + "\" is not a method in capital letters, such as INVITE");
        }
        return text;
    });
    /** A URI with the schemes that a proxy sends to. */
    static final ConfigType<SipUri> URI = ConfigTypes.scalar("SIP URI, such as sip:192.0.2.1:5060", RoutingTypes::uri);
    /** The name of a header field. */
    static final ConfigType<String> HEADER_NAME = ConfigTypes.scalar("header name", HeaderField::checkName);
    /** A set of status codes. */
    static final ConfigType<StatusSet> STATUSES =
            ConfigTypes.scalar("statuses, such as 2xx 404 500-503", StatusSet::parse);

    private RoutingTypes() {}

    private static SipUri uri(String text) {
        SipUri uri = SipUri.parse(text);
        if (!SCHEMES.contains(uri.scheme())
                || uri.host().isEmpty()
                || !uri.headers().isEmpty()) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is not a SIP URI such as sip:192.0.2.1:5060;transport=tcp");
        }
        if (text.chars().anyMatch(c -> c <= ' ' || c == '<' || c == '>' || c == '"' || c > 0x7e)) {
            throw new IllegalArgumentException("\"" + text + "\" has characters that a URI escapes");
        }
        if (uri.port() < 0 && text.matches("sips?:([^@]*@)?(\\[[^]]*]|[^:;]*):.*")) {
            throw new IllegalArgumentException("\"" + text + "\" has a port outside 1 to 65535");
        }
        return uri;
    }
}
