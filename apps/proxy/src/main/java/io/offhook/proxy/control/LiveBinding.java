package io.offhook.proxy.control;

import io.offhook.packet.Endpoint;

/**
 * A binding of the registrar.
 *
 * @param addressOfRecord whose it is: {@code sip:alice@example.com}
 * @param contact the contact
 * @param source where the REGISTER came from
 * @param registeredMs when it was registered or refreshed last, milliseconds since 1970
 * @param expiresMs when it ends, milliseconds since 1970
 * @param quality the q value in thousandths, 0 to 1,000
 * @param userAgent what the phone calls itself; empty if it does not
 */
public record LiveBinding(
        String addressOfRecord,
        String contact,
        Endpoint source,
        long registeredMs,
        long expiresMs,
        int quality,
        String userAgent) {}
