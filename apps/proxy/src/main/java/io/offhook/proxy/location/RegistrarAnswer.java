package io.offhook.proxy.location;

import io.offhook.sip.digest.DigestVerdict;
import java.util.List;

/** Receives the answer to a REGISTER, once, on any thread, the caller's included; must not block. */
@FunctionalInterface
public interface RegistrarAnswer {
    /** Is given what was found of the sender's credentials, before the answer and during the call. */
    default void credentials(DigestVerdict verdict) {}

    /**
     * Sends the answer.
     *
     * @param status 200 to 599
     * @param reason the reason phrase
     * @param headers header lines without line ends, beside those that every response copies from its request
     */
    void answer(int status, String reason, List<String> headers);
}
