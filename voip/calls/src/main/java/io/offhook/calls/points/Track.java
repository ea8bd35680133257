package io.offhook.calls.points;

import io.offhook.calls.CallReport;
import io.offhook.calls.Side;
import io.offhook.packet.Endpoint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A stream and all the points that have it: one stream a point, and further hops that a point has of it. */
final class Track {
    /** Streams without a common call or hop that are compared with one another, where SSRCs are the same. */
    private static final int MOST_CANDIDATES = 16;

    private final List<PointStream> members = new ArrayList<>();
    private final List<PointStream> hops = new ArrayList<>(0);

    private Track(PointStream first) {
        members.add(first);
    }

    /** In the order of the captures, until it is sorted along the way. */
    List<PointStream> members() {
        return members;
    }

    /** The same stream on other hops, in captures that have it as a member, too. */
    List<PointStream> hops() {
        return hops;
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
        finder.joinHops();
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
            List<PointStream> unknown = new ArrayList<>();
            for (PointStream stream : left) {
                Track track = ofSide(stream);
                track = track == null ? best(stream) : track;
                if (track == null) {
                    unknown.add(stream);
                } else {
                    index(stream, track);
                }
            }
            IdentityHashMap<PointStream, Track> rewritten = byPayloads(unknown);
            for (PointStream stream : unknown) {
                Track track = rewritten.get(stream);
                if (track == null) {
                    track = new Track(stream);
                    tracks.add(track);
                    bySsrc.computeIfAbsent(stream.ssrc(), _ -> new ArrayList<>(2))
                            .add(track);
                } else {
                    track.members.add(stream);
                }
                index(stream, track);
            }
        }

        /** What one point alone has may be another hop of what several have. */
        void joinHops() {
            List<Track> hops = new ArrayList<>();
            for (Track track : tracks) {
                PointStream stream = track.members.getFirst();
                Track whole = track.isShared() ? null : whole(stream);
                if (whole != null) {
                    whole.hops.add(stream);
                    hops.add(track);
                }
            }
            tracks.removeAll(hops);
        }

        private @Nullable Track whole(PointStream stream) {
            List<Track> candidates = new ArrayList<>(bySsrc.getOrDefault(stream.ssrc(), List.of()));
            candidates.addAll(byPayload.candidates(stream.packets()));
            int compared = 0;
            for (Track track : candidates) {
                PointStream here = track.isShared() ? track.at(stream.point()) : null;
                boolean mayBe = here != null
                        && isOfOneSide(here, stream)
                        && (here.orderByAddresses(stream) != 0 || track.isOfCall(stream));
                if (here != null && mayBe && compared++ < 2 * MOST_CANDIDATES && isSame(here, stream)) {
                    return track;
                }
            }
            return null;
        }

        private static boolean isSame(PointStream here, PointStream stream) {
            return PointComparison.of(here.packets(), stream.packets(), PointComparison.LEAST_MATCHES) != null
                    || PointComparison.rewritten(here.packets(), stream.packets()) != null;
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

        /**
         * By their payloads, where a host between the points sends them as streams of its own. All who hear one
         * announcement hear the same payloads: what several streams may be, none of them is, unless it is of their call.
         */
        private IdentityHashMap<PointStream, Track> byPayloads(List<PointStream> streams) {
            IdentityHashMap<PointStream, Track> only = new IdentityHashMap<>();
            Map<Track, List<PointStream>> claims = new LinkedHashMap<>();
            for (PointStream stream : streams) {
                List<Track> alike = new ArrayList<>();
                for (Track track : byPayload.candidates(stream.packets())) {
                    if (track.hasPayloadsOf(stream)) {
                        alike.add(track);
                    }
                }
                List<Track> ofCall =
                        alike.stream().filter(track -> track.isOfCall(stream)).toList();
                List<Track> likely = ofCall.isEmpty() ? alike : ofCall;
                if (likely.size() == 1) {
                    claims.computeIfAbsent(likely.getFirst(), _ -> new ArrayList<>(1))
                            .add(stream);
                }
            }
            claims.forEach((track, claimants) -> {
                List<PointStream> ofCall =
                        claimants.stream().filter(track::isOfCall).toList();
                List<PointStream> likely = ofCall.isEmpty() ? claimants : ofCall;
                if (likely.size() == 1) {
                    only.put(likely.getFirst(), track);
                }
            });
            return only;
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

    /** Whether a stream of another point, and of the same side as far as is known, has the payloads of a member. */
    private boolean hasPayloadsOf(PointStream stream) {
        return at(stream.point()) == null
                && members.stream()
                        .anyMatch(member -> isOfOneSide(member, stream)
                                && PointComparison.rewritten(member.packets(), stream.packets()) != null);
    }

    private static boolean isOfOneSide(PointStream one, PointStream other) {
        Side here = one.report().from();
        Side there = other.report().from();
        return here == null || there == null || here == there;
    }

    private boolean isOfCall(PointStream stream) {
        CallReport call = stream.call();
        for (PointStream member : members) {
            CallReport own = member.call();
            if (call != null && own != null && (own.hasCallId(call.callId()) || call.hasCallId(own.callId()))) {
                return true;
            }
        }
        return false;
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
