package io.offhook.proxy.control;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The control socket, as a section of a configuration.
 *
 * @param isEnabled whether there is one
 * @param socket its path; null for the usual one
 */
public record ControlConfig(boolean isEnabled, @Nullable String socket) {
    private static final ConfigKey<Boolean> ENABLED =
            ConfigKey.of("enabled", ConfigTypes.bool(), "true", "Whether `offhook proxy calls` and its like can ask.");
    private static final ConfigKey<String> SOCKET = ConfigKey.optional(
            "socket",
            ConfigTypes.text(ControlSocket.MOST_PATH_OCTETS),
            "The path of the socket, in a folder that only its owner may open. Default `$XDG_RUNTIME_DIR/offhook/"
                    + "proxy.control`; of root `/run/offhook/proxy.control`.");
    private static final ConfigSchema<ControlConfig> SCHEMA = ConfigSchema.of(
            "control",
            "The socket for commands to the running proxy.",
            values -> new ControlConfig(values.get(ENABLED), values.find(SOCKET)),
            ENABLED,
            SOCKET);

    /** The keys of the section. */
    public static ConfigSchema<ControlConfig> schema() {
        return SCHEMA;
    }

    /**
     * The path of the socket.
     *
     * @param environment of the process
     * @param user the name of the user
     */
    public Path path(Map<String, String> environment, String user) {
        return socket == null ? ControlSocket.usual(environment, user) : Path.of(socket);
    }
}
