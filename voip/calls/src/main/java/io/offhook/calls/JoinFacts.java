package io.offhook.calls;

import io.offhook.calls.CallJoins.Reported;
import io.offhook.calls.join.DialogFacts;
import io.offhook.calls.join.NearDialogs;
import io.offhook.calls.relay.SharedMedia;
import io.offhook.packet.Endpoint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What dialogs are compared by before they are joined: the facts of each, and the media that several of them carry. */
final class JoinFacts {
    /** The most media addresses of a dialog that are compared. */
    private static final int MOST_MEDIA = 8;

    private JoinFacts() {}

    /**
     * The facts of each dialog, in the same order.
     *
     * @param dialogs all of which have an INVITE
     * @param captureEndNs until when those that are not over may have gone on
     */
    static List<DialogFacts> of(List<Reported> dialogs, long captureEndNs) {
        List<DialogFacts> facts = new ArrayList<>(dialogs.size());
        for (Reported each : dialogs) {
            facts.add(of(each.call(), each.report(), captureEndNs));
        }
        return facts;
    }

    private static DialogFacts of(Call call, CallReport report, long captureEndNs) {
        int status = call.finalStatus();
        boolean isRedirected = !call.isAnswered() && status / 100 == 3;
        long untilNs = call.isOver() && !isRedirected ? call.endedNs() : captureEndNs;
        DialogFacts.Course course = new DialogFacts.Course(
                call.invitedNs(),
                call.answeredNs(),
                call.byeNs(),
                untilNs,
                call.isOver() && !call.isAnswered() && status >= 400 ? status : 0,
                call.hungUpBy() == Side.CALLER);
        List<Endpoint> destinations = new ArrayList<>(1);
        for (CallReport.Leg leg : report.legs()) {
            destinations.add(leg.destination());
        }
        CallReport.Leg first = report.legs().getFirst();
        return new DialogFacts(
                call.callId(),
                call.firstFrame(),
                call.evidence(),
                course,
                DialogFacts.Users.of(
                        text(call.parties().fromUser()), text(call.parties().toUser())),
                new DialogFacts.Way(first.source(), first.destination(), destinations, offered(call)));
    }

    private static String text(@Nullable String user) {
        return user == null ? "" : user;
    }

    /** Where the caller's side offered to receive media. */
    private static List<Endpoint> offered(Call call) {
        List<Endpoint> offered = new ArrayList<>(1);
        for (MediaBinding binding : call.media().bindings()) {
            boolean isNew = binding.side() == Side.CALLER && !offered.contains(binding.endpoint());
            if (isNew && offered.size() < MOST_MEDIA) {
                offered.add(binding.endpoint());
            }
        }
        return offered;
    }

    /**
     * Which dialogs carry packets of one stream, and which payloads: only SSRCs that occur in several are looked at, and
     * only payloads that were sampled, because the calls may be legs of one.
     *
     * @param isCompared the calls whose media is looked at
     */
    static SharedMedia media(
            List<Reported> dialogs, List<DialogFacts> facts, StreamReporter reporter, Predicate<Call> isCompared) {
        Set<Long> repeated = repeatedSsrcs(
                dialogs.stream().filter(each -> isCompared.test(each.call())).toList());
        SharedMedia.Builder media = new SharedMedia.Builder();
        NearDialogs<Integer> near = new NearDialogs<>();
        for (int i = 0; i < dialogs.size(); i++) {
            if (!isCompared.test(dialogs.get(i).call())) {
                continue;
            }
            boolean isLogged = false;
            for (StreamReport stream : dialogs.get(i).report().streams()) {
                if (repeated.contains(stream.ssrc())) {
                    media.add(i, stream.point(true, null));
                }
                if (reporter.isLogged(stream)) {
                    media.addLogged(i, reporter.point(stream));
                    isLogged = true;
                }
            }
            if (isLogged) {
                DialogFacts each = facts.get(i);
                near.add(
                        i,
                        each.course().invitedNs(),
                        each.way().source(),
                        each.way().destinations(),
                        each.users(),
                        media::addNear);
            }
        }
        return media.build();
    }

    private static Set<Long> repeatedSsrcs(List<Reported> dialogs) {
        int[] ssrcs = new int[64];
        int count = 0;
        for (Reported each : dialogs) {
            for (StreamReport stream : each.report().streams()) {
                ssrcs = count == ssrcs.length ? Arrays.copyOf(ssrcs, 2 * count) : ssrcs;
                ssrcs[count++] = (int) stream.ssrc();
            }
        }
        Arrays.sort(ssrcs, 0, count);
        Set<Long> repeated = new HashSet<>();
        for (int i = 1; i < count; i++) {
            if (ssrcs[i] == ssrcs[i - 1]) {
                repeated.add(Integer.toUnsignedLong(ssrcs[i]));
            }
        }
        return repeated;
    }
}
