package io.offhook.cli.command;

import java.util.Locale;

/** The output format, {@code --format}. */
public enum Format {
    TABLE,
    JSON,
    CSV;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
