package io.offhook.calls;

import io.offhook.calls.join.DialogFacts;
import io.offhook.calls.join.NearDialogs;
import io.offhook.packet.Endpoint;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides whose payloads are sampled: those of calls that may be legs of one, from the answer of the later one on, when media
 * passes both. All other calls pay nothing for it. Used between rounds, by one thread.
 */
final class LegCandidates {
    private final NearDialogs<Call> near = new NearDialogs<>();
    private long sampledCalls;

    /** Notes a new binding, in the order of the capture. */
    void bound(MediaBinding binding) {
        Call call = binding.call();
        CallMedia media = call.media();
        if (media.isNew()) {
            meet(call);
        }
        List<Call> earlier = media.mayBelongTo();
        if (binding.side() == Side.CALLEE && !earlier.isEmpty()) {
            earlier.forEach(each -> sampled(each, binding.fromNs()));
            sampled(call, binding.fromNs());
            media.mayBelongTo(List.of());
        }
    }

    private void meet(Call call) {
        List<CallReport.Leg> legs = call.legs();
        if (legs.isEmpty()) {
            return;
        }
        List<Endpoint> destinations = new ArrayList<>(legs.size());
        legs.forEach(leg -> destinations.add(leg.destination()));
        String from = call.parties().fromUser();
        String to = call.parties().toUser();
        List<Call> earlier = new ArrayList<>(0);
        near.add(
                call,
                call.invitedNs(),
                legs.getFirst().source(),
                destinations,
                DialogFacts.Users.of(from == null ? "" : from, to == null ? "" : to),
                (parent, _) -> {
                    if (!earlier.contains(parent)) {
                        earlier.add(parent);
                    }
                });
        call.media().mayBelongTo(earlier);
    }

    private void sampled(Call call, long fromNs) {
        if (call.media().sampledFromNs() == CallMedia.NOT_SAMPLED) {
            call.media().sampledFrom(fromNs);
            sampledCalls++;
        }
    }

    /** Calls whose payloads are sampled, so far. */
    long sampledCalls() {
        return sampledCalls;
    }
}
