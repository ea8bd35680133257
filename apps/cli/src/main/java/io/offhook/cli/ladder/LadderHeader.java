package io.offhook.cli.ladder;

import io.offhook.calls.CallReport;
import io.offhook.calls.Outcome;
import io.offhook.calls.Side;
import io.offhook.cli.calls.CallOutcomes;
import io.offhook.cli.calls.LegsText;
import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Text;
import io.offhook.packet.SafeText;
import io.offhook.report.ProblemText;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Times;
import io.offhook.report.text.Words;
import io.offhook.sip.VoiceQualityReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The header above a call's ladder: parties, times, outcome and problems. */
final class LadderHeader {
    private static final int LABEL_WIDTH = 10;

    private final CallReport call;
    private final Times times;
    private final int width;
    private final boolean colored;
    private final Appendable out;

    private LadderHeader(CallReport call, Times times, int width, boolean colored, Appendable out) {
        this.call = call;
        this.times = times;
        this.width = width;
        this.colored = colored;
        this.out = out;
    }

    /** Prints the header; {@code hosts} and their software are the columns of the ladder. */
    static void print(
            CallReport call,
            List<String> hosts,
            List<@Nullable String> software,
            Times times,
            int width,
            boolean colored,
            Appendable out)
            throws IOException {
        LadderHeader header = new LadderHeader(call, times, width, colored, out);
        header.parties();
        header.course();
        header.signalling();
        header.dialogs();
        header.software(hosts, software);
        String label = "Problems";
        for (String problem : ProblemText.of(call, true)) {
            header.line(label, problem, Style.BAD);
            label = "";
        }
        out.append('\n');
    }

    /** Prints, of each of several calls, who called whom, and what became of it. */
    static void printSeveral(List<CallReport> calls, Times times, int width, boolean colored, Appendable out)
            throws IOException {
        for (int i = 0; i < calls.size(); i++) {
            CallReport call = calls.get(i);
            LadderHeader header = new LadderHeader(call, times, width, colored, out);
            String parties = party(call.parties().from(), call.parties().fromUri()) + " -> "
                    + party(call.parties().to(), call.parties().toUri());
            header.line("Call " + (i + 1), parties + ", " + call.callId(), Style.HEADING);
            header.line("", header.outcome(), style(call.outcome()));
            for (String problem : ProblemText.of(call, true)) {
                header.line("", problem, Style.BAD);
            }
        }
        out.append('\n');
    }

    private void parties() throws IOException {
        int others = call.dialogs().size() - 1;
        line("Call-ID", call.callId() + (others > 0 ? " +" + others : ""), Style.HEADING);
        line("From", party(call.parties().from(), call.parties().fromUri()), Style.PLAIN);
        line("To", party(call.parties().to(), call.parties().toUri()), Style.PLAIN);
        optional("Asserted", call.headers().assertedIdentity());
        optional("Diversion", call.headers().diversion());
        optional("History", call.headers().historyInfo());
        line(
                "Begun",
                times.timeOfDay(call.times().startedNs()) + " on "
                        + times.dateLine(call.times().startedNs()),
                Style.PLAIN);
    }

    private static String party(@Nullable String user, @Nullable String uri) {
        if (uri == null) {
            return user == null ? "not captured" : user;
        }
        return user == null || user.isEmpty() || uri.contains(user) ? uri : user + " (" + uri + ")";
    }

    /** "answered (200), rang after 0.25 s, lasted 0:08, hung up by the caller". */
    private String outcome() {
        StringBuilder course = new StringBuilder(call.outcome().label());
        if (call.finalStatus() > 0) {
            course.append(" (").append(call.finalStatus()).append(')');
        }
        if (call.times().ringingNs() != CallReport.NEVER && call.times().invitedNs() != CallReport.NEVER) {
            course.append(", rang after ")
                    .append(Times.delay(call.times().ringingNs() - call.times().invitedNs()));
        }
        if (call.times().answeredNs() != CallReport.NEVER && call.times().invitedNs() != CallReport.NEVER) {
            course.append(", answered after ")
                    .append(Times.delay(call.times().answeredNs() - call.times().invitedNs()));
        }
        if (call.times().durationNs() != CallReport.NEVER) {
            course.append(call.times().isDurationApproximate() ? ", lasted about " : ", lasted ")
                    .append(Times.duration(call.times().durationNs()));
        }
        Side hungUpBy = call.hungUpBy();
        if (hungUpBy != null) {
            course.append(", hung up by the ").append(hungUpBy.label());
        }
        return course.toString();
    }

    private void course() throws IOException {
        line("Outcome", outcome(), style(call.outcome()));
        optional("Reason", call.headers().reason().text());
        for (CallReport.Hold hold : call.holds()) {
            String span = times.timeOfDay(hold.fromNs()) + " to " + times.timeOfDay(hold.untilNs());
            line("Hold", "by the " + hold.by().label() + ", " + span, Style.PLAIN);
        }
    }

