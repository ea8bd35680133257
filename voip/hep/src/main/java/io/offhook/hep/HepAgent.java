package io.offhook.hep;

/**
 * Who sends.
 *
 * @param captureId the number of the agent, 0 to 2^32 - 1
 * @param authenticationKey what the collector knows it by; "" for none
 * @param nodeName its name; "" for none
 */
public record HepAgent(long captureId, String authenticationKey, String nodeName) {
    private static final int MAX_TEXT = 255;

    /** Checks the ranges. */
    public HepAgent {
        if (captureId < 0 || captureId > 0xffff_ffffL) {
            throw new IllegalArgumentException("capture id " + captureId + " is outside 0 to 4294967295");
        }
        if (authenticationKey.length() > MAX_TEXT || nodeName.length() > MAX_TEXT) {
            throw new IllegalArgumentException(
                    "authentication key or node name has more than " + MAX_TEXT + " characters: shorten it");
        }
    }
}
