package io.offhook.cli.serve;

import io.offhook.analysis.Analysis;
import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.analysis.inputs.SeenInputs;
import io.offhook.calls.event.SipListener;
import io.offhook.cli.calls.LiveCalls;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.command.Version;
import io.offhook.cli.input.FrameFilter;
import io.offhook.cli.input.InputOptions;
import io.offhook.cli.input.KeyOptions;
import io.offhook.cli.input.LaneOptions;
import io.offhook.cli.input.LiveInput;
import io.offhook.cli.input.LiveOptions;
import io.offhook.cli.terminal.Interruption;
import io.offhook.cli.terminal.Terminal;
import io.offhook.decrypt.EventKeys;
import io.offhook.decrypt.RtcpKeys;
import io.offhook.live.TimestampClock;
import io.offhook.pcap.PacketSource;
import io.offhook.store.CallWriter;
import io.offhook.store.Retention;
import io.offhook.store.StoreException;
import io.offhook.store.WriterSettings;
import io.offhook.store.query.SqlSocket;
import io.offhook.web.CallServer;
import io.offhook.web.ServerSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** One run of {@code offhook serve}: database, server, and what fills the database. */
final class Serving {
    private final ParseResult arguments;
    private final ServeConfig config;
    private final Terminal terminal;
    private final List<String> files;

    Serving(ParseResult arguments, ServeConfig config, Terminal terminal) {
        this.arguments = arguments;
        this.config = config;
        this.terminal = terminal;
        files = InputOptions.files(arguments, 0);
    }

    int run() throws IOException {
        boolean isLive = LiveOptions.isGiven(arguments);
        String database = arguments.optionValue("--db", String.class);
        if (!isLive && arguments.hasMatchedOption(KeptOnDisk.KEEP_PACKETS)) {
            throw new MisuseException(
                    KeptOnDisk.KEEP_PACKETS + " is for -i and --hep: the packets of files stay in these");
        }
        if (!isLive && files.isEmpty() && database == null) {
            throw new MisuseException(
                    "FILE is missing: captures to show; or use -i NAME or --hep to follow calls, or --db FILE to show those kept");
        }
        checkFilter(isLive);
        ServerSettings settings = settings();
        try (KeyOptions keys = KeyOptions.of(arguments, files);
                ServedStore store = ServedStore.open(database);
                SqlSocket _ = store.listen(terminal)) {
            store.reportMissing(terminal);
            ServedCalls calls = new ServedCalls(store);
            try (CallServer server = start(settings, calls)) {
                return isLive ? follow(store, calls, keys, server) : show(store, calls, keys, server);
            }
        } catch (StoreException e) {
            terminal.error(String.valueOf(e.getMessage()));
            return ExitCode.UNREADABLE;
        }
    }

    /** What is in a database was read before: a filter would be ignored. */
    private void checkFilter(boolean isLive) {
        FrameFilter filter = InputOptions.filter(arguments);
        if (filter == null) {
            return;
        }
        if (!isLive && files.isEmpty()) {
            throw new MisuseException(
                    "--filter is for packets of -i and of FILE; the calls of --db were analysed before. The page has filters"
                            + " for calls");
        }
        filter.check();
    }

    private CallServer start(ServerSettings settings, ServedCalls calls) {
        DroppedCaptures dropped = new DroppedCaptures(analysis(null));
        try {
            return CallServer.start(
                    settings,
                    calls,
                    dropped,
                    calls.metrics(),
                    config.alerts(),
                    failure -> terminal.defect("internal error (a bug in Offhook)", failure));
        } catch (IllegalStateException e) {
            throw new MisuseException("--listen " + e.getMessage());
        }
    }

    private ServerSettings settings() throws IOException {
        String configured = config.listen();
        String text = arguments.matchedOptionValue("--listen", configured == null ? ServeCommand.LISTEN : configured);
        try {
            return new ServerSettings(
                    address(text),
                    config.passwords(),
                    config.tls(),
                    config.isAudioAllowed() || arguments.hasMatchedOption(ServeCommand.ALLOW_AUDIO),
                    config.mostUploadBytes(),
                    Version.number());
        } catch (IllegalArgumentException e) {
            throw new MisuseException(
                    "--listen " + text + ": " + e.getMessage()
                            + ": put the hash that offhook serve --hash-password prints under passwords in the file of --config");
        }
    }

