package io.offhook.monitor;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A lock that threads wait for.
 *
 * @param name its class and address, such as {@code java.lang.Object@6ec4f100}; a garbage collection may change the address
 * @param owner the name of the thread that has it; null if that is not known, as with locks of {@code java.util.concurrent}
 * @param waiters the names of the threads that wait for it
 */
public record JavaLock(String name, @Nullable String owner, List<String> waiters) {}
