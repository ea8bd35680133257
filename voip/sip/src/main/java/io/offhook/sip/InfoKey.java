package io.offhook.sip;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A key press in the body of an INFO (RFC 6086), as phones and gateways have sent them before RFC 4733, and still do.
 *
 * <pre>
 * Content-Type: application/dtmf-relay        Content-Type: application/dtmf
 *
 * Signal=5                                    5
 * Duration=160
 * </pre>
 *
 * <p>No RFC defines these types; the form is Cisco's. A key may also be written as the number of its event (RFC 4733,
 * 3.2): 10 is the star, 16 a flash.
 *
 * @param key 0-9, *, #, A-D, or ! for a flash
 * @param durationMs in milliseconds, 0 to 99,999; -1 if it is not stated
 */
public record InfoKey(char key, int durationMs) {
    private static final String EVENTS = "0123456789*#ABCD!";
    private static final int MAX_BODY = 256;

    /**
     * The key press of a message.
     *
     * @param message of any kind
     * @return null if it is no INFO with one of these types, or the body is none
     */
    public static @Nullable InfoKey of(SipMessageView message) {
        if (!message.isRequest() || message.method() != SipMethod.INFO) {
            return null;
        }
        String type = SipMultipart.mediaType(message.contentType()).toLowerCase(Locale.ROOT);
        boolean isRelay = type.equals("application/dtmf-relay");
        if (!isRelay && !type.equals("application/dtmf") || message.bodyLength() > MAX_BODY) {
            return null;
        }
        String body =
                new String(message.octets(), message.bodyOffset(), message.bodyLength(), StandardCharsets.ISO_8859_1);
        return isRelay ? relay(body) : key(body.strip(), -1);
    }

    private static @Nullable InfoKey relay(String body) {
        String signal = "";
        int durationMs = -1;
        for (String line : body.split("\r\n|\r|\n", -1)) {
            int equals = line.indexOf('=');
            if (equals < 0) {
                continue;
            }
            String name = line.substring(0, equals).strip().toLowerCase(Locale.ROOT);
            String value = line.substring(equals + 1).strip();
            if (name.equals("signal")) {
                signal = value;
            } else if (name.equals("duration") && value.matches("[0-9]{1,5}")) {
                durationMs = Integer.parseInt(value);
            }
        }
        return key(signal, durationMs);
    }

    private static @Nullable InfoKey key(String text, int durationMs) {
        if (text.length() == 1) {
            int event = EVENTS.indexOf(Character.toUpperCase(text.charAt(0)));
            return event < 0 ? null : new InfoKey(EVENTS.charAt(event), durationMs);
        }
        int event = text.matches("1[0-6]") ? Integer.parseInt(text) : -1;
        return event < 0 ? null : new InfoKey(EVENTS.charAt(event), durationMs);
    }
}
