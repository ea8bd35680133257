package io.offhook.cli;

import io.offhook.packet.LayerType;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.PacketWalker;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Remembers which frames the fragments of a datagram came in, until the datagram is whole. Of at most {@value #MAX}
 * datagrams at a time; the oldest gives way. Single-threaded.
 */
final class CallExtractFragments {
    private static final int MAX = 4096;
    private static final int MAX_FRAMES = 2048;
    private static final long[] NONE = {};

    private record Key(long a, long b, long c, long d, long identification, int scope) {}

    private final Map<Key, long[]> frames = new LinkedHashMap<>();

    /**
     * Takes a fragment into account.
     *
     * @param walker has walked its frame, or the datagram that it lies in
     * @param layer of its IP header
     * @param carriers the frames that it came in: one, unless the fragment lies in a datagram that was in pieces itself
     * @param isWhole whether the datagram is complete with it
     * @return the frames of the whole datagram; none while it is incomplete
     */
    long[] add(PacketWalker walker, int layer, int scope, long[] carriers, boolean isWhole) {
        Key key = key(walker, layer, scope);
        long[] known = frames.getOrDefault(key, NONE);
        long[] all = known.length + carriers.length > MAX_FRAMES ? known : concat(known, carriers);
        if (isWhole) {
            frames.remove(key);
            return all;
        }
        if (frames.size() == MAX && !frames.containsKey(key)) {
            frames.remove(frames.keySet().iterator().next());
        }
        frames.put(key, all);
        return NONE;
    }

    /** The frames of the incomplete datagram that one of its fragments came in with this frame; none where it is forgotten. */
    long[] with(long frameNumber) {
        for (long[] known : frames.values()) {
            for (long number : known) {
                if (number == frameNumber) {
                    return known;
                }
            }
        }
        return NONE;
    }

    private static long[] concat(long[] one, long[] other) {
        long[] all = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, all, one.length, other.length);
        return all;
    }

    private static Key key(PacketWalker walker, int layer, int scope) {
        MemorySegment segment = walker.segment();
        long header = walker.layerOffset(layer);
        if (walker.layerType(layer) == LayerType.IPV4) {
            long identification =
                    (long) NetworkOrder.u16(segment, header + 4) << 8 | NetworkOrder.u8(segment, header + 9);
            return new Key(
                    0,
                    NetworkOrder.u32(segment, header + 12),
                    0,
                    NetworkOrder.u32(segment, header + 16),
                    identification,
                    scope);
        }
        int extension = layer + 1;
        while (extension < walker.layerCount() && walker.layerType(extension) != LayerType.IPV6_FRAGMENT) {
            extension++;
        }
        long identification =
                extension < walker.layerCount() ? NetworkOrder.u32(segment, walker.layerOffset(extension) + 4) : 0;
        return new Key(
                NetworkOrder.bits64(segment, header + 8),
                NetworkOrder.bits64(segment, header + 16),
                NetworkOrder.bits64(segment, header + 24),
                NetworkOrder.bits64(segment, header + 32),
                identification,
                scope);
    }
}