    private static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon);
        try {
            return new InetSocketAddress(
                    InetAddress.getByName(host.isEmpty() ? "127.0.0.1" : host),
                    Integer.parseInt(text.substring(colon + 1)));
        } catch (UnknownHostException | IllegalArgumentException _) {
            throw new MisuseException("--listen " + text + " is no ADDRESS:PORT such as " + ServeCommand.LISTEN);
        }
    }

    private AnalysisOptions analysis(@Nullable KeyOptions keys) {
        AnalysisOptions options = InputOptions.analysis(arguments, config.analysis());
        AnalysisOptions decrypted = keys == null ? options.withRtcp(() -> new RtcpKeys(null)) : keys.in(options);
        return decrypted.withMedia(options.media().withIntervals(true));
    }

    private void greet(CallServer server) throws IOException {
        terminal.out().append("The page is at " + server.uri() + " ; Ctrl-C ends it.\n");
        terminal.flush();
    }

    private int show(ServedStore store, ServedCalls calls, @Nullable KeyOptions keys, CallServer server)
            throws IOException {
        CountDownLatch end = new CountDownLatch(1);
        try (KeptOnDisk kept = KeptOnDisk.ofEarlier(config.packets(), store, analysis(keys), keys, terminal);
                FilledByFiles filling = files(calls);
                Interruption _ = Interruption.of(end::countDown)) {
            ServedCalls.Filling before = new EarlierCalls(kept);
            calls.filledBy(files.isEmpty() ? before : new FilledByBoth(before, filling));
            greet(server);
            if (!files.isEmpty()) {
                filling.start(store.store(), analysis(keys), keys, terminal.in());
            }
            await(end);
        }
        return ExitCode.DONE;
    }

    private FilledByFiles files(ServedCalls calls) {
        FrameFilter filter = InputOptions.filter(arguments);
        UnaryOperator<PacketSource> selection = filter == null ? UnaryOperator.identity() : filter::in;
        return new FilledByFiles(files, String.join(", ", files), calls.metrics(), selection);
    }

    private static void await(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private int follow(ServedStore store, ServedCalls calls, @Nullable KeyOptions keys, CallServer server)
            throws IOException {
        LaneOptions lanes = LaneOptions.of(arguments);
        AnalysisOptions analysis = LiveCalls.bounded(arguments, analysis(keys));
        LiveOptions options = LiveOptions.of(arguments);
        if (options.isRehearsed()) {
            LiveCalls.rehearse(options, analysis);
        }
        try (LiveInput input = LiveInput.open("serve", options, lanes.placement());
                CallWriter writer = CallWriter.start(store.store(), WriterSettings.standard());
                KeptOnDisk kept = KeptOnDisk.open(
                        arguments.optionValue(KeptOnDisk.KEEP_PACKETS, String.class),
                        config.packets(),
                        store,
                        analysis(keys),
                        keys);
                KeptOnDisk headers = kept == null && input.source().interfaces().size() > 1
                        ? KeptOnDisk.ofHeaders(store, analysis(keys), keys, terminal)
                        : null;
                EventKeys events = new EventKeys(keys == null ? null : keys.keys());
                FilledByFiles beside = files.isEmpty() ? null : files(calls);
                Retention _ = store.retain(config.retention(), terminal)) {
            MeasuredSource source = new MeasuredSource(input.source());
            input.replace(source);
            source.agents(input::collected);
            FilledLive filling =
                    new FilledLive(input.names(), source, writer, calls.metrics(), lanes.placement(), analysis.lanes());
            filling.keeping(kept);
            SeenInputs seen = seen(source);
            filling.seenAt(seen);
            filling.reading(events);
            KeptOnDisk compared = kept == null ? headers : kept;
            filling.comparing(compared, options.clock() == TimestampClock.KERNEL);
            calls.filledBy(beside == null ? filling : new FilledByBoth(filling, beside));
            if (beside != null) {
                beside.start(store.store(), analysis(keys), keys, terminal.in());
            }
            input.start(true, terminal);
            greet(server);
            SipListener messages = messages(writer, input.names(), source, seen);
            AnalysisResult result =
                    Analysis.watchWith(input.source(), analysis.withListener(messages), filling, pipeline -> {
                        events.addTo(pipeline);
                        if (seen != null) {
                            seen.addTo(pipeline);
                        }
                        if (compared != null) {
                            compared.addTo(pipeline, source.names());
                        }
                    });
            filling.end(result);
            return input.reportFaults(result.defect(), ExitCode.DONE, terminal);
        }
    }

    /** What finds out at which of several inputs calls are seen; null if there is one input only. */
    private static @Nullable SeenInputs seen(MeasuredSource source) {
        int inputs = source.names().size();
        return inputs > 1 && inputs <= SeenInputs.MOST ? new SeenInputs() : null;
    }

    /** Writes messages, each with the input that it was captured at. */
    private static SipListener messages(
            CallWriter writer, String allNames, MeasuredSource source, @Nullable SeenInputs seen) {
        SipListener any = writer.messages(allNames);
        if (seen == null) {
            return any;
        }
        List<SipListener> each = source.names().stream().map(writer::messages).toList();
        return (message, packet, copy) -> {
            int input = seen.of(packet.frameNumber());
            (input < 0 ? any : each.get(input)).message(message, packet, copy);
        };
    }
}
