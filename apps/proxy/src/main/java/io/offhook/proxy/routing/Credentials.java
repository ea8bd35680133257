package io.offhook.proxy.routing;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;
import io.offhook.config.ConfigTypes.Placed;
import java.nio.file.Path;

/**
 * Credentials with which the proxy answers the challenges of others (RFC 3261, 22). The password is in a file of its own, so
 * that neither the configuration nor a report of its changes shows it.
 *
 * @param realm the realm for which they are; "" for any
 * @param user the user name
 * @param passwordFile a file whose first line is the password
 */
public record Credentials(String realm, String user, Placed<Path> passwordFile) {
    private static final ConfigKey<String> REALM = ConfigKey.optional(
            "realm",
            ConfigTypes.text(200),
            "The realm for which they are; default any, which trusts all that challenge.");
    private static final ConfigKey<String> USER = ConfigKey.required("user", ConfigTypes.text(200), "The user name.");
    private static final ConfigKey<Placed<String>> PASSWORD = ConfigKey.required(
            "password-file",
            ConfigTypes.placed(ConfigTypes.text(4096)),
            "A file whose first line is the password, readable for its owner only.");

    private static final ConfigSchema<Credentials> SCHEMA = ConfigSchema.of(
            "credentials",
            "Credentials with which challenges of others are answered.",
            values -> {
                String realm = values.find(REALM);
                return new Credentials(
                        realm == null ? "" : realm,
                        values.get(USER),
                        new Placed<>(
                                Path.of(values.get(PASSWORD).value()),
                                values.get(PASSWORD).place()));
            },
            REALM,
            USER,
            PASSWORD);

    /** The keys. */
    public static ConfigSchema<Credentials> schema() {
        return SCHEMA;
    }
}
