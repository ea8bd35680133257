package io.offhook.analysis;

import io.offhook.calls.CallReport;
import io.offhook.calls.Outcome;
import io.offhook.calls.Problem.Kind;
import io.offhook.calls.ProblemSide;
import io.offhook.calls.Side;
import io.offhook.calls.StreamReport;
import io.offhook.calls.event.IcmpEvent;
import io.offhook.testkit.truth.CallTruth;
import io.offhook.testkit.truth.Party;
import io.offhook.testkit.truth.Problem;
import io.offhook.testkit.truth.RtcpTruth;
import io.offhook.testkit.truth.StreamTruth;
import io.offhook.testkit.truth.Truth;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Compares what an analysis found with what is known of the traffic; every difference is one line. */
final class Comparison {
    private final Truth truth;
    private final AnalysisResult result;
    private final List<String> differences = new ArrayList<>();

    private Comparison(Truth truth, AnalysisResult result) {
        this.truth = truth;
        this.result = result;
    }

    static List<String> differences(Truth truth, AnalysisResult result) {
        Comparison comparison = new Comparison(truth, result);
        comparison.capture();
        comparison.calls();
        comparison.streams();
        comparison.rtcp();
        return comparison.differences;
    }

    private void same(String what, @Nullable Object want, @Nullable Object have) {
        if (!Objects.equals(want, have)) {
            differences.add(what + ": want " + want + ", have " + have);
        }
    }

    private void capture() {
        same("packets", truth.packets(), result.capture().packets());
        same("SIP requests", truth.sipRequests(), result.capture().sipRequests());
        same("SIP responses", truth.sipResponses(), result.capture().sipResponses());
        same(
                "encrypted signalling",
                (long) truth.encryptedSignalling(),
                result.capture().encryptedSignalling().stream()
                        .mapToLong(EncryptedSignalling::streams)
                        .sum());
        same("Call-IDs", (long) truth.callIds(), result.capture().callIds());
        same(
                "registrations",
                truth.registrations().size(),
                result.registrations().size());
    }

    private void calls() {
        same("number of calls", truth.calls().size(), result.calls().size());
        for (CallTruth want : truth.calls()) {
            CallReport have = call(want.callId());
            if (have == null) {
                differences.add("call " + want.callId() + " is missing");
                continue;
            }
            call("call " + want.callId() + " ", want, have);
        }
    }

    private @Nullable CallReport call(String callId) {
        return result.calls().stream()
                .filter(call -> call.callId().equals(callId))
                .findFirst()
                .orElse(null);
    }

    private void call(String where, CallTruth want, CallReport have) {
        same(where + "outcome", want.outcome().label(), have.outcome().label());
        same(where + "final status", want.finalStatus() == null ? 0 : want.finalStatus(), have.finalStatus());
        same(where + "from", want.from(), have.parties().from());
        same(where + "to", want.to(), have.parties().to());
        same(where + "transport", want.transport(), have.transport().name());
        same(where + "messages", want.messages(), have.counts().messages());
        same(where + "retransmissions", want.retransmissions(), have.counts().retransmissions());
        same(where + "mirrored", want.mirroredMessages(), have.counts().mirrored());
        same(where + "invited", want.invitedAtNs(), time(have.times().invitedNs()));
        same(where + "ringing", want.ringingAtNs(), time(have.times().ringingNs()));
        same(where + "answered", want.answeredAtNs(), time(have.times().answeredNs()));
        same(where + "ended", want.endedAtNs(), time(have.times().endedNs()));
        same(where + "hung up by", label(want.hungUpBy()), label(have.hungUpBy()));
        same(where + "codec", lower(want.codec()), lower(have.codec()));
        same(
                where + "hops",
                want.invitedAtNs() == null ? 0 : want.hops(),
                have.legs().size());
        same(where + "encrypted", want.encryptedMedia(), have.isEncrypted());
        same(where + "holds", want.holds().size(), have.holds().size());
        problems(where, want, have);
    }

    private void problems(String where, CallTruth want, CallReport have) {
        for (Problem problem : Problem.values()) {
            boolean found = have.problems().stream().anyMatch(one -> says(one, problem));
            boolean expected = want.problems().contains(problem)
                    // a capture without any media is one of signalling, and says nothing of audio
                    && !(problem == Problem.NO_AUDIO && truth.rtpPackets() == 0);
            // loss below the truth's 5 % may be told or not
            boolean decided = expected || problem != Problem.LOSS_FROM_CALLER && problem != Problem.LOSS_FROM_CALLEE;
            // a call that goes on at the end sends nothing after its steps, and the capture of others goes on
            decided &= problem != Problem.AUDIO_STOPPED || have.outcome() != Outcome.ONGOING;
            if (decided && found != expected) {
                differences.add(
                        where + problem.label() + (expected ? " is not told: " : " is told: ") + have.problems());
            }
        }
    }

