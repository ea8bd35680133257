package io.offhook.doctor;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something that was looked at.
 *
 * @param severity how bad it is
 * @param id which rule it is of, the same in all versions: {@code receive-buffer-max}
 * @param subject what it is about: an interface, a socket and whose it is, a processor; empty for the whole machine
 * @param text what was found, a sentence
 * @param setting what could be set otherwise; null where nothing is set
 * @param why the reason for the advice, a sentence; empty where all is fine
 * @param source where that is documented: a manual page, or a file of the kernel's documentation
 * @param remedies commands that would help, in their order
 */
public record Finding(
        Severity severity,
        String id,
        String subject,
        String text,
        @Nullable Setting setting,
        String why,
        String source,
        List<Remedy> remedies) {
    /**
     * What something is set to.
     *
     * @param name as its tool knows it: {@code net.core.rmem_max}, {@code rx} of {@code ethtool -g}
     * @param now today's value
     * @param advised the better one; of a {@linkplain Severity#FINE fine} finding the one that would be advised if packets got
     *     lost for today's; null where today's is as good as any
     * @param unit of both: {@code bytes}, {@code packets}; empty for words
     */
    public record Setting(String name, String now, @Nullable String advised, String unit) {}

    /** Copies what may be changed. */
    public Finding {
        remedies = List.copyOf(remedies);
    }

    /** Puts one together. */
    static final class Builder {
        private final Severity severity;
        private final String id;
        private final String subject;
        private final String text;
        private @Nullable Setting setting;
        private String why = "";
        private String source = "";
        private final List<Remedy> remedies = new ArrayList<>();

        Builder(Severity severity, String id, String subject, String text) {
            this.severity = severity;
            this.id = id;
            this.subject = subject;
            this.text = text;
        }

        Builder setting(String name, Object now, @Nullable Object advised, String unit) {
            setting = new Setting(name, now.toString(), advised == null ? null : advised.toString(), unit);
            return this;
        }

        /** What is set, with what would be advised where that is more than today's. */
        Builder atLeast(String name, long now, long advised, String unit) {
            return setting(name, now, now < advised ? advised : null, unit);
        }

        Builder because(String reason, String documentedIn) {
            why = reason;
            source = documentedIn;
            return this;
        }

        Builder sysctl(String name, Object value) {
            remedies.add(Remedy.ofSysctl(name, value.toString()));
            return this;
        }

        Builder command(String command) {
            remedies.add(Remedy.ofCommand(command));
            return this;
        }

        Finding build() {
            return new Finding(severity, id, subject, text, setting, why, source, remedies);
        }
    }
}
