package io.offhook.testkit.truth;

import org.jspecify.annotations.Nullable;

/**
 * What is known of one registration attempt: the REGISTER requests of one Call-ID.
 *
 * @param callId SIP Call-ID
 * @param user user part of To
 * @param finalStatus of the last REGISTER; null if none was captured
 * @param challenges 401 and 407 responses
 * @param contact URI that was registered
 * @param expiresSeconds that the registrar granted; 0 if none was
 * @param startedAtNs the first REGISTER
 * @param endedAtNs the last response; null if none was captured
 * @param messages captured SIP messages with the Call-ID
 */
public record RegistrationTruth(
        String callId,
        String user,
        @Nullable Integer finalStatus,
        int challenges,
        String contact,
        int expiresSeconds,
        long startedAtNs,
        @Nullable Long endedAtNs,
        int messages) {}
