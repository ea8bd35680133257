package io.offhook.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What this process may do beyond an ordinary user's rights, capabilities(7): the effective ones. */
public final class Capabilities {
    /** Packet sockets, promiscuous interfaces, filters. */
    public static final int CAP_NET_RAW = 13;

    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String EFFECTIVE = "CapEff:";

    private Capabilities() {}

    /**
     * Whether the process has one.
     *
     * @param capability its number, 0 to 63
     * @throws IllegalStateException where the kernel does not tell
     */
    public static boolean has(int capability) {
        return (effective() >>> capability & 1) != 0;
    }

    private static long effective() {
        List<String> lines;
        try {
            lines = Files.readAllLines(STATUS);
        } catch (IOException e) {
            throw new IllegalStateException(STATUS + " cannot be read: " + e.getMessage(), e);
        }
        for (String line : lines) {
            if (line.startsWith(EFFECTIVE)) {
                return Long.parseUnsignedLong(line.substring(EFFECTIVE.length()).strip(), 16);
            }
        }
        throw new IllegalStateException(STATUS + " does not tell the capabilities");
    }
}
