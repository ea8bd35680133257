package io.offhook.proxy.statistics;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * Calls.
 *
 * @param attempts all since the start
 * @param perSecond attempts a second, over the last ten seconds
 * @param lastHour attempts of the last 60 minutes
 * @param busiestHour the most attempts in any 60 minutes since the start (BHCA)
 * @param states the calls that run, by state
 * @param outcomes the calls that ended, by outcome
 */
public record CallVolume(
        long attempts,
        double perSecond,
        long lastHour,
        long busiestHour,
        Map<CallState, Long> states,
        Map<CallOutcome, Long> outcomes) {
    /** Copies the maps. */
    public CallVolume {
        states = Collections.unmodifiableMap(new EnumMap<>(states));
        outcomes = Collections.unmodifiableMap(new EnumMap<>(outcomes));
    }
}
