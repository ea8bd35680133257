package io.offhook.report.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * The time zone of the system. To return it, {@link ZoneId#systemDefault()} reads the rules of all zones twice, and looks for
 * providers of further ones in every jar: 24 ms of CPU, a tenth of a start. Most servers run in UTC, which has no rules.
 */
final class SystemZone {
    /** Where Linux and macOS keep the zone. */
    private static final Path LOCAL_TIME = Path.of("/etc/localtime");

    private static final String DATABASE = "zoneinfo/";

    private SystemZone() {}

    /** UTC, if the system says so in one of the usual ways; else what Java finds. */
    static ZoneId zone() {
        boolean isUtc = System.getProperty("user.timezone", "").isEmpty() && isUtc(System.getenv("TZ"), LOCAL_TIME);
        return isUtc ? ZoneOffset.UTC : ZoneId.systemDefault();
    }

    /**
     * Whether the zone is certainly UTC.
     *
     * @param variable {@code TZ} of the environment, which goes before the file unless it is empty
     * @param localTime a link into the database of zones, as most systems have it
     */
    static boolean isUtc(@Nullable String variable, Path localTime) {
        if (variable != null && !variable.isEmpty()) {
            return isUtc(variable);
        }
        try {
            String target = Files.readSymbolicLink(localTime).toString();
            int database = target.lastIndexOf(DATABASE);
            return database >= 0 && isUtc(target.substring(database + DATABASE.length()));
        } catch (IOException | UnsupportedOperationException _) {
            return false; // no link: Java compares the file with those of the database
        }
    }

    private static boolean isUtc(String name) {
        return name.equals("UTC") || name.equals("Etc/UTC");
    }
}
