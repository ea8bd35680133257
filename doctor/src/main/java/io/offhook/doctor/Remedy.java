package io.offhook.doctor;

import org.jspecify.annotations.Nullable;

/**
 * A command that would help; nothing here runs it.
 *
 * @param sysctl the setting's name, {@code net.core.rmem_max}; null where the command is no sysctl
 * @param value what it should be set to, or empty where the command is no sysctl
 * @param command as it is typed
 */
public record Remedy(@Nullable String sysctl, String value, String command) {
    static Remedy ofSysctl(String name, String value) {
        return new Remedy(
                name, value, "sysctl -w " + name + "=" + (value.indexOf(' ') < 0 ? value : "'" + value + "'"));
    }

    static Remedy ofCommand(String command) {
        return new Remedy(null, "", command);
    }
}
