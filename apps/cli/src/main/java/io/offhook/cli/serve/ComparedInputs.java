package io.offhook.cli.serve;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.kept.KeptCall;
import io.offhook.cli.input.HepInput;
import io.offhook.cli.where.CaptureComparison;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.PacketSource;
import io.offhook.web.data.CallData;
import io.offhook.web.data.CapturePoints;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntFunction;

/**
 * The inputs of a live run as points: the packets that were kept of one call are taken apart by the interface that captured
 * them, and compared as captures of several points are, each time that somebody asks. A call that goes on is compared as far
 * as it went.
 */
final class ComparedInputs implements CapturePoints {
    private final KeptOnDisk kept;
    private final AnalysisOptions options;
    /** In the order in which points are named. */
    private final List<String> inputs;

    private final boolean isOneClock;

    /**
     * Creates it.
     *
     * @param options by which calls are judged
     * @param inputs the names of the inputs of this run; others, of earlier ones, come behind them
     * @param isOneClock whether one clock stamps the packets of all interfaces
     */
    ComparedInputs(KeptOnDisk kept, AnalysisOptions options, List<String> inputs, boolean isOneClock) {
        this.kept = kept;
        this.options = options;
        this.inputs = List.copyOf(inputs);
        this.isOneClock = isOneClock;
    }

    @Override
    public Comparison compare(CallData.CallKey call) {
        try {
            KeptCall wanted = kept.wanted(List.of(call));
            List<String> names = names(wanted);
            if (names.isEmpty() && inputs.size() > 1) {
                return Comparison.failed(
                        "the packets of this call were deleted to make room, or not kept; offhook serve"
                                + " --keep-packets SIZE keeps more");
            }
            if (names.size() < 2) {
                return Comparison.NONE;
            }
            IntFunction<PacketSource> open = i -> new OneInput(kept.read(wanted), names.get(i));
            boolean hasAgents = names.stream().anyMatch(HepInput::isNameOfAgents); // with clocks of their own
            CaptureComparison compared = isOneClock && !hasAgents
                    ? CaptureComparison.ofOneRun(names, options, open)
                    : CaptureComparison.of(names, options, open);
            return new Comparison(State.READY, out -> compared.write(call.callIds(), out));
        } catch (IOException | UncheckedIOException e) {
            return Comparison.failed(String.valueOf(e.getMessage()));
        }
    }

    /** The inputs that captured while packets of a call were kept. */
    private List<String> names(KeptCall wanted) throws IOException {
        List<String> names = new ArrayList<>();
        try (PacketSource source = kept.read(wanted)) {
            for (CaptureInterface one : source.interfaces()) {
                String name = one.name();
                if (name != null && !names.contains(name)) {
                    names.add(name);
                }
            }
        }
        names.sort(Comparator.comparingInt(name -> inputs.contains(name) ? inputs.indexOf(name) : inputs.size()));
        return names;
    }
}
