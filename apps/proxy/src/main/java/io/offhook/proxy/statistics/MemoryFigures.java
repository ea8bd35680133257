package io.offhook.proxy.statistics;

/**
 * The heap, in octets.
 *
 * @param used what is used, garbage included
 * @param committed what the virtual machine has of the system
 * @param most what it may have
 */
public record MemoryFigures(long used, long committed, long most) {
    static MemoryFigures now() {
        Runtime runtime = Runtime.getRuntime();
        return new MemoryFigures(
                runtime.totalMemory() - runtime.freeMemory(), runtime.totalMemory(), runtime.maxMemory());
    }
}
