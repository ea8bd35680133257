package io.offhook.cli.calls;

import io.offhook.calls.CallReport;
import io.offhook.calls.Problem;
import io.offhook.calls.StreamReport;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.terminal.Terminal;
import io.offhook.report.text.Words;
import io.offhook.rtp.quality.MosScale;
import io.offhook.rtp.quality.Quality;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The conditions of {@code --fail-on}, separated by commas. The command exits with {@link ExitCode#FOUND} if a call meets
 * one of them. docs/OUTPUT.md has the grammar.
 */
final class FailOn {
    private static final Pattern COMPARISON = Pattern.compile("([a-z-]+)\\s*(<=|>=|<|>|=)\\s*([0-9]+(?:\\.[0-9]+)?)");
    private static final String KNOWN =
            "bad, loss, one-way, no-answer, no-calls, an outcome (failed, busy...), a kind of problem (no-audio, late...),"
                    + " or mos, mos-wb, mos-fb, loss, jitter, set-up, duration or calls with <, <=, >, >= or = and a"
                    + " number (mos<3.5)";

    /** Kinds of problems as conditions: no-final-response. */
    private static final Map<String, Problem.Kind> KINDS = kinds();

    private final List<Condition> conditions;

    private FailOn(List<Condition> conditions) {
        this.conditions = conditions;
    }

    /**
     * One condition of the list.
     *
     * @param text the condition as typed
     * @param name the quantity or property that is checked
     * @param operator the comparison; "" if the condition is only a name
     */
    private record Condition(String text, String name, String operator, double limit) {

        boolean isMetBy(CallReport call) {
            return operator.isEmpty() ? has(call) : comparesTo(call);
        }

        private boolean has(CallReport call) {
            return switch (name) {
                case "bad" -> call.isBad();
                case "any-problem" -> !call.problems().isEmpty();
                case "one-way" -> hasProblem(call, Problem.Kind.ONE_WAY_AUDIO);
                case "no-answer" -> call.times().answeredNs() == CallReport.NEVER;
                default ->
                    call.outcome().label().equals(name) || KINDS.containsKey(name) && hasProblem(call, KINDS.get(name));
            };
        }

        private boolean comparesTo(CallReport call) {
            return switch (name) {
                case "loss" -> anyStream(call, stream -> stream.statistics().lostPercent());
                case "jitter" ->
                    anyStream(
                            call,
                            stream -> stream.statistics().isJitterKnown()
                                    ? stream.statistics().meanJitterMs()
                                    : Double.NaN);
                case "mos" -> anyStream(call, stream -> mos(stream, MosScale.NARROWBAND));
                case "mos-wb" -> anyStream(call, stream -> mos(stream, MosScale.WIDEBAND));
                case "mos-fb" -> anyStream(call, stream -> mos(stream, MosScale.FULLBAND));
                case "set-up" -> isMetBy(seconds(call.times().setUpNs()));
                case "duration" -> isMetBy(seconds(call.times().durationNs()));
                default -> throw new IllegalStateException("no figure: " + name);
            };
        }

        private static boolean hasProblem(CallReport call, Problem.Kind kind) {
            return call.problems().stream().anyMatch(problem -> problem.kind() == kind);
        }

        private boolean anyStream(CallReport call, java.util.function.ToDoubleFunction<StreamReport> figure) {
            for (StreamReport stream : call.streams()) {
                if (isMetBy(figure.applyAsDouble(stream))) {
                    return true;
                }
            }
            return false;
        }

        /** @param value NaN if there is none; no condition is met then */
        boolean isMetBy(double value) {
            return switch (operator) {
                case "<" -> value < limit;
                case "<=" -> value <= limit;
                case ">" -> value > limit;
                case ">=" -> value >= limit;
                default -> value == limit;
            };
        }
    }

    private static double mos(StreamReport stream, MosScale scale) {
        Quality quality = stream.quality();
        return quality == null || quality.scale() != scale ? Double.NaN : quality.mos();
    }

    private static Map<String, Problem.Kind> kinds() {
        Map<String, Problem.Kind> kinds = new HashMap<>();
        for (Problem.Kind kind : Problem.Kind.values()) {
            if (!kind.isOfRegistration()) {
                kinds.put(kind.name().toLowerCase(Locale.ROOT).replace('_', '-'), kind);
            }
        }
        return kinds;
    }

    private static double seconds(long ns) {
        return ns == CallReport.NEVER ? Double.NaN : ns / 1e9;
    }

    static void describe(CommandSpec spec) {
        spec.addOption(
                "--fail-on",
                "CONDITIONS",
                List.class,
                "Exit with code 1 if a listed call meets one of these conditions, separated by commas: " + KNOWN + ".");
    }

    static FailOn of(ParseResult arguments) {
        List<String> lists = arguments.matchedOptionValue("--fail-on", List.of());
        List<Condition> conditions = new ArrayList<>();
        for (String list : lists) {
            for (String text : list.split(",", -1)) {
                Condition condition = condition(text.strip().toLowerCase(Locale.ROOT));
                boolean isAny = condition.name.equals("bad") && arguments.hasMatchedOption("--all-problems");
                conditions.add(isAny ? new Condition(condition.text, "any-problem", "", 0) : condition);
            }
        }
        return new FailOn(conditions);
    }

    private static Condition condition(String text) {
        switch (text) {
            case "bad", "one-way", "no-answer" -> {
                return new Condition(text, text, "", 0);
            }
            case "loss" -> {
                return new Condition(text, text, ">", 0);
            }
            case "no-calls" -> {
                return new Condition(text, "calls", "<", 1);
            }
            default -> {}
        }
        if (CallOutcomes.LABELS.contains(text) || KINDS.containsKey(text)) {
            return new Condition(text, text, "", 0);
        }
        Matcher comparison = COMPARISON.matcher(text);
        if (comparison.matches()) {
            String name = comparison.group(1);
            switch (name) {
                case "mos", "mos-wb", "mos-fb", "loss", "jitter", "set-up", "duration", "calls" -> {
                    return new Condition(text, name, comparison.group(2), Double.parseDouble(comparison.group(3)));
                }
                default -> {}
            }
        }
        throw new MisuseException("--fail-on " + text + " is not a condition; one of " + KNOWN);
    }

    /** Checks the listed calls and reports met conditions on standard error. */
    int code(List<CallReport> calls, Terminal terminal) {
        int code = ExitCode.DONE;
        for (Condition condition : conditions) {
            String met = met(condition, calls);
            if (met != null) {
                terminal.error("--fail-on " + condition.text() + ": " + met);
                code = ExitCode.FOUND;
            }
        }
        return code;
    }

    private static @Nullable String met(Condition condition, List<CallReport> calls) {
        if (condition.name().equals("calls")) {
            return condition.isMetBy(calls.size()) ? Words.count(calls.size(), "call") : null;
        }
        int count = 0;
        String first = "";
        for (CallReport call : calls) {
            if (condition.isMetBy(call)) {
                first = count == 0 ? call.callId() : first;
                count++;
            }
        }
        return count == 0 ? null : Words.count(count, "call") + ", the first is " + first;
    }
}
