package io.offhook.calls;

import io.offhook.calls.CallJoins.Reported;
import io.offhook.calls.event.IcmpEvent;
import io.offhook.calls.relay.StreamPassage;
import io.offhook.rtp.RtpStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The one report of a call that several dialogs are. Parties, outcome, times and codec are those of the first dialog,
 * which is what the caller had; messages, legs, streams and errors are those of all.
 */
final class JoinedReport {
    private JoinedReport() {}

    /**
     * Makes one report of several.
     *
     * @param members the dialogs of a call, that of the caller first
     * @param joined how they belong together
     */
    static CallReport of(List<Reported> members, CallReport.Joined joined, StreamReporter reporter) {
        CallReport root = members.getFirst().report();
        List<StreamReport> streams = streams(members);
        List<StreamPassage> passages = reporter.passages(streams);
        return new CallReport(
                root.callId(),
                root.parties(),
                root.result(),
                root.times(),
                signalling(members, joined),
                new CallReport.Media(
                        root.codec(),
                        root.isEncrypted(),
                        streams,
                        root.holds(),
                        root.media().infoKeys(),
                        qualityReports(members),
                        passages),
                new CallReport.Diagnosis(JoinedProblems.of(members, streams, passages, reporter), icmpErrors(members)));
    }

    /** The report of one dialog that names others, and has nothing else of them. */
    static CallReport naming(CallReport.Joined others, CallReport report) {
        CallReport.Signalling signalling = report.signalling();
        return new CallReport(
                report.callId(),
                report.parties(),
                report.result(),
                report.times(),
                new CallReport.Signalling(
                        signalling.transport(),
                        signalling.counts(),
                        signalling.legs(),
                        signalling.firstFrame(),
                        others,
                        signalling.headers(),
                        signalling.cutFrames()),
                report.media(),
                report.diagnosis());
    }

    private static CallReport.Signalling signalling(List<Reported> members, CallReport.Joined joined) {
        CallReport root = members.getFirst().report();
        int messages = 0;
        int retransmissions = 0;
        int mirrored = 0;
        long lastNs = Call.NEVER;
        Set<CallReport.Leg> legs = new LinkedHashSet<>();
        List<Long> cutFrames = new ArrayList<>(0);
        for (Reported member : members) {
            CallReport report = member.report();
            messages += report.counts().messages();
            retransmissions += report.counts().retransmissions();
            mirrored += report.counts().mirrored();
            lastNs = Math.max(lastNs, report.counts().lastNs());
            legs.addAll(report.legs());
            cutFrames.addAll(report.cutFrames());
        }
        return new CallReport.Signalling(
                root.transport(),
                new CallReport.MessageCounts(messages, retransmissions, mirrored, lastNs),
                List.copyOf(legs),
                root.firstFrame(),
                joined,
                root.signalling().headers(),
                List.copyOf(cutFrames));
    }

    /** The streams of all dialogs; one that several announce, as without a relay in between, is that of the first. */
    private static List<StreamReport> streams(List<Reported> members) {
        Set<RtpStream> known = Collections.newSetFromMap(new IdentityHashMap<>());
        List<StreamReport> streams = new ArrayList<>();
        for (Reported member : members) {
            for (StreamReport stream : member.report().streams()) {
                if (known.add(stream.statistics())) {
                    streams.add(stream);
                }
            }
        }
        streams.sort((a, b) -> Long.compare(a.firstFrame(), b.firstFrame()));
        return List.copyOf(streams);
    }

    private static List<CallReport.QualityReport> qualityReports(List<Reported> members) {
        List<CallReport.QualityReport> reports = new ArrayList<>();
        for (Reported member : members) {
            reports.addAll(member.report().qualityReports());
        }
        reports.sort((a, b) -> Long.compare(a.atNs(), b.atNs()));
        return List.copyOf(reports);
    }

    private static List<IcmpEvent> icmpErrors(List<Reported> members) {
        List<IcmpEvent> errors = new ArrayList<>();
        for (Reported member : members) {
            errors.addAll(member.report().icmpErrors());
        }
        errors.sort((a, b) -> Long.compare(a.frameNumber(), b.frameNumber()));
        return List.copyOf(errors);
    }
}
