package io.offhook.linux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The effective capabilities of this process, capabilities(7). */
public final class Capabilities {
    /** CAP_NET_ADMIN. */
    public static final int NET_ADMIN = 12;
    /** CAP_SYS_ADMIN, which usually only root has. */
    public static final int SYS_ADMIN = 21;

    private static final String EFFECTIVE = "CapEff:";

    private Capabilities() {}

    /**
     * Whether the process has a capability; false if {@code /proc} does not list them.
     *
     * @param number the number of the capability, 0 to 63
     */
    public static boolean has(int number) {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/status"), StandardCharsets.ISO_8859_1)) {
                if (line.startsWith(EFFECTIVE)) {
                    return (Long.parseUnsignedLong(
                                                    line.substring(EFFECTIVE.length())
                                                            .strip(),
                                                    16)
                                            >>> number
                                    & 1)
                            != 0;
                }
            }
            return false;
        } catch (IOException e) {
            return false;
        }
    }
}
