package io.offhook.proxy.location;

import java.util.List;

/** Receives the answer to a REGISTER, once, on any thread, the caller's included; must not block. */
@FunctionalInterface
public interface RegistrarAnswer {
    /**
     * Sends the answer.
     *
     * @param status 200 to 599
     * @param reason the reason phrase
     * @param headers header lines without line ends, beside those that every response copies from its request
     */
    void answer(int status, String reason, List<String> headers);
}
