package io.offhook.monitor;

import java.util.List;

/**
 * Threads that wait for one another, and will for ever.
 *
 * @param waits each of them, in the order in which each waits for the next
 */
public record Deadlock(List<Wait> waits) {
    /**
     * One of them.
     *
     * @param thread its name
     * @param lock what it waits for, such as {@code java.lang.Object@6ec4f100}
     * @param owner the name of the thread that has it
     */
    public record Wait(String thread, String lock, String owner) {}
}
