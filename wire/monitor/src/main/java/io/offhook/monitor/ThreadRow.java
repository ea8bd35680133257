package io.offhook.monitor;

/**
 * A thread, and what it did.
 *
 * @param id as the kernel numbers it, and {@code top -H} shows it
 * @param name as the kernel has it, 15 bytes at most; Java cuts its names to that
 * @param state what it was doing when it was read: {@code R} running or runnable, {@code S} asleep, {@code D} asleep and not to
 *     be woken, {@code T} stopped, {@code Z} ended but not yet waited for (proc(5)); {@code X} if it has ended since the look before
 * @param processor the one that it ran on last
 * @param last in the last interval
 * @param mean in the last 15 seconds, as far as it was watched
 * @param total since it was first seen
 */
public record ThreadRow(
        int id, String name, char state, int processor, ThreadUse last, ThreadUse mean, ThreadUse total) {
    static final char ENDED = 'X';

    /** Whether it has ended since the look before. */
    public boolean isEnded() {
        return state == ENDED;
    }
}
