package io.offhook.cli.calls;

import io.offhook.calls.CallReport;
import io.offhook.calls.registration.Registration;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.command.TextPattern;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Selects calls by what their headers say: {@code --user-agent}, {@code --identity} and {@code --cause}. It is a part of
 * {@link CallFilter}.
 */
final class CallHeaderFilter {
    private static final int GREATEST_Q850_CAUSE = 127;
    private static final int LEAST_STATUS = 200;
    private static final int GREATEST_STATUS = 699;

    private final List<TextPattern> userAgent;
    private final List<TextPattern> identity;
    private final Set<Integer> causes;

    CallHeaderFilter(ParseResult arguments) {
        userAgent = patterns(arguments, "--user-agent");
        identity = patterns(arguments, "--identity");
        causes = causes(arguments.matchedOptionValue("--cause", List.of()));
    }

    static void describe(CommandSpec spec) {
        spec.addOption(
                "--user-agent",
                "TEXT",
                List.class,
                "Only calls with this text in User-Agent or Server of caller or callee; * as for --from.");
        spec.addOption(
                "--identity",
                "TEXT",
                List.class,
                "Only calls with this text in P-Asserted-Identity, Diversion or History-Info.");
        spec.addOption(
                "--cause",
                "NUMBERS",
                List.class,
                "Only calls that ended for this cause: 0 to 127 by Q.850 in a Reason header; 200 to 699 by SIP in a Reason"
                        + " header, or by the final response. Separate several by commas.");
    }

    /** Adds those options that apply to registrations, too. */
    static void describeRegistrations(CommandSpec spec) {
        spec.addOption(
                "--user-agent",
                "TEXT",
                List.class,
                "Only registrations whose requests have this text in User-Agent; * as for --from.");
        spec.addOption(
                "--cause",
                "NUMBERS",
                List.class,
                "Only registrations with this final response, 200 to 699. Separate several by commas.");
    }

    private static List<TextPattern> patterns(ParseResult arguments, String name) {
        List<String> texts = arguments.matchedOptionValue(name, List.of());
        return texts.stream().map(TextPattern::new).toList();
    }

    private static Set<Integer> causes(List<String> lists) {
        Set<Integer> causes = new TreeSet<>();
        for (String list : lists) {
            for (String text : list.split(",", -1)) {
                int cause = text.strip().matches("[0-9]{1,3}") ? Integer.parseInt(text.strip()) : -1;
                if (cause < 0 || cause > GREATEST_Q850_CAUSE && cause < LEAST_STATUS || cause > GREATEST_STATUS) {
                    throw new MisuseException(
                            "--cause " + text
                                    + " is neither a cause of Q.850, 0 to 127, nor a SIP status, 200 to 699; examples: 16, 486");
                }
                causes.add(cause);
            }
        }
        return causes;
    }

    /** Whether no option was given, so that everything matches. */
    boolean isOpen() {
        return userAgent.isEmpty() && identity.isEmpty() && causes.isEmpty();
    }

    boolean matches(Registration registration) {
        return matches(userAgent, registration.userAgent())
                && identity.isEmpty()
                && (causes.isEmpty()
                        || registration.finalStatus() >= LEAST_STATUS && causes.contains(registration.finalStatus()));
    }

    boolean matches(CallReport call) {
        CallReport.Headers headers = call.headers();
        CallReport.Reason reason = headers.reason();
        return matches(userAgent, headers.callerSoftware(), headers.calleeSoftware())
                && matches(identity, headers.assertedIdentity(), headers.diversion(), headers.historyInfo())
                && (causes.isEmpty()
                        || causes.contains(reason.q850Cause())
                        || causes.contains(reason.sipCause())
                        || call.finalStatus() >= LEAST_STATUS && causes.contains(call.finalStatus()));
    }

    private static boolean matches(List<TextPattern> patterns, @Nullable String... texts) {
        if (patterns.isEmpty()) {
            return true;
        }
        for (TextPattern pattern : patterns) {
            for (String text : texts) {
                if (pattern.matches(text)) {
                    return true;
                }
            }
        }
        return false;
    }
}
