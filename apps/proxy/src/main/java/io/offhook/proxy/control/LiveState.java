package io.offhook.proxy.control;

import io.offhook.packet.IpAddress;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What commands ask of a proxy that runs, and what they do to it. Called by virtual threads, which may wait: an
 * implementation asks its lanes through their mailboxes.
 */
public interface LiveState {

    /** At most so many calls for which the condition holds, the oldest first. */
    List<LiveCall> calls(Predicate<LiveCall> condition, int most);

    /** The last messages of a call that runs or has just ended; null if nothing is remembered of it. */
    @Nullable
    LiveMessages messages(String callId);

    /** At most so many bindings for which the condition holds. */
    List<LiveBinding> bindings(Predicate<LiveBinding> condition, int most);

    /** All bans. */
    List<LiveBan> bans();

    /** Ignores an address for so many seconds. @return false if it is trusted, and therefore is not banned */
    boolean ban(IpAddress address, long seconds);

    /** Listens to an address again. @return whether it was banned */
    boolean unban(IpAddress address);

    /**
     * Reads the configuration again and applies it without losing a transaction.
     *
     * @return the faults, each with its place, if it is wrong and the old one stays; otherwise what changed, one a line
     */
    Reload reload();

    /** Stops taking new calls and ends; with {@code isNow}, without waiting for those that run. Returns at once. */
    void stop(boolean isNow);

    /**
     * What a reload did.
     *
     * @param isApplied whether the new configuration is in force
     * @param lines the faults, or what changed
     */
    record Reload(boolean isApplied, List<String> lines) {
        /** Copies the lines. */
        public Reload {
            lines = List.copyOf(lines);
        }
    }
}
