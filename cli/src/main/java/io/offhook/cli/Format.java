package io.offhook.cli;

import java.util.Locale;

/** {@code --format}. */
enum Format {
    TABLE,
    JSON,
    CSV;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
