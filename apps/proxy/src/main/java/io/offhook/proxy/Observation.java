package io.offhook.proxy;

import io.offhook.packet.Endpoint;
import io.offhook.proxy.config.OperationConfig;
import io.offhook.proxy.control.ControlCommand;
import io.offhook.proxy.control.ControlException;
import io.offhook.proxy.control.ControlServer;
import io.offhook.proxy.control.GroupsCommand;
import io.offhook.proxy.control.LiveCommands;
import io.offhook.proxy.control.LiveState;
import io.offhook.proxy.control.LogCommand;
import io.offhook.proxy.control.StatisticsCommand;
import io.offhook.proxy.control.TraceCommand;
import io.offhook.proxy.lane.ProxyLane;
import io.offhook.proxy.lane.ProxyLanes;
import io.offhook.proxy.line.LineFile;
import io.offhook.proxy.line.LineOutput;
import io.offhook.proxy.log.Log;
import io.offhook.proxy.log.LogCategory;
import io.offhook.proxy.log.ProxyLog;
import io.offhook.proxy.media.MediaRelay;
import io.offhook.proxy.statistics.CallRecord;
import io.offhook.proxy.statistics.CallRecords;
import io.offhook.proxy.statistics.MetricsServer;
import io.offhook.proxy.statistics.ProxyStatistics;
import io.offhook.proxy.statistics.SocketFigure;
import io.offhook.transport.DatagramAddress;
import io.offhook.transport.DatagramCounters;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What looks into the proxy: log, statistics, metrics, call records, control socket. */
final class Observation implements AutoCloseable {
    private final OperationConfig config;
    private final ProxyEnvironment environment;
    private final ProxyStatistics statistics;
    private final ProxyLog log;
    private final MessageObservation messages;
    private final @Nullable CallRecords records;
    private @Nullable MetricsServer metrics;
    private @Nullable ControlServer control;

    /**
     * Opens what is written to; {@link #start} serves.
     *
     * @param locals the addresses of the listeners
     * @param mostCalls the most calls of a lane whose messages are remembered
     */
    Observation(
            OperationConfig config,
            ProxyEnvironment environment,
            ProxyStatistics statistics,
            List<Endpoint> locals,
            int mostCalls,
            InstantSource clock)
            throws IOException {
        this.config = config;
        this.environment = environment;
        this.statistics = statistics;
        String file = config.log().file();
        LineOutput output = file == null ? environment.log() : LineFile.open(Path.of(file));
        log = new ProxyLog(config.log(), output, clock);
        String recordFile = config.statistics().callRecords();
        records = recordFile == null
                ? null
                : new CallRecords(config.statistics().callRecordQueue(), LineFile.open(Path.of(recordFile)));
        messages = new MessageObservation(config, log, locals, mostCalls, clock);
        statistics.addCauses(messages::causes);
    }

    /** Who watches messages. */
    MessageObservation messages() {
        return messages;
    }

    /** Counts and reports what media relays do; null if there are none. */
    void watch(@Nullable MediaRelay media) {
        if (media != null) {
            statistics.addCauses(media.counts());
            media.reportTo(log.of(LogCategory.MEDIA));
        }
    }

    /** Receives the calls that ended; null if nobody wants them. */
    @Nullable
    Consumer<CallRecord> callRecords() {
        CallRecords to = records;
        return to == null
                ? null
                : record -> {
                    boolean _ = to.add(record);
                };
    }

    /** The log of a category. */
    Log log(LogCategory category) {
        return log.of(category);
    }

    /** Serves what is asked for from now on. */
    void start(LiveState live, ProxyLanes lanes) throws IOException {
        log.start();
        Log limitLog = log.of(LogCategory.LIMIT);
        if (!lanes.knowsArrivals() && limitLog.isWarning()) {
            limitLog.warning("this system does not report when datagrams arrive, so queue delays lack the wait in the"
                    + " socket, and overload is not noticed; use Linux, with --enable-native-access");
        }
        statistics.add(() -> sockets(lanes));
        statistics.start();
        Endpoint address = config.statistics().metrics();
        if (address != null) {
            metrics = MetricsServer.open(address.toInetSocketAddress(), statistics);
        }
        if (config.control().isEnabled() && environment.hasControl()) {
            openControl(live);
        }
    }

    private void openControl(LiveState live) throws IOException {
        List<ControlCommand> commands = new ArrayList<>(LiveCommands.of(live));
        commands.add(new StatisticsCommand(statistics));
        commands.add(new GroupsCommand(statistics));
        commands.add(new LogCommand(log, this::reopen));
        commands.add(new TraceCommand(messages.trace()));
        Log controlLog = log.of(LogCategory.CONTROL);
        Path path = config.control().path(environment.variables(), environment.user());
        try {
            control = ControlServer.open(path, commands, controlLog);
        } catch (ControlException e) {
            if (config.control().socket() != null) {
                throw new IOException(e.getMessage(), e);
            }
            // another proxy of this user has the usual socket: this one works without
            if (controlLog.isWarning()) {
                controlLog.warning(
                        e.getMessage() + "; this proxy has no control socket: give it one by control.socket");
            }
        }
    }

    /** Takes the levels of another configuration. */
    void reload(OperationConfig after) {
        log.levels(after.log());
    }

    private void reopen() {
        if (records != null) {
            records.reopen();
        }
    }

    private static List<SocketFigure> sockets(ProxyLanes lanes) {
        List<SocketFigure> figures = new ArrayList<>();
        for (ProxyLane lane : lanes.lanes()) {
            for (DatagramCounters.SocketState socket : lane.sockets().counters().sockets()) {
                figures.add(new SocketFigure(
                        "udp " + DatagramAddress.of(socket.local()) + " lane " + lane.number(),
                        socket.receiveBufferAsked(),
                        socket.receiveBufferGiven(),
                        Math.max(socket.waitingBytes(), 0),
                        0,
                        Math.max(socket.drops(), 0)));
            }
        }
        return figures;
    }

    @Override
    public void close() {
        try {
            if (control != null) {
                control.close();
            }
        } catch (IOException e) {
            // the process ends: a socket that is left behind is found to be stale by the next one
        }
        if (metrics != null) {
            metrics.close();
        }
        statistics.close();
        messages.close();
        if (records != null) {
            records.close();
        }
        log.close();
    }
}
