package io.offhook.cli.xray;

import io.offhook.live.LiveCounts;
import io.offhook.monitor.Processes;
import java.util.List;

/**
 * What an X-ray has found until now.
 *
 * @param process that is looked into
 * @param interfaces that are captured from, as text
 * @param beganNs when it began, nanoseconds since the epoch
 * @param elapsedNs for how long it runs
 * @param periodNs the time between two samples
 * @param ownShare what it takes of a processor, 0 to 1
 * @param isEnded whether the process has ended
 * @param messages how many it has seen
 * @param awaited requests that still await an answer
 * @param forgotten messages that were forgotten, as too many awaited an answer
 * @param counts of the capture
 * @param notes what is missing
 */
record XrayState(
        Processes.Named process,
        String interfaces,
        long beganNs,
        long elapsedNs,
        long periodNs,
        double ownShare,
        boolean isEnded,
        Messages messages,
        int awaited,
        long forgotten,
        LiveCounts counts,
        List<String> notes) {
    /** SIP messages to the process, from it, and of others. */
    record Messages(long in, long out, long others) {}
}
