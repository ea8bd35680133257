package io.offhook.proxy.routing;

import io.offhook.sip.SipHeader;
import io.offhook.sip.SipMessageView;
import java.util.ArrayList;
import java.util.List;

/**
 * The header fields of a message, from a copy of its bytes that is indexed at the first question. Thread-safe.
 */
public final class MessageHeaders implements RouteQuery.Headers {
    private final byte[] octets;

    /** Copies a message. */
    public MessageHeaders(SipMessageView message) {
        int from = message.offset();
        octets = java.util.Arrays.copyOfRange(message.octets(), from, from + message.length());
    }

    @Override
    public List<String> values(String name) {
        SipMessageView message = new SipMessageView();
        message.wrap(octets, 0, octets.length);
        List<String> values = new ArrayList<>();
        for (int i = 0; i < message.headerCount(); i++) {
            if (isNamed(message, i, name)) {
                values.add(message.value(i));
            }
        }
        return List.copyOf(values);
    }

    private static boolean isNamed(SipMessageView message, int i, String name) {
        if (message.name(i).equalsIgnoreCase(name)) {
            return true;
        }
        SipHeader header = message.header(i);
        if (header == SipHeader.OTHER) {
            return false;
        }
        boolean isCompact = name.length() == 1 && Character.toLowerCase(name.charAt(0)) == header.compactForm();
        return isCompact || header.text().equalsIgnoreCase(name);
    }
}
