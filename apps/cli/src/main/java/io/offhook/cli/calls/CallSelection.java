package io.offhook.cli.calls;

import io.offhook.calls.CallReport;
import io.offhook.calls.Outcome;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.ParseResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Which calls are listed, and in which order, by the options of {@code offhook calls}: {@code --from}, {@code --bad},
 * {@code --sort} and the others. Words that are no option must be in a call's parties or Call-IDs.
 */
public final class CallSelection {
    private static final String TEXT = "TEXT";

    private final CallFilter filter;
    private final CallRanking ranking;
    private final boolean onlyBad;
    private final boolean onlyFailed;
    private final boolean allProblems;
    private final List<String> words;

    private CallSelection(ParseResult arguments, CallRanking ranking, List<String> words) {
        filter = CallFilter.of(arguments);
        this.ranking = ranking;
        onlyBad = arguments.hasMatchedOption("--bad");
        onlyFailed = arguments.hasMatchedOption("--failed");
        allProblems = arguments.hasMatchedOption("--all-problems");
        this.words = words;
    }

    private CallSelection(CallSelection other, CallRanking ranking) {
        filter = other.filter;
        this.ranking = ranking;
        onlyBad = other.onlyBad;
        onlyFailed = other.onlyFailed;
        allProblems = other.allProblems;
        words = other.words;
    }

    /** Adds the options. */
    public static void describe(CommandSpec spec) {
        spec.addFlag("--bad", "Only calls whose service failed: bad or missing audio, failures, no response.");
        spec.addFlag("--all-problems", "Show notes too; with --bad, take any problem for bad.");
        spec.addFlag(
                "--failed", "Only calls that were not answered, for whatever reason: busy, declined, cancelled too.");
        CallFilter.describe(spec);
        CallRanking.describe(spec);
    }

    /** The selection that the options of a command describe. */
    public static CallSelection of(ParseResult arguments) {
        return new CallSelection(arguments, CallRanking.of(arguments), List.of());
    }

    /**
     * The selection that somebody typed: {@code --outcome busy --sort mos}, or words. Blanks separate, and belong to what is
     * between quotes.
     *
     * @throws MisuseException if it is none
     */
    public static CallSelection typed(String line) {
        CommandSpec spec = new CommandSpec("filter", "");
        describe(spec);
        spec.addFlag("--utc", "");
        spec.addFlag("--help", "");
        spec.addOptionalParameters(TEXT, "");
        ParseResult arguments = ParseResult.of(spec, words(line).toArray(String[]::new));
        List<String> words = new ArrayList<>();
        arguments.parametersFrom(0).forEach(word -> words.add(word.toLowerCase(Locale.ROOT)));
        return new CallSelection(arguments, CallRanking.of(arguments), words);
    }

    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        char quote = 0;
        boolean isOpen = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (quote == 0 && (c == '\'' || c == '"')) {
                quote = c;
                isOpen = true;
            } else if (c == quote) {
                quote = 0;
            } else if (quote == 0 && Character.isWhitespace(c)) {
                if (isOpen || !word.isEmpty()) {
                    words.add(word.toString());
                }
                word.setLength(0);
                isOpen = false;
            } else {
                word.append(c);
            }
        }
        if (isOpen || !word.isEmpty()) {
            words.add(word.toString());
        }
        return words;
    }

    /** Sets the span of the capture, to which times of day refer and which ends calls in progress. */
    public CallSelection within(long firstNs, long lastNs) {
        filter.beginningAt(firstNs);
        return new CallSelection(this, ranking.until(lastNs));
    }

    /** The calls that are listed, in their order. */
    public List<CallReport> of(List<CallReport> calls) {
        List<CallReport> wanted = new ArrayList<>(calls.size());
        for (CallReport call : calls) {
            if (matches(call)) {
                wanted.add(call);
            }
        }
        return ranking.of(wanted);
    }

    private boolean matches(CallReport call) {
        return filter.matches(call)
                && ranking.matches(call)
                && (!onlyBad || (allProblems ? !call.problems().isEmpty() : call.isBad()))
                && (!onlyFailed || isFailed(call))
                && hasWords(call);
    }

    /** Whether a call was not answered, for whatever reason. */
    static boolean isFailed(CallReport call) {
        Outcome outcome = call.outcome();
        return outcome == Outcome.BUSY
                || outcome == Outcome.DECLINED
                || outcome == Outcome.CANCELLED
                || outcome == Outcome.UNAVAILABLE
                || outcome == Outcome.FAILED;
    }

    private boolean hasWords(CallReport call) {
        for (String word : words) {
            CallReport.Parties parties = call.parties();
            boolean has = has(parties.from(), word)
                    || has(parties.to(), word)
                    || has(parties.fromUri(), word)
                    || has(parties.toUri(), word);
            for (CallReport.Dialog dialog : call.dialogs()) {
                has |= has(dialog.callId(), word);
            }
            if (!has && !has(call.callId(), word)) {
                return false;
            }
        }
        return true;
    }

    private static boolean has(@Nullable String text, String word) {
        return text != null && text.toLowerCase(Locale.ROOT).contains(word);
    }

    /** Whether notes are shown, too. */
    public boolean isWithNotes() {
        return allProblems;
    }

    /** What the calls are ordered by, as {@code --sort} has it. */
    public String order() {
        return ranking.order().toString();
    }

    /** The same calls by the next or the previous figure. */
    public CallSelection nextOrder(int step) {
        List<CallRanking.Order> orders = List.of(CallRanking.Order.values());
        int next = Math.floorMod(orders.indexOf(ranking.order()) + step, orders.size());
        return new CallSelection(this, ranking.orderedBy(orders.get(next)));
    }

    /** The heading of a further column for the figure; null if the list has it anyway. */
    public @Nullable String column() {
        return ranking.column();
    }

    /** The cell of a call in that column. */
    public String cell(CallReport call) {
        return ranking.cell(call);
    }
}
