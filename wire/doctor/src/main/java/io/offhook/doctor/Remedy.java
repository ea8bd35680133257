package io.offhook.doctor;

import org.jspecify.annotations.Nullable;

/**
 * A command that would help. It is never executed here.
 *
 * @param sysctl the name of the setting, {@code net.core.rmem_max}; null if the command is not a sysctl
 * @param value the advised value; empty if the command is not a sysctl
 * @param command the command as typed in a shell
 */
public record Remedy(@Nullable String sysctl, String value, String command) {
    static Remedy ofSysctl(String name, String value) {
        return new Remedy(name, value, "sysctl -w " + name + "=" + quoted(value));
    }

    static Remedy ofCommand(String command) {
        return new Remedy(null, "", command);
    }

    /**
     * Quotes a word for a shell if necessary: the name of an interface may contain any character except blanks, slashes
     * and colons, and systemd writes {@code \x2d} in the names of units.
     */
    static String quoted(String word) {
        return word.matches("[A-Za-z0-9@%+=:,./_-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
