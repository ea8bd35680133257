package io.offhook.cli.xray;

import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Text;
import io.offhook.monitor.xray.Cause;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Times;
import io.offhook.report.text.Words;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The messages of a call as the process saw them, and before each that it sent, a bar of what it did since the message that it is for:
 *
 * <pre>
 * 14:03:07.123456  --> INVITE                192.0.2.1:5060
 *                      MMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMCC     301.2 ms since INVITE: monitor 95, cpu 5 %
 * 14:03:07.424656  <-- 200 OK                192.0.2.1:5060
 * </pre>
 */
final class XrayLadder {
    private static final int INDENT = 21;
    private static final int LABEL = 24;
    private static final int SHORTEST = 10;
    private static final int LONGEST = 60;
    /** Room for the words behind a bar. */
    private static final int WORDS = 50;

    private final Times times;
    private final int bar;
    private final boolean isColored;

    XrayLadder(Times times, int width, boolean isColored) {
        this.times = times;
        bar = Math.clamp((long) width - INDENT - WORDS, SHORTEST, LONGEST);
        this.isColored = isColored;
    }

    void append(String callId, CallLog.Logged call, StringBuilder text) {
        text.append('\n');
        Style.HEADING.append(text, "Call " + Text.printable(callId), isColored);
        text.append('\n');
        Map<SeenMessage, List<JudgedGap>> before = new HashMap<>();
        List<JudgedGap> unanswered = new ArrayList<>();
        for (JudgedGap judged : call.gaps()) {
            SeenMessage sent = judged.gap().sent();
            if (sent == null) {
                unanswered.add(judged);
            } else {
                before.computeIfAbsent(sent, _ -> new ArrayList<>()).add(judged);
            }
        }
        for (CallLog.Line line : call.lines()) {
            SeenMessage message = line.message();
            if (!line.isIn()) {
                before.getOrDefault(message, List.of()).forEach(judged -> bar(judged, text));
                before.remove(message);
            }
            text.append(times.timeOfDayMicros(message.ns())).append(line.isIn() ? "  --> " : "  <-- ");
            String label = Text.printable(message.label());
            text.append(label).repeat(' ', Math.max(1, LABEL - label.length()));
            text.append(line.isIn() ? message.source() : message.destination()).append('\n');
        }
        unanswered.forEach(judged -> bar(judged, text));
        if (call.left() > 0) {
            text.append("and ").append(Words.count(call.left(), "message")).append(" more.\n");
        }
    }

    private void bar(JudgedGap judged, StringBuilder text) {
        text.repeat(' ', INDENT);
        String letters = judged.bar(bar);
        if (letters.chars().allMatch(letter -> letter == Cause.UNSEEN.letter())) {
            letters = ""; // too short for a sample: the line has its length
        }
        int begin = 0;
        for (int i = 1; i <= letters.length(); i++) {
            if (i == letters.length() || letters.charAt(i) != letters.charAt(begin)) {
                style(letters.charAt(begin)).append(text, letters.substring(begin, i), isColored);
                begin = i;
            }
        }
        FoundGap gap = judged.gap();
        text.append(letters.isEmpty() ? "" : "  ")
                .append(Decimals.text(gap.ns() / 1e6, 1))
                .append(" ms since ");
        text.append(Text.printable(gap.from()))
                .append(gap.isAnswered() ? "" : ", no answer")
                .append(": ");
        text.append(letters.isEmpty() ? "too short to see, or not sampled" : XrayText.shares(judged) + " %")
                .append('\n');
        String what = judged.what(judged.main());
        if (!what.isEmpty()) {
            text.repeat(' ', INDENT).append(Text.printable(what)).append('\n');
        }
    }

    private static Style style(char letter) {
        for (Cause cause : Cause.values()) {
            if (cause.letter() == letter) {
                return XrayText.style(cause);
            }
        }
        return Style.PLAIN;
    }
}
