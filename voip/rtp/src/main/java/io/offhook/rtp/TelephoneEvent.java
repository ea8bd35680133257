package io.offhook.rtp;

/**
 * A key press or another event in an RTP stream (RFC 4733).
 *
 * @param event 0 to 9 the digits, 10 star, 11 pound, 12 to 15 A to D, 16 flash; higher values are tones and signals
 * @param startedNs the arrival of the first packet, in nanoseconds since the epoch
 * @param timestamp the RTP timestamp of all packets of the event
 * @param durationTicks the longest duration seen, in ticks of the payload type's clock
 * @param clockRate the clock rate of these ticks, in Hz
 * @param volume in -dBm0, 0 to 63
 * @param ended whether a packet with the end bit was captured
 * @param packets the number of packets of the event
 */
public record TelephoneEvent(
        int event,
        long startedNs,
        long timestamp,
        long durationTicks,
        int clockRate,
        int volume,
        boolean ended,
        int packets) {
    private static final String KEYS = "0123456789*#ABCD!";

    /** The key as a character, the flash as '!'; 0 for events other than keys. */
    public char key() {
        return key(event);
    }

    /** The duration of the event, in milliseconds. */
    public double durationMs() {
        return durationTicks * 1000.0 / clockRate;
    }

    static char key(int event) {
        return event < KEYS.length() ? KEYS.charAt(event) : 0;
    }
}
