package io.offhook.cli.command;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** The version of Offhook. */
public final class Version {
    private Version() {}

    /** "offhook 0.1.0 (JDK 25.0.3)". */
    public static String text() throws IOException {
        return "offhook " + number() + " (JDK " + System.getProperty("java.version") + ")";
    }

    /** "0.1.0", as the build wrote it. */
    public static String number() throws IOException {
        try (InputStream in = Version.class.getResourceAsStream("version.txt")) {
            return in == null ? "of unknown version" : new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        }
    }
}
