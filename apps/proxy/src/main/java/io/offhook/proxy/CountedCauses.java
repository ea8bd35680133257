package io.offhook.proxy;

import io.offhook.proxy.dns.DestinationResolver;
import io.offhook.proxy.dns.DnsCounter;
import io.offhook.proxy.dns.DownList;
import io.offhook.proxy.lane.LaneCounters;
import io.offhook.proxy.lane.ProxyLane;
import io.offhook.proxy.limit.BadEvent;
import io.offhook.proxy.limit.BanTable;
import io.offhook.proxy.statistics.CauseFigure;
import io.offhook.proxy.stream.SipConnections;
import io.offhook.proxy.stream.StreamCounter;
import io.offhook.sip.proxy.ProxyCounters;
import io.offhook.sip.stream.SipStreamFault;
import io.offhook.sip.transaction.TransactionCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** What the parts of the proxy have counted, as statistics and metrics show it: by group and cause. */
final class CountedCauses {
    private final List<CauseFigure> figures = new ArrayList<>();

    /** Messages, transactions and lanes. The counters of a core are written by its thread; what is read may be a little old. */
    static List<CauseFigure> ofLanes(List<ProxyLane> lanes) {
        CountedCauses all = new CountedCauses();
        for (ProxyLane lane : lanes) {
            LaneCounters counters = lane.counters();
            all.add("lane", "handed_over", counters.handedOver());
            all.add("lane", "hand_over_refused", counters.handOverRefused());
            all.add("lane", "keep_alive", counters.keepAlives());
            all.add("lane", "unanswerable", counters.unanswerable());
            all.add("lane", "failure", counters.failures());
            all.addMessages(lane.core().counters());
            all.addTransactions(lane.core().transactions().counters());
        }
        return all.figures;
    }

    private void addMessages(ProxyCounters counters) {
        add("message", "bad", counters.badRequests());
        add("message", "refused", counters.refused());
        add("message", "loop", counters.loops());
        add("message", "unsigned_route", counters.unsignedRoutes());
        add("message", "unroutable", counters.unroutable());
        add("message", "undeliverable", counters.undeliverable());
        add("message", "too_large_to_answer", counters.tooLarge());
        add("challenge", "answered", counters.challengesAnswered());
        add("challenge", "passed_on", counters.challengesRefused());
        add("held", "message", counters.held());
        add("held", "behind", counters.heldBehind());
        add("held", "again", counters.heldAgain());
        add("held", "expired", counters.heldExpired());
        add("held", "refused", counters.heldRefused());
    }

    private void addTransactions(TransactionCounters counters) {
        add("transaction", "timeout", counters.timeouts());
        add("transaction", "transport_failure", counters.transportFailures());
        add("transaction", "unacknowledged", counters.unacknowledged());
        add("transaction", "stray_response", counters.strays());
        add("transaction", "late_response", counters.lateResponses());
        add("transaction", "limited", counters.limited());
    }

    /** Bans, and the events that lead to them. */
    static List<CauseFigure> ofBans(BanTable bans) {
        CountedCauses all = new CountedCauses();
        all.add("ban", "banned", bans.banned());
        all.add("ban", "dropped", bans.dropped());
        all.add("ban", "spared", bans.spared());
        all.add("ban", "evicted", bans.evicted());
        all.addEach("bad_event", BadEvent.values(), bans::events);
        return all.figures;
    }

    /** Connections, and how they ended. */
    static List<CauseFigure> ofConnections(SipConnections connections) {
        CountedCauses all = new CountedCauses();
        all.addEach("stream", StreamCounter.values(), connections::count);
        all.addEach("stream_fault", SipStreamFault.values(), connections::count);
        return all.figures;
    }

    /** Questions to DNS servers. */
    static List<CauseFigure> ofNames(DestinationResolver resolver) {
        CountedCauses all = new CountedCauses();
        all.addEach("dns", DnsCounter.values(), resolver.counts()::get);
        all.addEach("destination", DownList.Failure.values(), resolver.down()::failures);
        all.add("destination", "forgotten", resolver.down().forgotten());
        return all.figures;
    }

    private void add(String group, String cause, long count) {
        figures.add(new CauseFigure(group, cause, count));
    }

    private <E extends Enum<E>> void addEach(String group, E[] causes, ToLongFunction<E> count) {
        for (E cause : causes) {
            add(group, cause.name().toLowerCase(Locale.ROOT), count.applyAsLong(cause));
        }
    }
}
