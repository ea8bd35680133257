package io.offhook.monitor;

import org.jspecify.annotations.Nullable;

/**
 * A thread of a JVM that runs Java code.
 *
 * @param nativeId as the kernel numbers it: {@link ThreadRow#id()}
 * @param name its whole name in Java; as the kernel has it, 15 bytes at most, where the JVM could not be asked
 * @param state at the last dump of threads, up to five seconds ago; null if that is not known
 * @param last how long it was in each state since the look before; empty at the first
 * @param total how long it was in each state since it was first seen
 * @param waitsFor the lock that it waited for at that time, such as {@code java.util.concurrent.locks.ReentrantLock$NonfairSync@6ec4f100};
 *     null if for none
 */
public record JavaThread(
        int nativeId,
        String name,
        @Nullable JavaState state,
        StateTimes last,
        StateTimes total,
        @Nullable String waitsFor) {}
