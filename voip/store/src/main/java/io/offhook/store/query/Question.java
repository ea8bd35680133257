package io.offhook.store.query;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A question that comes with Offhook: a file of SQL with its name, whose first line says what it answers.
 *
 * @param name what it is asked by
 * @param summary what it answers, a sentence
 * @param sql the whole file
 */
public record Question(String name, String summary, String sql) {
    private static final List<String> NAMES = List.of(
            "worst-calls",
            "one-way",
            "short-calls",
            "slow-set-up",
            "top-failures",
            "asr-acd",
            "busy-hour",
            "jitter-by-trunk",
            "codecs",
            "software",
            "retransmissions",
            "failed-registrations");

    /** All questions, in the order in which they are listed. */
    public static List<Question> all() {
        List<Question> all = new ArrayList<>();
        NAMES.forEach(name -> all.add(read(name)));
        return List.copyOf(all);
    }

    /** The question of that name; null if there is none. */
    public static @Nullable Question named(String name) {
        return NAMES.contains(name) ? read(name) : null;
    }

    private static Question read(String name) {
        try (InputStream in = Question.class.getResourceAsStream(name + ".sql")) {
            if (in == null) {
                throw new IllegalStateException(name + ".sql is missing");
            }
            String sql = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return new Question(name, sql.substring("-- ".length(), sql.indexOf('\n')), sql);
        } catch (IOException e) {
            throw new IllegalStateException(name + ".sql cannot be read", e);
        }
    }
}
