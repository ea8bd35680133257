package io.offhook.cli.serve;

import io.offhook.cli.input.HepInput;
import io.offhook.collector.HepCollectorCounts;
import io.offhook.live.LiveCounts;
import io.offhook.live.LiveSource;
import io.offhook.live.WrappedLiveSource;
import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureInterface;
import io.offhook.web.data.InputState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A live source that knows how each of its inputs is doing: {@link #inputs} may be called by any thread. */
final class MeasuredSource extends WrappedLiveSource {
    private final LiveSource source;
    private final List<CaptureInterface> interfaces;
    private final long[] bytes;
    /** The same, for other threads. */
    private final AtomicLongArray shown;

    private volatile Supplier<Map<String, HepCollectorCounts>> agents = Map::of;

    /** @param source whose interfaces are all known; closed with this one */
    MeasuredSource(LiveSource source) {
        super(source);
        this.source = source;
        interfaces = source.interfaces();
        bytes = new long[interfaces.size()];
        shown = new AtomicLongArray(bytes.length);
    }

    /** From now on, what was refused of agents is known by the name of where they send to. */
    void agents(Supplier<Map<String, HepCollectorCounts>> counts) {
        agents = counts;
    }

    /** The names of all inputs, in their order. */
    List<String> names() {
        return interfaces.stream().map(input -> String.valueOf(input.name())).toList();
    }

    /** The names of some inputs, for display: "eth0, eth1"; a bit of {@code inputs} for each, the first one lowest. */
    String names(long inputs) {
        List<String> all = names();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            if ((inputs >>> i & 1) != 0) {
                names.add(all.get(i));
            }
        }
        return String.join(", ", names);
    }

    @Override
    public boolean next(FrameBatch batch) {
        boolean isMore = source.next(batch);
        for (int i = 0; i < batch.count(); i++) {
            int from = batch.interfaceIndex(i);
            if (from < bytes.length) {
                bytes[from] += batch.capturedLength(i);
            }
        }
        for (int i = 0; i < bytes.length; i++) {
            shown.setRelease(i, bytes[i]);
        }
        return isMore;
    }

    /**
     * How each interface and each port of agents is doing.
     *
     * @param state of those that work
     * @param message for all of them, or null
     */
    List<InputState> inputs(InputState.State state, @Nullable String message) {
        List<CaptureFault> faults = source.faults();
        Map<String, HepCollectorCounts> collected = agents.get();
        List<InputState> states = new ArrayList<>(interfaces.size());
        for (int i = 0; i < interfaces.size(); i++) {
            String name = String.valueOf(interfaces.get(i).name());
            LiveCounts counts = source.counts(i);
            HepCollectorCounts refused = collected.get(name);
            String fault = fault(name, faults);
            states.add(new InputState(
                    name,
                    HepInput.isNameOfAgents(name) ? InputState.Kind.HEP : InputState.Kind.LIVE,
                    fault == null ? state : InputState.State.FAILED,
                    Double.NaN,
                    new InputState.Counts(
                            counts.delivered(),
                            shown.getAcquire(i),
                            counts.kernelDrops(),
                            counts.ringDrops(),
                            refused == null ? 0 : refused.wrongKey(),
                            refused == null ? 0 : refused.refused() - refused.wrongKey()),
                    fault == null ? message : fault));
        }
        return List.copyOf(states);
    }

    private static @Nullable String fault(String name, List<CaptureFault> faults) {
        for (CaptureFault fault : faults) {
            if (fault.file().equals(name)) {
                return fault.message();
            }
        }
        return null;
    }
}
