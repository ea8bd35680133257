package io.offhook.cli.calls;

import io.offhook.calls.CallReport;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a table shows of the other dialogs of a call: how many there are, and which calls it became. */
public final class LegsText {
    private final Map<String, Integer> numbers = new HashMap<>();

    /** @param calls all calls, in the order in which they are numbered from 1 */
    public LegsText(List<CallReport> calls) {
        for (CallReport call : calls) {
            for (CallReport.Relation relation : call.joined().relations()) {
                numbers.put(relation.callId(), 0);
            }
        }
        for (int i = 0; i < calls.size() && !numbers.isEmpty(); i++) {
            for (CallReport.Dialog dialog : calls.get(i).dialogs()) {
                int number = i + 1;
                numbers.computeIfPresent(dialog.callId(), (_, _) -> number);
            }
        }
    }

    /** Whether a table needs a column for it. */
    public static boolean isNeeded(List<CallReport> calls) {
        for (CallReport call : calls) {
            if (call.dialogs().size() > 1 || !call.joined().relations().isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** "+2" for two other dialogs, "-> 3" for a call that went on as number 3. */
    public String of(CallReport call) {
        StringBuilder text = new StringBuilder();
        int others = call.dialogs().size() - 1;
        if (others > 0) {
            text.append('+').append(others);
        }
        for (CallReport.Relation relation : call.joined().relations()) {
            int number = numbers.getOrDefault(relation.callId(), 0);
            boolean isOther = !call.hasCallId(relation.callId());
            if (isOther && number > 0 && text.indexOf("-> " + number) < 0) {
                text.append(text.isEmpty() ? "-> " : " -> ").append(number);
            }
        }
        return text.toString();
    }

    /** A relation in words, to be followed by the other Call-ID. */
    public static String words(CallReport.Relation.Kind kind) {
        return switch (kind) {
            case TRANSFERRED_TO -> "transferred to";
            case REPLACED_BY -> "replaced by";
            case PICKED_UP_BY -> "picked up by";
            case FORKED_TO -> "forked to";
        };
    }
}
