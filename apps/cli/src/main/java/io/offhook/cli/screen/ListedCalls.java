package io.offhook.cli.screen;

import io.offhook.analysis.CaptureReport;
import io.offhook.calls.CallReport;
import io.offhook.cli.calls.CallOutcomes;
import io.offhook.cli.calls.CallSelection;
import io.offhook.cli.calls.CallsTable;
import io.offhook.cli.calls.LegsText;
import io.offhook.cli.terminal.Style;
import io.offhook.report.ProblemText;
import io.offhook.report.StreamFields;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Times;
import io.offhook.report.text.Words;
import io.offhook.rtp.quality.Quality;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The calls that a selection lists, in its order, and what each has in the columns. */
final class ListedCalls {
    private final CallSource.State state;
    private final CallSelection selection;
    private final List<CallReport> calls;
    private final IdentityHashMap<CallReport, Integer> numbers;
    private final @Nullable LegsText legs;
    private final int bad;

    ListedCalls(CallSource.State state, CallSelection wanted) {
        this.state = state;
        CaptureReport capture = state.result().capture();
        selection = wanted.within(capture.firstNs(), capture.lastNs());
        List<CallReport> all = state.result().calls();
        calls = selection.of(all);
        numbers = new IdentityHashMap<>(all.size());
        for (int i = 0; i < all.size(); i++) {
            numbers.put(all.get(i), state.forgotten() + i + 1);
        }
        int count = 0;
        for (CallReport call : calls) {
            count += call.isBad() ? 1 : 0;
        }
        bad = count;
        legs = LegsText.isNeeded(calls) ? new LegsText(all) : null;
    }

    List<CallReport> calls() {
        return calls;
    }

    int size() {
        return calls.size();
    }

    /**
     * Where a call is, or the one that it became a leg of; -1 if it is not listed.
     *
     * @param guess where it was
     */
    int indexOf(String callId, int guess) {
        if (guess < calls.size() && calls.get(guess).callId().equals(callId)) {
            return guess;
        }
        for (int i = 0; i < calls.size(); i++) {
            if (calls.get(i).callId().equals(callId)) {
                return i;
            }
        }
        for (int i = 0; i < calls.size(); i++) {
            if (calls.get(i).dialogs().stream()
                    .anyMatch(dialog -> dialog.callId().equals(callId))) {
                return i;
            }
        }
        return -1;
    }

    /** "14 calls, 3 bad", "3 of 14 calls, 3 bad". */
    String counted() {
        int all = state.result().calls().size();
        String of = calls.size() == all ? "" : Decimals.grouped(calls.size()) + " of ";
        return of + Words.count(all, "call") + ", " + Decimals.grouped(bad) + " bad";
    }

    /** The columns of a page of that width. */
    ListColumns columns(int width) {
        int greatest = state.forgotten() + state.result().calls().size();
        return new ListColumns(width, Integer.toString(greatest).length(), legs != null, selection.column());
    }

    /** The style of a cell. */
    static Style style(ListColumns.Column column, CallReport call) {
        Quality worst = column == ListColumns.Column.MOS ? StreamFields.worstQuality(call) : null;
        return switch (column) {
            case MARK -> Style.NOTE;
            case OUTCOME -> CallOutcomes.style(call.outcome());
            case MOS -> worst == null ? Style.PLAIN : CallsTable.style(worst.mos());
            case WHY -> call.isBad() ? Style.BAD : Style.PLAIN;
            default -> Style.PLAIN;
        };
    }

    /** The text of a cell; null or empty for none. */
    @Nullable
    String text(ListColumns.Column column, CallReport call, Times times) {
        LegsText others = legs;
        Quality worst = column == ListColumns.Column.MOS ? StreamFields.worstQuality(call) : null;
        return switch (column) {
            case MARK -> "*";
            case NUMBER -> Integer.toString(numbers.getOrDefault(call, 0));
            case LEGS -> others == null ? "" : others.of(call);
            case TIME -> times.timeOfDay(call.times().startedNs());
            case FROM -> CallsTable.party(call.parties().from(), call.parties().fromUri());
            case TO -> CallsTable.party(call.parties().to(), call.parties().toUri());
            case OUTCOME -> call.outcome().label();
            case SET_UP ->
                call.times().setUpNs() == CallReport.NEVER
                        ? ""
                        : Times.delay(call.times().setUpNs());
            case LENGTH -> CallsTable.length(call, state.result().capture().lastNs());
            case CODEC -> call.codec();
            case MOS -> worst == null ? "" : CallsTable.mos(worst);
            case FIGURE -> selection.cell(call);
            case WHY -> String.join(", ", ProblemText.of(call, selection.isWithNotes()));
        };
    }
}
