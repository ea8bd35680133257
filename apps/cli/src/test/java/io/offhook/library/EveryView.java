package io.offhook.library;

import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.walk.PacketWalker;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** All views, iterators and readers of bytes that the library exports; remembers bytes that they read, to damage them. */
final class EveryView {
    private static final int SAMPLES = 24;

    private final List<Window> windows = new ArrayList<>();
    private final Map<LayerType, List<Window>> byLayer = new EnumMap<>(LayerType.class);
    private final Map<Window, List<byte[]>> samples = new LinkedHashMap<>();

    EveryView() {
        for (Class<?> type : ExportedTypes.all()) {
            if (Window.isWindow(type)) {
                windows.addAll(Window.of(type));
            }
        }
        for (Window window : windows) {
            samples.put(window, new ArrayList<>());
            if (window.target instanceof LayerView view) {
                for (LayerType layer : LayerType.values()) {
                    if (view.reads(layer)) {
                        byLayer.computeIfAbsent(layer, _ -> new ArrayList<>()).add(window);
                    }
                }
            }
        }
    }

    /** By name, how often each type was put on something and read. */
    Map<String, Long> reads() {
        Map<String, Long> reads = new LinkedHashMap<>();
        for (Window window : windows) {
            reads.merge(window.toString(), window.reads(), Long::sum);
        }
        return reads;
    }

    /** Puts on each layer the views that are for it. */
    void onLayers(PacketWalker walker) {
        for (int i = 0; i < walker.layerCount(); i++) {
            for (Window window : byLayer.getOrDefault(walker.layerType(i), List.of())) {
                if (walker.wrap((LayerView) window.target, i)) {
                    window.readAll();
                }
            }
        }
    }

    /** Puts everything on the bytes from a place of the frame to its end, and nothing else. */
    void onBytes(MemorySegment frame, long offset, long length) {
        MemorySegment bytes = frame.asSlice(offset, length);
        byte[] octets = bytes.toArray(ValueLayout.JAVA_BYTE);
        for (Window window : windows) {
            if (read(window, bytes, octets) && octets.length > 0 && octets.length < 600) {
                List<byte[]> kept = samples.getOrDefault(window, new ArrayList<>());
                if (kept.size() < SAMPLES && kept.stream().noneMatch(sample -> Arrays.equals(sample, octets))) {
                    kept.add(octets);
                }
            }
        }
    }

    /** Random bytes of every length, and damaged ones of what was read before; everything is read, and set. */
    void onDamaged(Random random, int rounds) {
        for (int round = 0; round < rounds; round++) {
            byte[] octets = new byte[round % 160];
            random.nextBytes(octets);
            if (octets.length > 0 && round % 3 == 0) {
                Arrays.fill(octets, random.nextInt(octets.length), octets.length, (byte) 0);
            }
            for (Window window : windows) {
                readAlone(window, octets, random.nextInt());
            }
        }
        for (Map.Entry<Window, List<byte[]>> entry : samples.entrySet()) {
            for (int round = 0; round < rounds && !entry.getValue().isEmpty(); round++) {
                byte[] sample =
                        entry.getValue().get(random.nextInt(entry.getValue().size()));
                readAlone(entry.getKey(), Damage.of(sample, random), random.nextInt());
            }
        }
    }

    private static void readAlone(Window window, byte[] octets, int value) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(Math.max(octets.length, 1)).asSlice(0, octets.length);
            MemorySegment.copy(octets, 0, bytes, ValueLayout.JAVA_BYTE, 0, octets.length);
            read(window, bytes, octets);
            try {
                window.set(bytes, octets, value & 3);
                window.set(bytes, octets, value);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(window + " set on " + HexFormat.of().formatHex(octets), e);
            }
        }
    }

    private static boolean read(Window window, MemorySegment bytes, byte[] octets) {
        try {
            return window.read(bytes, octets);
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(window + " on " + HexFormat.of().formatHex(octets), e);
        }
    }
}
