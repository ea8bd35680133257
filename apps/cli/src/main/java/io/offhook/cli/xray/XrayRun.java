package io.offhook.cli.xray;

import io.offhook.analysis.Analysis;
import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.analysis.CallWatcher;
import io.offhook.calls.CallReport;
import io.offhook.calls.event.SipListener;
import io.offhook.calls.event.SipPacket;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.Format;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.input.LiveInput;
import io.offhook.cli.terminal.RedrawnPage;
import io.offhook.cli.terminal.Terminal;
import io.offhook.linux.LinuxException;
import io.offhook.linux.network.NetworkDevice;
import io.offhook.live.BoundedLiveSource;
import io.offhook.monitor.Processes;
import io.offhook.monitor.XrayWatch;
import io.offhook.monitor.xray.Gap;
import io.offhook.packet.IpAddress;
import io.offhook.report.text.Times;
import io.offhook.sip.SipMessageView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One run: captures until the time is over, the process ends, or Ctrl-C. Messages wait a moment, until the sockets are known that they
 * came by; gaps wait until the evidence is complete.
 */
final class XrayRun implements CallWatcher, SipListener {
    /** Sockets are looked for once a second. */
    private static final long MESSAGE_DELAY_NS = 1_500_000_000L;

    /** How long the last gaps are waited for. */
    private static final long LAST_NS = 6_000_000_000L;

    private static final long POLL_MS = 50;

    private final Processes.Named process;
    private final XrayWatch watch;
    private final LiveInput input;
    private final OutputOptions output;
    private final Terminal terminal;
    private final RedrawnPage page;
    private final OwnEnds ends = new OwnEnds(addresses());
    private final Deque<SeenMessage> messages = new ArrayDeque<>();
    private final Set<SeenMessage> repeated = new HashSet<>();
    private final Deque<FoundGap> gaps = new ArrayDeque<>();
    private final GapFinder finder = new GapFinder(gaps::addLast);
    private final CallLog log = new CallLog();
    private final XrayTotals totals = new XrayTotals();
    private final long beganNs = System.nanoTime();
    private final long beganAtNs = Times.epochNs();
    private final Duration ownBegan = ownTime();
    private long in;
    private long out;
    private long others;
    private @Nullable IOException unwritable;

    XrayRun(Processes.Named process, XrayWatch watch, LiveInput input, OutputOptions output, Terminal terminal) {
        this.process = process;
        this.watch = watch;
        this.input = input;
        this.output = output;
        this.terminal = terminal;
        page = new RedrawnPage(terminal);
    }

    private static Set<IpAddress> addresses() {
        Set<IpAddress> addresses = new HashSet<>();
        try {
            for (NetworkDevice device : NetworkDevice.all()) {
                for (String address : device.addresses()) {
                    IpAddress parsed = IpAddress.parse(address.replaceFirst("/.*", ""));
                    if (parsed != null) {
                        addresses.add(parsed);
                    }
                }
            }
        } catch (LinuxException e) {
            return addresses; // loopback is known without
        }
        return addresses;
    }

