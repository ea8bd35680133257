package io.offhook.cli.screen;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What header fields of SIP mean, in a sentence with the place where it is defined. */
final class HeaderNotes {
    private static final String FILE = "headers.txt";

    private final Map<String, String> meanings = new HashMap<>();
    private final Map<String, String> compact = new HashMap<>();

    /** Reads them. */
    HeaderNotes() {
        InputStream file = HeaderNotes.class.getResourceAsStream(FILE);
        if (file == null) {
            throw new IllegalStateException(FILE + " is missing beside " + HeaderNotes.class.getName());
        }
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
            lines.lines().filter(line -> !line.startsWith("#")).forEach(this::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void add(String line) {
        String[] parts = line.split("\t", -1);
        if (parts.length == 2) {
            compact.put(parts[0], parts[1]);
        } else {
            meanings.put(parts[0], parts[1].replace('’', '\'') + (parts[2].isEmpty() ? "" : " (" + parts[2] + ")"));
        }
    }

    /** The meaning of a field, by its name in any case or its compact form; null if it is not known. */
    @Nullable
    String of(String name) {
        String lower = name.strip().toLowerCase(Locale.ROOT);
        return meanings.get(compact.getOrDefault(lower, lower));
    }
}
