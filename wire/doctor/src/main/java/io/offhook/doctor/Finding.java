package io.offhook.doctor;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of one rule for one subject.
 *
 * @param severity how bad it is
 * @param id the rule, the same in all versions: {@code receive-buffer-max}
 * @param subject an interface, a socket with its owner, or a processor; empty for the whole machine
 * @param text what was found, as a sentence
 * @param setting the setting that could be changed; null if there is none
 * @param why the reason for the advice, as a sentence; empty if no action is needed
 * @param source the documentation of the setting: a manual page, or a file of the kernel's documentation
 * @param remedies commands that would help, in order
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
     * The value of a setting.
     *
     * @param name the name in its tool: {@code net.core.rmem_max}, {@code rx} of {@code ethtool -g}
     * @param now the current value
     * @param advised the advised value; in a {@linkplain Severity#FINE fine} finding, the value to try if packets were
     *     lost because of the current one; null if the current value is as good as any
     * @param unit the unit of both values: {@code bytes}, {@code packets}; empty for words
     */
    public record Setting(String name, String now, @Nullable String advised, String unit) {}

    /** Copies the list. */
    public Finding {
        remedies = List.copyOf(remedies);
    }

    /** Builds a finding. */
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

        /** Sets the current value, and the advised one if it is larger. */
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