    /** The processor time of this process, in steps of 10 ms. */
    private static Duration ownTime() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Runs for so long, or {@link BoundedLiveSource#NONE}. @return the exit code */
    int run(long durationNs) throws IOException {
        boolean isPainted = isPainted();
        // the time until now, which the JVM took to be attached to, is no part of the watch
        input.replace(BoundedLiveSource.of(input.source(), BoundedLiveSource.NONE, durationNs));
        ends.update(watch.sockets());
        input.start(!isPainted, terminal);
        AnalysisOptions options = AnalysisOptions.defaults()
                .withLanes(1)
                .withKeptCalls(AnalysisOptions.LEAST_CALLS)
                .withListener(this);
        AnalysisResult result;
        try {
            result = Analysis.watch(input.source(), options, this);
        } finally {
            page.close();
        }
        if (unwritable != null) {
            throw unwritable;
        }
        finish();
        return input.reportFaults(result.defect(), ExitCode.DONE, terminal);
    }

    private boolean isPainted() {
        return output.format() == Format.TABLE && terminal.isTerminal();
    }

    @Override
    public synchronized void message(SipMessageView message, SipPacket packet, Copy copy) {
        boolean isEarly = packet.timestampNs() < beganAtNs; // the capture was open before samples were taken
        if (!isEarly && copy != Copy.MIRRORED && !message.callId().isEmpty()) {
            SeenMessage seen = SeenMessage.of(message, packet);
            messages.addLast(seen);
            if (copy == Copy.RETRANSMISSION) {
                repeated.add(seen);
            }
        }
    }

    @Override
    public long nowNs() {
        return Times.epochNs();
    }

    @Override
    public synchronized void look(AnalysisResult standing, List<CallReport> changed) {
        ends.update(watch.sockets());
        pair(Times.epochNs() - MESSAGE_DELAY_NS);
        finder.expire(Times.epochNs() - MESSAGE_DELAY_NS);
        judge(watch.completeNs());
        if (watch.isOver()) {
            input.source().stop();
        }
        if (isPainted() && unwritable == null) {
            page.measure();
            StringBuilder text = new StringBuilder();
            try {
                new XrayText(terminal, output).page(state(), totals, text);
                page.draw(text);
            } catch (IOException | UncheckedIOException e) {
                unwritable = e instanceof IOException io ? io : ((UncheckedIOException) e).getCause();
                input.source().stop();
            }
        }
    }

    /** Pairs the messages until a moment. */
    private void pair(long untilNs) {
        while (!messages.isEmpty() && messages.getFirst().ns() <= untilNs) {
            SeenMessage message = messages.removeFirst();
            boolean isRepeated = repeated.remove(message);
            boolean isStream = message.isStream();
            boolean isOut = ends.has(message.source(), message.destination(), isStream);
            boolean isIn = ends.has(message.destination(), message.source(), isStream);
            if (isOut) {
                out++;
                log.add(message, false);
                finder.sent(message);
            }
            if (isIn) {
                in++;
                log.add(message, true);
                long queue = ends.queue(message.destination(), message.source(), isStream);
                watch.evidence().arrived(queue, message.ns(), isStream ? message.octets() : 0);
                finder.came(message, isRepeated);
            }
            if (!isIn && !isOut) {
                others++;
            }
        }
    }

    /** Judges the gaps that ended before a moment. */
    private void judge(long untilNs) {
        while (!gaps.isEmpty() && gaps.getFirst().toNs() <= untilNs) {
            FoundGap gap = gaps.removeFirst();
            SeenMessage came = gap.came();
            long queue =
                    gap.isContinued() ? Gap.NO_QUEUE : ends.queue(came.destination(), came.source(), came.isStream());
            JudgedGap judged = new JudgedGap(gap, watch.evidence().judge(new Gap(gap.fromNs(), gap.toNs(), queue)));
            totals.add(judged);
            log.add(judged);
        }
    }

    private void finish() throws IOException {
        pair(Long.MAX_VALUE);
        long lastNs = gaps.stream().mapToLong(FoundGap::toNs).max().orElse(0);
        long endNs = System.nanoTime() + LAST_NS;
        try {
            while (watch.completeNs() < lastNs && !watch.isOver() && System.nanoTime() < endNs) {
                Thread.sleep(POLL_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        judge(Long.MAX_VALUE);
        if (output.format() == Format.JSON) {
            XrayFields.json(state(), totals, terminal);
        } else {
            StringBuilder text = new StringBuilder();
            new XrayText(terminal, output).report(state(), totals, log, text);
            terminal.out().append(text);
        }
        terminal.flush();
    }

    private XrayState state() {
        long elapsedNs = System.nanoTime() - beganNs;
        return new XrayState(
                process,
                input.names(),
                beganAtNs,
                elapsedNs,
                watch.periodNs(),
                (double) ownTime().minus(ownBegan).toNanos() / Math.max(1, elapsedNs),
                watch.isOver(),
                new XrayState.Messages(in, out, others),
                finder.awaited(),
                finder.forgotten(),
                input.source().counts(),
                watch.notes());
    }
}