    private void reported() throws IOException {
        for (Side side : Side.values()) {
            StringBuilder keys = new StringBuilder();
            for (CallReport.KeyPress key : call.media().infoKeys()) {
                keys.append(key.by() == side ? String.valueOf(key.key()) : "");
            }
            if (!keys.isEmpty()) {
                line("Keys", keys + " from " + side.label() + " by INFO", Style.PLAIN);
            }
        }
        for (CallReport.QualityReport report : call.qualityReports()) {
            VoiceQualityReport.Metrics local = report.report().local();
            List<String> figures = new ArrayList<>();
            figure(figures, "MOS ", local.mosLq(), "");
            figure(figures, "", local.lossPercent(), " % lost");
            figure(figures, "", local.discardPercent(), " % too late");
            figure(figures, "", local.jitterMs(), " ms jitter");
            line("Phone", report.source() + ": received " + String.join(", ", figures), Style.PLAIN);
        }
    }

    private static void figure(List<String> figures, String before, double value, String after) {
        if (!Double.isNaN(value)) {
            figures.add(before + Decimals.shortest(value, 1) + after);
        }
    }

    private void optional(String label, @Nullable String value) throws IOException {
        if (value != null) {
            line(label, value, Style.PLAIN);
        }
    }

    private static Style style(Outcome outcome) {
        return CallOutcomes.style(outcome);
    }

    private void signalling() throws IOException {
        StringBuilder messages = new StringBuilder(Words.count(call.counts().messages(), "SIP message"));
        messages.append(" over ").append(call.transport());
        if (call.counts().retransmissions() > 0) {
            messages.append(", ").append(Words.count(call.counts().retransmissions(), "retransmission"));
        }
        if (call.counts().mirrored() > 0) {
            messages.append(", ").append(call.counts().mirrored()).append(" mirrored");
        }
        line("Messages", messages.toString(), Style.PLAIN);
        if (call.legs().size() > 1) {
            List<String> hops = new ArrayList<>();
            call.legs().forEach(leg -> hops.add(leg.source() + " -> " + leg.destination()));
            line("Hops", String.join(", ", hops), Style.PLAIN);
        }
        if (call.codec() != null) {
            line("Codec", call.codec() + (call.isEncrypted() ? ", encrypted" : ""), Style.PLAIN);
        }
        reported();
    }

    /** The tree of its dialogs, and what became of it. */
    private void dialogs() throws IOException {
        String label = "Legs";
        for (CallReport.Dialog dialog : call.dialogs().size() < 2 ? List.<CallReport.Dialog>of() : call.dialogs()) {
            CallReport.Join join = dialog.join();
            StringBuilder line = new StringBuilder("  ".repeat(depth(dialog)));
            line.append(join == null ? "" : "-> ").append(dialog.callId()).append(": ");
            CallReport.Leg hop = dialog.hop();
            if (hop != null) {
                line.append(hop.source())
                        .append(" -> ")
                        .append(hop.destination())
                        .append(", ");
            }
            line.append(dialog.result().outcome().label());
            if (join != null) {
                line.append("; ").append(join.score()).append(": ").append(String.join(", ", join.reasons()));
            }
            line(label, line.toString(), Style.PLAIN);
            label = "";
        }
        label = "Related";
        for (CallReport.Relation relation : call.joined().relations()) {
            line(
                    label,
                    LegsText.words(relation.kind()) + " " + relation.callId() + " at "
                            + times.timeOfDay(relation.atNs()) + ": " + relation.proof(),
                    Style.PLAIN);
            label = "";
        }
        label = "Perhaps";
        for (CallReport.PossibleJoin possible : call.joined().possibleJoins()) {
            line(
                    label,
                    "with " + possible.callId() + "; " + possible.score() + ": "
                            + String.join(", ", possible.reasons()),
                    Style.FAINT);
            label = "";
        }
    }

    private int depth(CallReport.Dialog dialog) {
        int depth = 0;
        CallReport.Join join = dialog.join();
        while (join != null) {
            depth++;
            CallReport.Join up = null;
            for (CallReport.Dialog other : call.dialogs()) {
                up = other.callId().equals(join.parentCallId()) ? other.join() : up;
            }
            join = up;
        }
        return depth;
    }

    private void software(List<String> hosts, List<@Nullable String> software) throws IOException {
        String label = "Software";
        for (int i = 0; i < Math.min(hosts.size(), software.size()); i++) {
            String name = software.get(i);
            if (name != null) {
                line(label, hosts.get(i) + ": " + name, Style.PLAIN);
                label = "";
            }
        }
    }

    private void line(String label, String value, Style style) throws IOException {
        String head = label + " ".repeat(LABEL_WIDTH - label.length());
        for (String part : Text.wrap(SafeText.safe(value), width - LABEL_WIDTH)) {
            StringBuilder line = new StringBuilder();
            Style.FAINT.append(line, head, colored);
            style.append(line, part, colored);
            out.append(line).append('\n');
            head = " ".repeat(LABEL_WIDTH);
        }
    }
}
