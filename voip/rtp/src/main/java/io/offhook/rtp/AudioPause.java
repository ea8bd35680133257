package io.offhook.rtp;

/**
 * A time of two seconds or more in which a stream carried no audio.
 *
 * @param fromNs the arrival of the last audio packet before it, nanoseconds since the epoch
 * @param untilNs the arrival of the first one after it
 * @param missing sequence numbers between the two that no empty packet had, negative if the later packet has the lower
 *     number
 * @param empty packets between the two that carried nothing: keep-alives
 * @param mediaMs by how much the timestamp advanced, in milliseconds; 0 if its clock is unknown
 * @param isAfterComfortNoise whether the last packet before it describes background noise
 */
public record AudioPause(
        long fromNs, long untilNs, long missing, int empty, double mediaMs, boolean isAfterComfortNoise) {

    private static final double TOLERANCE = 0.1;

    /** Whether the timestamp advanced by the time that passed, within a tenth. */
    public boolean isClockRunning() {
        double passedMs = durationNs() / 1e6;
        return Math.abs(mediaMs - passedMs) <= TOLERANCE * passedMs;
    }

    /** By how much longer it took than the timestamp advanced, in nanoseconds. */
    public long unsentNs() {
        return durationNs() - Math.round(mediaMs * 1e6);
    }

    /** Whether the sender suppressed silence: its numbers go on and its clock did, or it had described the noise. */
    public boolean isSuppressed() {
        return missing == 0 && isClockRunning() || isAfterComfortNoise;
    }

    /** How long it took, in nanoseconds. */
    public long durationNs() {
        return untilNs - fromNs;
    }
}
