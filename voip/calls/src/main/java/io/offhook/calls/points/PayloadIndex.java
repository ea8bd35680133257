package io.offhook.calls.points;

import io.offhook.rtp.PacketLog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the tracks that may have the payloads of a stream. Of long streams only some payloads are kept: which ones, the
 * payload itself decides, so that it is the same at all points, whenever their captures began.
 */
final class PayloadIndex {
    /** Streams with fewer packets are kept whole. */
    private static final int SHORT = 2048;

    /** One of so many payloads of a long stream is kept; a power of 2. */
    private static final int KEPT = 32;

    /** The most tracks that one payload is kept of; with more, it is an announcement to all. */
    private static final int MOST_ALIKE = 16;

    /** The fewest payloads in common. */
    private static final int FEWEST = 3;

    /** The most tracks that are worth comparing, those with most in common first. */
    private static final int MOST_CANDIDATES = 16;

    private final Map<Integer, List<Track>> tracks = new HashMap<>();

    void add(PacketLog packets, Track track) {
        for (int i = 0; i < packets.size(); i++) {
            if (isKept(packets, i)) {
                List<Track> known = tracks.computeIfAbsent(packets.print(i), _ -> new ArrayList<>(1));
                if (known.size() < MOST_ALIKE && !known.contains(track)) {
                    known.add(track);
                }
            }
        }
    }

    private static boolean isKept(PacketLog packets, int i) {
        return packets.isTelling(i) && (packets.size() < SHORT || isSample(packets.print(i)));
    }

    private static boolean isSample(int print) {
        return (print >>> 8 & KEPT - 1) == 0;
    }

    /** The tracks with some payloads in common, the likeliest first. */
    List<Track> candidates(PacketLog packets) {
        Map<Track, Integer> counts = new LinkedHashMap<>();
        for (int i = 0; i < packets.size(); i++) {
            if (packets.isTelling(i)) {
                for (Track track : tracks.getOrDefault(packets.print(i), List.of())) {
                    counts.merge(track, 1, Integer::sum);
                }
            }
        }
        return counts.entrySet().stream()
                .filter(entry -> entry.getValue() >= FEWEST)
                .sorted((a, b) -> Integer.compare(b.getValue(), a.getValue()))
                .limit(MOST_CANDIDATES)
                .map(Map.Entry::getKey)
                .toList();
    }
}
