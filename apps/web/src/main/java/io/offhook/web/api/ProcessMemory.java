package io.offhook.web.api;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The memory of this process, as the kernel counts it. */
public final class ProcessMemory {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String RESIDENT = "VmRSS:";
    private static final int KIB = 1024;

    private ProcessMemory() {}

    /** Bytes in main memory; 0 where the kernel does not say. */
    public static long residentBytes() {
        try {
            for (String line : Files.readAllLines(STATUS, StandardCharsets.ISO_8859_1)) {
                if (line.startsWith(RESIDENT)) {
                    String number = line.substring(RESIDENT.length()).strip().split(" ", 2)[0];
                    return Long.parseLong(number) * KIB;
                }
            }
        } catch (IOException | NumberFormatException _) {
            // no Linux
        }
        return 0;
    }
}
