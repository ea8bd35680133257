package io.offhook.proxy.location;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL database.
 *
 * @param url of JDBC: {@code jdbc:postgresql://host:5432/database}
 * @param user who connects; null for what the URL or the system says
 * @param passwordFile the file whose first line is the password; null if none is needed
 * @param connections the most connections, 1 to 1000
 * @param timeoutMs how long a connection or a statement may take, in ms
 */
public record PostgresConfig(
        String url, @Nullable String user, @Nullable Path passwordFile, int connections, int timeoutMs) {
    private static final ConfigKey<String> URL = ConfigKey.required(
            "url", ConfigTypes.text(1000), "The database as JDBC writes it: `jdbc:postgresql://host:5432/database`.");
    private static final ConfigKey<String> USER =
            ConfigKey.optional("user", ConfigTypes.text(200), "The user of the database.");
    private static final ConfigKey<Path> PASSWORD_FILE = ConfigKey.optional(
            "password-file", ConfigTypes.scalar("file", Path::of), "The file whose first line is the password.");
    private static final ConfigKey<Integer> CONNECTIONS =
            ConfigKey.of("connections", ConfigTypes.integer(1, 1000), "8", "The most connections to the database.");
    private static final ConfigKey<Long> TIMEOUT = ConfigKey.of(
            "timeout",
            ConfigTypes.durationNs(100_000_000L, 60_000_000_000L),
            "5s",
            "How long connecting, or one statement, may take; then the request is answered 503.");

    private static final ConfigSchema<PostgresConfig> SCHEMA = ConfigSchema.of(
            "postgres",
            "A PostgreSQL database. Its driver (org.postgresql:postgresql) must be on the class path.",
            values -> new PostgresConfig(
                    values.get(URL), values.find(USER), values.find(PASSWORD_FILE), values.get(CONNECTIONS), (int)
                            (values.get(TIMEOUT) / 1_000_000)),
            URL,
            USER,
            PASSWORD_FILE,
            CONNECTIONS,
            TIMEOUT);

    /** The keys of the section, always the same ones. */
    public static ConfigSchema<PostgresConfig> schema() {
        return SCHEMA;
    }
}
