package io.offhook.proxy.media;

import java.nio.charset.StandardCharsets;

/**
 * What became of a {@link MediaRequest}.
 *
 * @param status whether it was done, and if not, why
 * @param sdp the session description to send on, one octet a character (ISO 8859-1); "" if there is none
 * @param reason the engine's reason for an error; "" if there is none
 */
public record MediaReply(Status status, String sdp, String reason) {
    /** How a command ended. */
    public enum Status {
        /** It was done. */
        OK,
        /** The engine refused it. */
        ERROR,
        /** No engine answered in time. */
        NO_ANSWER,
        /** Too many commands are open, or the relay is closed. */
        REFUSED
    }

    static MediaReply of(Status status, String reason) {
        return new MediaReply(status, "", reason);
    }

    /** Whether it was done. */
    public boolean isOk() {
        return status == Status.OK;
    }

    /** The session description as it is sent. */
    public byte[] sdpOctets() {
        return sdp.getBytes(StandardCharsets.ISO_8859_1);
    }
}
