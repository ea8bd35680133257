package io.offhook.calls.points;

import io.offhook.calls.CallReport;
import io.offhook.calls.Side;
import io.offhook.packet.Endpoint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A stream and all the points that have it, one stream a point. */
final class Track {
    /** Streams without a common call or hop that are compared with one another, where SSRCs are the same. */
    private static final int MOST_CANDIDATES = 16;

    private final List<PointStream> members = new ArrayList<>();

    private Track(PointStream first) {
        members.add(first);
    }

    /** In the order of the captures, until it is sorted along the way. */
    List<PointStream> members() {
        return members;
    }

    @Nullable
    PointStream at(int point) {
        for (PointStream member : members) {
            if (member.point() == point) {
                return member;
            }
        }
        return null;
    }

    boolean isShared() {
        return members.size() > 1;
    }

    /** Finds which streams are the same, by SSRC and packets. The hop is the best evidence, then the call. */
    static List<Track> of(List<List<PointStream>> byPoint) {
        Finder finder = new Finder();
        byPoint.forEach(finder::add);
        return finder.tracks;
    }

    /** The tracks so far, and ways to find them. */
    private static final class Finder {
        private final List<Track> tracks = new ArrayList<>();
        private final Map<Hop, Track> byHop = new HashMap<>();
        private final Map<CallSide, List<Track>> bySide = new HashMap<>();
        private final Map<Long, List<Track>> bySsrc = new HashMap<>();
        private final PayloadIndex byPayload = new PayloadIndex();

        private record Hop(Endpoint source, Endpoint destination, long ssrc) {
            static Hop of(PointStream stream) {
                return new Hop(stream.report().source(), stream.report().destination(), stream.ssrc());
            }
        }

        private record CallSide(String callId, @Nullable Side from, long ssrc) {}

        /** Adds the streams of the next point: first those that are known to be the same as others. */
        void add(List<PointStream> streams) {
            List<PointStream> left = new ArrayList<>();
            for (PointStream stream : streams) {
                Track track = byHop.get(Hop.of(stream));
                if (track == null || !track.joins(stream)) {
                    left.add(stream);
                } else {
                    index(stream, track);
                }
            }
            for (PointStream stream : left) {
                Track track = ofSide(stream);
                track = track == null ? best(stream) : track;
                track = track == null ? byPayloads(stream) : track;
                if (track == null) {
                    track = new Track(stream);
                    tracks.add(track);
                    bySsrc.computeIfAbsent(stream.ssrc(), _ -> new ArrayList<>(2))
                            .add(track);
                }
                index(stream, track);
            }
        }

        private void index(PointStream stream, Track track) {
            byPayload.add(stream.packets(), track);
            byHop.putIfAbsent(Hop.of(stream), track);
            for (String callId : callIds(stream)) {
                List<Track> of = bySide.computeIfAbsent(
                        new CallSide(callId, stream.report().from(), stream.ssrc()), _ -> new ArrayList<>(2));
                if (!of.contains(track)) {
                    of.add(track);
                }
            }
        }

        /** By its payloads alone, where a host between the points sends it as a stream of its own. */
        private @Nullable Track byPayloads(PointStream stream) {
            Track best = null;
            int most = 0;
            for (Track track : byPayload.candidates(stream.packets())) {
                for (PointStream member : track.at(stream.point()) == null ? track.members : List.<PointStream>of()) {
                    PointComparison comparison = PointComparison.rewritten(member.packets(), stream.packets());
                    int matched = comparison == null ? 0 : comparison.matched();
                    if (matched > most) {
                        best = track;
                        most = matched;
                    }
                }
            }
            if (best != null) {
                best.members.add(stream);
            }
            return best;
        }

        private static List<String> callIds(PointStream stream) {
            CallReport call = stream.call();
            if (call == null) {
                return List.of();
            }
            List<String> ids = new ArrayList<>();
            ids.add(call.callId());
            call.dialogs().forEach(dialog -> ids.add(dialog.callId()));
            return ids;
        }

        private @Nullable Track ofSide(PointStream stream) {
            for (String callId : callIds(stream)) {
                CallSide side = new CallSide(callId, stream.report().from(), stream.ssrc());
                for (Track track : bySide.getOrDefault(side, List.of())) {
                    if (track.joins(stream)) {
                        return track;
                    }
                }
            }
            return null;
        }

        /** By its packets alone; of many streams with one SSRC, as test tools send them, only the first are compared. */
        private @Nullable Track best(PointStream stream) {
            List<Track> candidates = new ArrayList<>();
            for (Track track : bySsrc.getOrDefault(stream.ssrc(), List.of())) {
                if (candidates.size() < MOST_CANDIDATES && track.at(stream.point()) == null) {
                    candidates.add(track);
                }
            }
            Track best = null;
            int most = 0;
            for (Track track : candidates) {
                for (PointStream member : track.members) {
                    PointComparison comparison =
                            PointComparison.of(member.packets(), stream.packets(), PointComparison.LEAST_MATCHES);
                    // of several hops in one capture, the one next to this one
                    int matched = comparison == null
                            ? 0
                            : 2 * comparison.matched() + Math.abs(member.orderByAddresses(stream));
                    if (matched > most) {
                        best = track;
                        most = matched;
                    }
                }
            }
            if (best != null) {
                best.members.add(stream);
            }
            return best;
        }
    }

    /** Adds a stream that must be the same, unless it has no packet of this one, or its point has another one. */
    private boolean joins(PointStream stream) {
        boolean isSame = at(stream.point()) == null
                && members.stream()
                        .anyMatch(member -> PointComparison.ofSame(member.packets(), stream.packets()) != null);
        if (isSame) {
            members.add(stream);
        }
        return isSame;
    }
}
