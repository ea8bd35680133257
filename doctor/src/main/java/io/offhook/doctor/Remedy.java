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
        return new Remedy(name, value, "sysctl -w " + name + "=" + quoted(value));
    }

    static Remedy ofCommand(String command) {
        return new Remedy(null, "", command);
    }

    /**
     * A word of a shell's command line, in quotes where the shell would read more into it: the kernel takes any sign but
     * blanks, slashes and colons in the name of an interface, and systemd writes {@code \x2d} in those of units.
     */
    static String quoted(String word) {
        return word.matches("[A-Za-z0-9@%+=:,./_-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
