package io.offhook.cli.reproduce;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.calls.Problem;
import io.offhook.cli.terminal.Terminal;
import io.offhook.report.text.Words;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Makes a scenario smaller while a problem stays: by delta debugging (Zeller and Hildebrandt, 2002) over transactions, provisional
 * responses and stretches of media, after pauses were shortened as far as they can be. Each candidate is played, a bounded number
 * of times.
 */
final class Minimizer {
    private static final long NS_PER_S = 1_000_000_000L;
    private static final int STRETCHES = 6;
    private static final long[] PAUSES_NS = {NS_PER_S / 2, 2 * NS_PER_S, 5 * NS_PER_S, 15 * NS_PER_S};

    private final ReproducedCall call;
    private final AnalysisOptions options;
    private final Problem.Kind problem;
    private final int mostRuns;
    private final PlayStop stop;
    private final Terminal terminal;
    private int runs;

    Minimizer(
            ReproducedCall call,
            AnalysisOptions options,
            Problem.Kind problem,
            int mostRuns,
            PlayStop stop,
            Terminal terminal) {
        this.stop = stop;
        this.call = call;
        this.options = options;
        this.problem = problem;
        this.mostRuns = mostRuns;
        this.terminal = terminal;
    }

    /**
     * What came of it.
     *
     * @param isReproduced whether the whole scenario has the problem when it is played
     * @param part the smallest that has it, or the whole
     * @param note what was done, a sentence
     */
    record Result(boolean isReproduced, ReproduceRun.Part part, String note) {}

    /**
     * Something that can be removed: messages, or packets of one side.
     *
     * @param stretch the number of the stretch of packets, from 0 on; -1 for messages
     */
    record Unit(List<LegMessage> messages, boolean isOfCaller, List<Track.Packet> packets, int stretch) {
        static Unit of(List<LegMessage> messages) {
            return new Unit(messages, messages.getFirst().isOfCaller(), List.of(), -1);
        }
    }

    Result minimize(ReproduceRun.Part whole) throws IOException {
        if (!plays(whole)) {
            return new Result(false, whole, "");
        }
        ReproduceRun.Part part = shorten(whole);
        List<Unit> units = units(part);
        DeltaDebugging<Unit> search = new DeltaDebugging<>(kept -> {
            ReproduceRun.Part candidate = of(part, kept);
            return isPlayable(candidate.leg()) && isWhole(kept) && goesOn() && plays(candidate);
        });
        List<Unit> smallest = search.minimize(units);
        String note = "Made smaller while the problem " + problem.label() + " stays: "
                + smallest.size() + " of " + Words.count(units.size(), "part") + " left after "
                + Words.count(runs, "run")
                + (stop.isStopped()
                        ? ", where it was interrupted."
                        : runs >= mostRuns ? ", the most that were allowed." : ".");
        return new Result(true, of(part, smallest), note);
    }

    /** The shortest of some limits of pauses with which the problem stays. */
    private ReproduceRun.Part shorten(ReproduceRun.Part whole) throws IOException {
        Timeline uncut = ScenarioMaker.timeline(whole.leg(), whole.longestPauseNs());
        for (long pauseNs : PAUSES_NS) {
            ReproduceRun.Part shorter = new ReproduceRun.Part(whole.leg(), whole.caller(), whole.callee(), pauseNs);
            boolean isShorter = ScenarioMaker.timeline(whole.leg(), pauseNs).endNs() < uncut.endNs();
            if (isShorter && goesOn() && plays(shorter)) {
                return shorter;
            }
        }
        return whole;
    }

    private boolean goesOn() {
        return runs < mostRuns && !stop.isStopped();
    }

    private boolean plays(ReproduceRun.Part part) throws IOException {
        runs++;
        Reproduction scenario = part.scenario(call);
        terminal.err()
                .println("run " + runs + " of " + mostRuns + " at most: "
                        + Words.count(part.leg().messages().size(), "message") + ", "
                        + Words.count(
                                scenario.callerTrack().packets().size()
                                        + scenario.calleeTrack().packets().size(),
                                "RTP packet"));
        Path folder = Files.createTempDirectory("offhook-reproduce-");
        try {
            scenario.write(folder, "");
            Playback playback = Playback.play(folder, scenario, options, stop, terminal);
            if (playback.isInterrupted()) {
                terminal.err().println("  interrupted");
                return false;
            }
            boolean isThere = playback.call() != null
                    && playback.call().problems().stream().anyMatch(any -> any.kind() == problem);
            terminal.err().println("  " + problem.label() + (isThere ? " stays" : " does not occur"));
            if (!playback.isPassed() && runs == 1) {
                playback.said().lines().forEach(terminal::error);
            }
            return isThere && playback.isPassed();
        } finally {
            delete(folder);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
        }
        Files.deleteIfExists(folder);
    }