    private static boolean says(io.offhook.calls.Problem found, Problem problem) {
        return switch (problem) {
            case ONE_WAY_AUDIO -> found.kind() == Kind.ONE_WAY_AUDIO;
            case NO_AUDIO -> found.kind() == Kind.NO_AUDIO;
            case NO_ANSWER -> found.kind() == Kind.NO_RESPONSE;
            case BUSY -> found.kind() == Kind.BUSY;
            case DECLINED -> found.kind() == Kind.DECLINED;
            case CANCELLED -> found.kind() == Kind.CANCELLED;
            case UNAVAILABLE -> found.kind() == Kind.NO_ANSWER || found.kind() == Kind.UNAVAILABLE;
            case FAILED -> found.kind() == Kind.FAILED;
            case SLOW_SET_UP -> found.kind() == Kind.SLOW_SET_UP;
            case NO_ACK -> found.kind() == Kind.NO_ACK;
            case LOSS_FROM_CALLER -> found.kind() == Kind.LOSS && found.side() == ProblemSide.CALLER;
            case LOSS_FROM_CALLEE -> found.kind() == Kind.LOSS && found.side() == ProblemSide.CALLEE;
            case RELAY_LOSS_FROM_CALLER -> found.kind() == Kind.RELAY_LOSS && found.side() == ProblemSide.CALLER;
            case LATE_FROM_CALLER -> found.kind() == Kind.LATE && found.side() == ProblemSide.CALLER;
            case LATE_FROM_CALLEE -> found.kind() == Kind.LATE && found.side() == ProblemSide.CALLEE;
            case AUDIO_STOPPED -> found.kind() == Kind.AUDIO_STOPPED;
            case AUDIO_GAP -> found.kind() == Kind.AUDIO_GAP;
            case AUDIO_STARTED_LATE -> found.kind() == Kind.AUDIO_STARTED_LATE;
            case PORT_UNREACHABLE ->
                found.icmp() != null && isPortUnreachable(found.icmp().message());
        };
    }

    private static boolean isPortUnreachable(IcmpEvent.Message message) {
        return message.equals(new IcmpEvent.Message(4, 3, 3)) || message.equals(new IcmpEvent.Message(6, 1, 4));
    }

    private void streams() {
        List<String> wanted = new ArrayList<>();
        List<Long> homeless = new ArrayList<>();
        for (StreamTruth want : truth.streams()) {
            if (want.callId() == null) {
                homeless.add(want.ssrc()); // without SDP, the analysis may find its call by hosts and time
                continue;
            }
            StreamReport have = stream(want);
            String where = "stream " + want.ssrcText() + " of " + want.callId() + " ";
            wanted.add(want.callId() + " " + want.ssrc());
            if (have == null) {
                differences.add(where + "is missing");
                continue;
            }
            stream(where, want, have);
        }
        for (CallReport call : result.calls()) {
            for (StreamReport stream : call.streams()) {
                if (!homeless.contains(stream.ssrc()) && !wanted.contains(call.callId() + " " + stream.ssrc())) {
                    differences.add("stream " + stream.ssrc() + " is not of " + call.callId());
                }
            }
        }
    }

    private @Nullable StreamReport stream(StreamTruth want) {
        CallReport call = call(Objects.requireNonNull(want.callId()));
        return call == null
                ? null
                : call.streams().stream()
                        .filter(stream -> stream.ssrc() == want.ssrc()
                                && stream.source().equals(want.source())
                                && stream.destination().equals(want.destination()))
                        .findFirst()
                        .orElse(null);
    }

    private void stream(String where, StreamTruth want, StreamReport have) {
        same(where + "from", label(want.from()), label(have.from()));
        same(where + "codec", lower(want.codec()), lower(have.codec()));
        same(where + "packets", want.captured(), have.statistics().packets());
        same(where + "expected", want.expected(), have.statistics().expected());
        same(where + "lost", want.lost(), have.statistics().lost());
        same(where + "duplicates", want.duplicates(), have.statistics().duplicates());
        if (want.source().isIpv4()) { // without an IP identification, the network's copies look like the mirror's
            same(where + "mirrored", want.mirrored(), have.statistics().mirrored());
        }
        same(where + "reordered", want.reordered(), have.statistics().reordered());
        same(where + "digits", want.encrypted() ? null : want.digits(), have.digits());
        same(where + "video", want.video(), !have.isAudio());
        same(where + "encrypted", want.encrypted(), have.isEncrypted());
    }

    private void rtcp() {
        for (RtcpTruth want : truth.rtcp()) {
            CallReport call = call(want.callId());
            StreamReport about = call == null
                    ? null
                    : call.streams().stream()
                            .filter(stream -> stream.ssrc() == want.subjectSsrc())
                            .findFirst()
                            .orElse(null);
            String where = "report on " + want.subjectSsrc() + " of " + want.callId() + " ";
            if (want.reports() == 0 || about == null) {
                continue;
            }
            if (about.farEnd() == null) {
                differences.add(where + "is missing");
                continue;
            }
            same(where + "reports", (long) want.reports(), about.farEnd().reports());
            same(where + "lost", (long) want.cumulativeLost(), about.farEnd().cumulativeLost());
            same(
                    where + "jitter",
                    Math.round(want.jitterMs() * 100),
                    Math.round(about.farEnd().jitterMs() * 100));
        }
    }

    private static @Nullable Long time(long ns) {
        return ns == CallReport.NEVER ? null : ns;
    }

    private static @Nullable String label(@Nullable Party party) {
        return party == null ? null : party.label();
    }

    private static @Nullable String label(@Nullable Side side) {
        return side == null ? null : side.label();
    }

    private static @Nullable String lower(@Nullable String text) {
        return text == null ? null : text.toLowerCase(java.util.Locale.ROOT);
    }
}
