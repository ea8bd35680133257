package io.offhook.store;

/**
 * What the database may use.
 *
 * @param memoryMb memory, in MB, 64 or more; what does not fit goes to files beside the database while a query runs
 * @param threads for queries, 1 or more
 */
public record StoreSettings(int memoryMb, int threads) {
    private static final int LEAST_MEMORY_MB = 64;

    /** Checks the values. */
    public StoreSettings {
        if (memoryMb < LEAST_MEMORY_MB) {
            throw new IllegalArgumentException("memoryMb " + memoryMb + " is below " + LEAST_MEMORY_MB);
        }
        if (threads < 1) {
            throw new IllegalArgumentException("threads " + threads + " is below 1");
        }
    }

    /** 512 MB, two threads. */
    public static StoreSettings standard() {
        return new StoreSettings(512, 2);
    }
}
