package io.offhook.calls;

import io.offhook.calls.event.IcmpEvent;
import io.offhook.calls.invite.MessageMemory;
import io.offhook.packet.Endpoint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides at the end which call each ICMP error is about: the call whose Call-ID it quotes; otherwise the call whose
 * media goes to or comes from the quoted endpoints; otherwise, as a router may quote no more than the ports (RFC 792),
 * the call that sent a message the same way just before.
 */
final class IcmpBinder {
    /** The longest time between cause and error: a round trip, or the three seconds of a failing address resolution. */
    private static final long RECENT_NS = 5_000_000_000L;

    /** A message of a call on one of the hops in question. */
    private record Sent(long timestampNs, Call call) {}

    private final MediaBindings bindings;
    private final Map<Call, List<IcmpEvent>> byCall = new HashMap<>();
    private final Set<Long> rtcpFrames = new HashSet<>();

    IcmpBinder(CallAssembly assembly) {
        bindings = assembly.bindings();
        List<IcmpEvent> events = assembly.icmpErrors().events();
        if (!events.isEmpty()) {
            bind(events, callsOf(assembly));
        }
    }

    private static List<Call> callsOf(CallAssembly assembly) {
        List<Call> calls = new ArrayList<>();
        for (CallTable table : assembly.callTables()) {
            calls.addAll(table.calls());
        }
        calls.sort((a, b) -> Long.compare(a.firstFrame(), b.firstFrame()));
        return calls;
    }

    private void bind(List<IcmpEvent> events, List<Call> calls) {
        Map<Long, Call> byCallId = new HashMap<>();
        for (Call call : calls) {
            byCallId.put(call.callIdHash(), call);
        }
        List<IcmpEvent> others = new ArrayList<>();
        for (IcmpEvent event : events) {
            Call call = event.callIdHash() == 0 ? null : byCallId.get(event.callIdHash());
            call = call == null ? callOfMedia(event) : call;
            if (call == null) {
                others.add(event);
            } else {
                add(call, event);
            }
        }
        if (!others.isEmpty()) {
            bindByMessages(others, calls);
        }
    }

    private void add(Call call, IcmpEvent event) {
        byCall.computeIfAbsent(call, c -> new ArrayList<>(1)).add(event);
    }

    private @Nullable Call callOfMedia(IcmpEvent event) {
        for (Endpoint end : List.of(event.destination(), event.source())) {
            MediaBinding binding = bindings.find(end, event.timestampNs());
            if (binding == null) {
                binding = bindingOfRtcp(end, event.timestampNs());
                if (binding != null) {
                    rtcpFrames.add(event.frameNumber());
                }
            }
            if (binding != null) {
                return binding.call();
            }
        }
        return null;
    }

    /** The binding of an RTCP endpoint, whose port follows that of its RTP unless SDP declares another (RFC 3605). */
    private @Nullable MediaBinding bindingOfRtcp(Endpoint endpoint, long timestampNs) {
        if (endpoint.port() < 1) {
            return null;
        }
        MediaBinding binding = bindings.find(endpoint.withPort(endpoint.port() - 1), timestampNs);
        return binding != null && endpoint.equals(binding.rtcpEndpoint()) ? binding : null;
    }

    /**
     * Assigns errors to the call with the last message that took the same way before the error; otherwise the opposite
     * way.
     */
    private void bindByMessages(List<IcmpEvent> events, List<Call> calls) {
        Map<Long, List<Sent>> byHop = new HashMap<>();
        for (IcmpEvent event : events) {
            byHop.put(MessageMemory.hop(event.source(), event.destination()), new ArrayList<>());
            byHop.put(reverseHop(event), new ArrayList<>());
        }
        for (Call call : calls) {
            MessageMemory memory = call.messageMemory();
            for (int i = 0; i < memory.size(); i++) {
                List<Sent> sent = byHop.get(memory.hop(i));
                if (sent != null) {
                    sent.add(new Sent(memory.timestampNs(i), call));
                }
            }
        }
        for (List<Sent> sent : byHop.values()) {
            sent.sort((a, b) -> Long.compare(a.timestampNs(), b.timestampNs()));
        }
        for (IcmpEvent event : events) {
            long hop = MessageMemory.hop(event.source(), event.destination());
            Call call = lastBefore(event.timestampNs(), byHop.getOrDefault(hop, List.of()));
            if (call == null) {
                call = lastBefore(event.timestampNs(), byHop.getOrDefault(reverseHop(event), List.of()));
            }
            if (call != null) {
                add(call, event);
            }
        }
    }

    /** The opposite way, for an error about a reply that was not captured. */
    private static long reverseHop(IcmpEvent event) {
        Endpoint replier = event.source();
        Endpoint asker = event.destination();
        return MessageMemory.hop(asker, replier);
    }

    private static @Nullable Call lastBefore(long timestampNs, List<Sent> sent) {
        int low = 0;
        int high = sent.size();
        while (low < high) {
            int middle = low + high >>> 1;
            if (sent.get(middle).timestampNs <= timestampNs) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if (low == 0) {
            return null;
        }
        Sent last = sent.get(low - 1);
        return timestampNs - last.timestampNs <= RECENT_NS ? last.call : null;
    }

    /** The errors about a call's packets, in the order of capture. */
    List<IcmpEvent> errorsOf(Call call) {
        List<IcmpEvent> errors = new ArrayList<>(byCall.getOrDefault(call, List.of()));
        errors.sort((a, b) -> Long.compare(a.frameNumber(), b.frameNumber()));
        return errors;
    }

    /** Whether an error is harmless: about a packet on its way when the call ended, or about RTCP at a closed port. */
    boolean isHarmless(Call call, IcmpEvent error) {
        boolean after = call.endedNs() != Call.NEVER && error.timestampNs() > call.endedNs();
        return after || rtcpFrames.contains(error.frameNumber());
    }
}
