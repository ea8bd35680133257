package io.offhook.analysis;

import io.offhook.flow.fragment.FragmentCounter;
import io.offhook.flow.tcp.TcpCounter;
import io.offhook.packet.PlacedCount;
import io.offhook.sip.SipStreamCounters;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** Lists the counters of a pipeline that are above zero, by their names in docs/OUTPUT.md. */
final class PipelineCounters {
    /** The counters of fragments that went wrong; the others count successes. */
    private static final Set<FragmentCounter> FRAGMENT_TROUBLE = EnumSet.of(
            FragmentCounter.COMPLETED_SHORT,
            FragmentCounter.OVERLAPS,
            FragmentCounter.MALFORMED,
            FragmentCounter.TRUNCATED,
            FragmentCounter.DISCARDED,
            FragmentCounter.TIMED_OUT,
            FragmentCounter.EVICTED,
            FragmentCounter.UNFINISHED);

    /** The counters of streams that went wrong and may carry SIP. */
    private static final Set<TcpCounter> TCP_TROUBLE = EnumSet.of(
            TcpCounter.GAPS,
            TcpCounter.GAPS_ACKNOWLEDGED,
            TcpCounter.MISSING_BYTES,
            TcpCounter.GAPS_FORCED,
            TcpCounter.UNHELD_BYTES,
            TcpCounter.LATE,
            TcpCounter.OUT_OF_WINDOW,
            TcpCounter.EVICTED,
            TcpCounter.MARKS_EVICTED);

    private final List<CaptureReport.Counter> counters = new ArrayList<>();
    /** In datagrams that were cut, and in streams. */
    private final PlacedCount sipPartial = new PlacedCount();

    List<CaptureReport.Counter> all() {
        return List.copyOf(counters);
    }

    void failures(Failures failures) {
        for (Failures.Kind kind : Failures.Kind.values()) {
            count(kind.label(), failures.of(kind));
        }
    }

    void frames(CaptureCounters counted) {
        count("snappedPackets", counted.snapped);
        count("truncatedPackets", counted.truncated);
        count("malformedPackets", counted.malformed);
        count("unsupportedPackets", counted.unsupported);
        count("tooDeepPackets", counted.tooDeep);
        count("udpUnknown", counted.udpUnknown);
        sipPartial.add(counted.sipPartial);
        count("hepMalformed", counted.hepMalformed);
        count("hepOtherPayloads", counted.hepOther);
        count("hepInflateFailed", counted.hepInflateFailed);
        count("hepKeepAlives", counted.hepKeepAlives);
    }

    void count(String name, PlacedCount count) {
        if (count.count() > 0) {
            counters.add(CaptureReport.Counter.of(name, count));
        }
    }

    void datagrams(FragmentStage stage) {
        for (FragmentCounter counter : FRAGMENT_TROUBLE) {
            count(counter.label(), stage.table().placed(counter));
        }
        count("fragmentsUntraced", stage.untraced());
        count("sipMessagesInFragments", stage.incompleteMessages());
    }

    void carried(CarriedStage stage, List<TcpShard> shards) {
        PlacedCount evicted = new PlacedCount();
        PlacedCount channels = new PlacedCount();
        PlacedCount streams = new PlacedCount();
        evicted.add(stage.relays().evicted());
        channels.add(stage.relays().refusedChannels());
        for (TcpShard shard : shards) {
            evicted.add(shard.carriers().relays().evicted());
            channels.add(shard.carriers().relays().refusedChannels());
            streams.add(shard.carriers().refused());
        }
        count("turnClientsEvicted", evicted);
        count("turnChannelsRefused", channels);
        count("carrierStreamsRefused", streams);
        count("sctpUnknown", stage.sctp().unknown());
        count("sctpChunksDropped", stage.sctp().dropped());
    }

    void streams(List<TcpShard> shards) {
        for (TcpCounter counter : TCP_TROUBLE) {
            PlacedCount sum = new PlacedCount();
            shards.forEach(shard -> sum.add(shard.streams().placed(counter)));
            count(counter.label(), sum);
        }
        PlacedCount untraced = new PlacedCount();
        shards.forEach(shard -> untraced.add(shard.untraced()));
        count("tcpPacketsUntraced", untraced);
        PlacedCount tls = new PlacedCount();
        PlacedCount signalling = new PlacedCount();
        shards.forEach(shard -> tls.add(shard.tls().streams()));
        shards.forEach(shard -> signalling.add(shard.tls().signalling()));
        count("tlsStreams", tls);
        count("encryptedSignalling", signalling);
        Map<String, PlacedCount> opener = new TreeMap<>();
        shards.forEach(shard -> shard.tls()
                .counters((name, count) ->
                        opener.computeIfAbsent(name, _ -> new PlacedCount()).add(count)));
        opener.forEach(this::count);
        sum("sipStreamBytesSkipped", shards, SipStreamCounters::skippedBytes);
        sum("sipContentLengthMissing", shards, SipStreamCounters::contentLengthMissing);
        sum("sipContentLengthWrong", shards, SipStreamCounters::contentLengthWrong);
        sum("sipMessagesOversized", shards, SipStreamCounters::oversized);
        shards.forEach(shard -> sipPartial.add(shard.counters().partialDropped()));
        count("sipMessagesPartial", sipPartial);
        sum("sipBuffersRefused", shards, SipStreamCounters::bufferRefusals);
        sum("sipWebSocketUnreadable", shards, SipStreamCounters::webSocketUnreadable);
        sum("sipWebSocketErrors", shards, SipStreamCounters::webSocketErrors);
    }

    private void sum(String name, List<TcpShard> shards, Function<SipStreamCounters, PlacedCount> counter) {
        PlacedCount sum = new PlacedCount();
        shards.forEach(shard -> sum.add(counter.apply(shard.counters())));
        count(name, sum);
    }
}
