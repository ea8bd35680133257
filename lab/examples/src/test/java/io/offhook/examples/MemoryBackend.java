package io.offhook.examples;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;
import io.offhook.forward.FramePool;
import io.offhook.forward.Port;
import io.offhook.forward.application.PortBackend;
import io.offhook.forward.application.PortRequest;
import io.offhook.forward.port.MemoryPort;
import java.util.ArrayList;
import java.util.List;

/** A backend of one's own, with keys: ports of memory, which the test gives packets to. */
public final class MemoryBackend implements PortBackend {
    private static final ConfigKey<Integer> FRAMES =
            ConfigKey.of("frames", ConfigTypes.integer(1, 1024), "64", "Buffers that the ports share.");
    private static final ConfigSchema<Integer> KEYS =
            ConfigSchema.of("memory", "Ports of memory.", values -> values.get(FRAMES), FRAMES);

    /** What the ports of an application share. */
    static final class Buffers implements PortRequest.Shared {
        final FramePool pool;
        final List<MemoryPort> ports = new ArrayList<>();

        Buffers(int frames) {
            pool = new FramePool(frames, 1522);
        }

        @Override
        public void close() {
            pool.close();
        }
    }

    /** Of the application that was opened last. */
    static List<MemoryPort> last = List.of();

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public ConfigSchema<Integer> keys() {
        return KEYS;
    }

    @Override
    public Port open(PortRequest request) {
        Buffers buffers = request.shared(Buffers.class, () -> new Buffers(request.section(KEYS)));
        long linkAddress = 0x0200_0000_0010L + buffers.ports.size();
        buffers.ports.add(new MemoryPort(request.port().name(), linkAddress, buffers.pool));
        last = buffers.ports;
        return buffers.ports.getLast();
    }
}