    /** Whether the caller still begins: sipp calls whom a script of its own does not wait for. */
    private static boolean isPlayable(CallLeg leg) {
        return !leg.messages().isEmpty()
                && leg.messages().getFirst().isOfCaller()
                && leg.messages().getFirst().isRequest();
    }

    /** Whether the media of each side is without a hole, which would be a loss that the call did not have. */
    static boolean isWhole(List<Unit> units) {
        int[] last = {-1, -1};
        for (Unit unit : units) {
            int side = unit.isOfCaller ? 0 : 1;
            if (unit.stretch >= 0 && last[side] >= 0 && unit.stretch != last[side] + 1) {
                return false;
            }
            last[side] = unit.stretch >= 0 ? unit.stretch : last[side];
        }
        return true;
    }

    /** The parts of a scenario: transactions with their ACK, each provisional response, and stretches of media of each side. */
    static List<Unit> units(ReproduceRun.Part part) {
        List<Unit> units = new ArrayList<>();
        List<LegMessage> taken = new ArrayList<>();
        for (LegMessage message : part.leg().messages()) {
            if (taken.contains(message)) {
                continue;
            }
            List<LegMessage> transaction = transaction(message, part.leg());
            taken.addAll(transaction);
            units.add(Unit.of(transaction));
            for (LegMessage other : part.leg().messages()) {
                if (message.equals(other.request()) && !other.isFinal()) {
                    taken.add(other);
                    units.add(Unit.of(List.of(other)));
                }
            }
        }
        addStretches(units, part.caller(), true);
        addStretches(units, part.callee(), false);
        return units;
    }

    /** A request, its final responses, and the ACK of an INVITE. */
    private static List<LegMessage> transaction(LegMessage request, CallLeg leg) {
        List<LegMessage> transaction = new ArrayList<>();
        for (LegMessage other : leg.messages()) {
            boolean isAck = request.kept().method().equals("INVITE")
                    && other.kept().method().equals("ACK")
                    && other.isOfCaller() == request.isOfCaller()
                    && other.kept().cseqNumber() == request.kept().cseqNumber();
            if (other.equals(request) || request.equals(other.request()) && other.isFinal() || isAck) {
                transaction.add(other);
            }
        }
        return transaction;
    }

    private static void addStretches(List<Unit> units, Track track, boolean isOfCaller) {
        int size = track.packets().size();
        int stretches = Math.min(STRETCHES, size);
        for (int i = 0; i < stretches; i++) {
            int from = (int) ((long) size * i / stretches);
            int until = (int) ((long) size * (i + 1) / stretches);
            units.add(new Unit(List.of(), isOfCaller, track.packets().subList(from, until), i));
        }
    }

    /** What is left of a part with some of its units; responses whose request is gone are gone, too. */
    static ReproduceRun.Part of(ReproduceRun.Part whole, List<Unit> units) {
        List<LegMessage> messages = new ArrayList<>();
        for (LegMessage message : whole.leg().messages()) {
            boolean isLeft = units.stream().anyMatch(unit -> unit.messages().contains(message));
            LegMessage request = message.request();
            if (isLeft && (request == null || messages.contains(request))) {
                messages.add(message);
            }
        }
        return new ReproduceRun.Part(
                whole.leg().with(messages),
                track(units, whole.caller(), true),
                track(units, whole.callee(), false),
                whole.longestPauseNs());
    }

    private static Track track(List<Unit> units, Track whole, boolean isOfCaller) {
        List<Track.Packet> packets = new ArrayList<>();
        for (Unit unit : units) {
            if (unit.isOfCaller() == isOfCaller) {
                packets.addAll(unit.packets());
            }
        }
        return new Track(List.copyOf(packets), whole.leftOut(), whole.padded());
    }
}
