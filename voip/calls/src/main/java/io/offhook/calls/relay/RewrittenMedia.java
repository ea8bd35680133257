package io.offhook.calls.relay;

import io.offhook.rtp.PacketLog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which dialogs carry the same payloads, each in a stream of its own: the sign of a B2BUA that relays media under its own
 * SSRC, numbers or clock.
 *
 * <p>Announcements and music on hold are the same for all who hear them. So payloads prove nothing if a stream has them in
 * common with two that one host sends or receives, whenever that was; and they have to arrive at both points within the
 * time that a relay takes, in the order of the way if that is known.
 */
final class RewrittenMedia {
    /** The longest time that a relay with a jitter buffer takes. */
    private static final long LONGEST_DELAY_NS = 300_000_000L;

    /** Interfaces may show packets out of order by this much. */
    private static final long REORDERED_NS = 5_000_000L;

    /** The most streams of a dialog that are compared. */
    private static final int MOST_STREAMS = 16;

    private static final int[] NONE = {};

    private final Map<Integer, List<StreamPoint>> streams = new HashMap<>();
    /** The telling prints of each log, ascending: most pairs are strangers, and that shows before packets are paired. */
    private final Map<PacketLog, int[]> prints = new HashMap<>();

    private final Set<Pair> near = new HashSet<>();

    private record Pair(int one, int other) {}

    /** Two streams with the same payloads. */
    private record Same(Pair dialogs, StreamPoint one, StreamPoint other, PacketPairs packets) {
        StreamPoint partner(StreamPoint point) {
            return log(point) == log(one) ? other : one;
        }
    }

    void add(int dialog, StreamPoint point) {
        List<StreamPoint> known = streams.computeIfAbsent(dialog, _ -> new ArrayList<>(2));
        if (known.size() < MOST_STREAMS) {
            known.add(point);
            prints.put(log(point), prints(log(point)));
        }
    }

    private static int[] prints(PacketLog log) {
        int[] prints = new int[log.size()];
        int count = 0;
        for (int i = 0; i < prints.length; i++) {
            if (log.isTelling(i)) {
                prints[count++] = log.print(i);
            }
        }
        int[] sorted = Arrays.copyOf(prints, count);
        Arrays.sort(sorted);
        return sorted;
    }

    private boolean haveEnoughInCommon(PacketLog one, PacketLog other) {
        int[] here = prints.getOrDefault(one, NONE);
        int[] there = prints.getOrDefault(other, NONE);
        int common = 0;
        int i = 0;
        int j = 0;
        while (i < here.length && j < there.length && common < PacketPairs.FEWEST_PAYLOADS) {
            int order = Integer.compare(here[i], there[j]);
            common += order == 0 ? 1 : 0;
            i += order <= 0 ? 1 : 0;
            j += order >= 0 ? 1 : 0;
        }
        return common == PacketPairs.FEWEST_PAYLOADS;
    }

    void addPair(int one, int other) {
        near.add(new Pair(Math.min(one, other), Math.max(one, other)));
    }

    /** Passes on the dialogs that carry payloads of one stream. */
    void forEach(SharedMedia.PairSink sink) {
        List<Same> all = new ArrayList<>();
        for (Pair pair : near) {
            compare(pair, all);
        }
        Map<PacketLog, List<Same>> byStream = new HashMap<>();
        for (Same each : all) {
            byStream.computeIfAbsent(log(each.one), _ -> new ArrayList<>(1)).add(each);
            byStream.computeIfAbsent(log(each.other), _ -> new ArrayList<>(1)).add(each);
        }
        List<Same> passed = new ArrayList<>();
        Set<Pair> fromCaller = new HashSet<>();
        Set<Pair> fromCallee = new HashSet<>();
        for (Same each : all) {
            if (isPassedOn(each)
                    && !isHeardByMany(each.one, byStream.getOrDefault(log(each.one), List.of()))
                    && !isHeardByMany(each.other, byStream.getOrDefault(log(each.other), List.of()))) {
                passed.add(each);
                (each.one.isFromCaller() ? fromCaller : fromCallee).add(each.dialogs);
            }
        }
        // several servers may play one announcement to those who call one number, who answer it each in another way
        for (Same each : passed) {
            boolean leads = each.one.leadsTo(each.other) || each.other.leadsTo(each.one);
            if (leads || fromCaller.contains(each.dialogs) && fromCallee.contains(each.dialogs)) {
                sink.pair(each.dialogs.one, each.dialogs.other);
            }
        }
    }

    private static PacketLog log(StreamPoint point) {
        PacketLog log = point.log();
        if (log == null) {
            throw new IllegalArgumentException("the stream has no log");
        }
        return log;
    }

    private void compare(Pair pair, List<Same> all) {
        for (StreamPoint one : streams.getOrDefault(pair.one, List.of())) {
            for (StreamPoint other : streams.getOrDefault(pair.other, List.of())) {
                if (one.isFromCaller() == other.isFromCaller()
                        && log(one) != log(other)
                        && isAtOneTime(one, other)
                        && haveEnoughInCommon(log(one), log(other))) {
                    PacketPairs packets = PacketPairs.rewritten(log(one), log(other));
                    if (packets != null && !isExact(one, other, packets)) {
                        all.add(new Same(pair, one, other, packets));
                    }
                }
            }
        }
    }

    /** Whether nothing was rewritten; such streams are compared otherwise. */
    private static boolean isExact(StreamPoint one, StreamPoint other, PacketPairs packets) {
        int last = packets.count() - 1;
        return one.ssrc() == other.ssrc() && packets.ticksAhead(last) == 0 && packets.numbersAhead(last) == 0;
    }

    private static boolean isAtOneTime(StreamPoint one, StreamPoint other) {
        return one.statistics().firstNs() <= other.statistics().lastNs()
                && other.statistics().firstNs() <= one.statistics().lastNs();
    }

    private static boolean isPassedOn(Same same) {
        StreamPoint one = same.one;
        StreamPoint other = same.other;
        if (one.sharesHost(other)) {
            return false;
        }
        long delayNs = same.packets.medianNs();
        boolean leads = one.leadsTo(other);
        long alongNs = leads == other.leadsTo(one) ? Math.abs(delayNs) : leads ? delayNs : -delayNs;
        return alongNs >= -REORDERED_NS && alongNs <= LONGEST_DELAY_NS;
    }

    /** Whether one host sends or receives two of the streams with the payloads of this one. */
    private static boolean isHeardByMany(StreamPoint stream, List<Same> alike) {
        for (Same one : alike) {
            StreamPoint partner = one.partner(stream);
            for (Same other : alike) {
                StreamPoint another = other.partner(stream);
                if (log(partner) != log(another) && partner.sharesHost(another)) {
                    return true;
                }
            }
            if (partner.sharesHost(stream)) {
                return true;
            }
        }
        return false;
    }
}
