package io.offhook.cli.proxy;

import io.offhook.packet.Endpoint;
import io.offhook.packet.IpAddress;
import io.offhook.proxy.control.ControlCommand;
import io.offhook.proxy.control.ControlServer;
import io.offhook.proxy.control.LiveBan;
import io.offhook.proxy.control.LiveBinding;
import io.offhook.proxy.control.LiveCall;
import io.offhook.proxy.control.LiveCommands;
import io.offhook.proxy.control.LiveMessage;
import io.offhook.proxy.control.LiveMessages;
import io.offhook.proxy.control.LiveState;
import io.offhook.proxy.control.LogCommand;
import io.offhook.proxy.control.StatisticsCommand;
import io.offhook.proxy.control.TraceCommand;
import io.offhook.proxy.line.LineOutput;
import io.offhook.proxy.log.CallTrace;
import io.offhook.proxy.log.LogCategory;
import io.offhook.proxy.log.LogConfig;
import io.offhook.proxy.log.LogLevel;
import io.offhook.proxy.log.ProxyLog;
import io.offhook.proxy.statistics.CallState;
import io.offhook.proxy.statistics.CauseCounters;
import io.offhook.proxy.statistics.LaneStatistics;
import io.offhook.proxy.statistics.MessageKind;
import io.offhook.proxy.statistics.MessageWay;
import io.offhook.proxy.statistics.ProxyStatistics;
import io.offhook.proxy.statistics.SocketFigure;
import io.offhook.sip.SipMethod;
import io.offhook.sip.SipTransport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The control socket of a proxy whose calls, bindings and figures are always the same. */
public final class FixedProxy implements AutoCloseable {
    private static final Endpoint CALLER = Endpoint.of("192.0.2.1", 5060);
    private static final Endpoint CALLEE = Endpoint.of("2001:db8::2", 5061);
    private static final Endpoint PROXY = Endpoint.of("192.0.2.9", 5060);
    private static final long STARTED_MS = 1_800_000_000_000L;

    private final ProxyLog log = new ProxyLog(
            LogConfig.of(LogLevel.INFO), LineOutput.of(new ByteArrayOutputStream()), InstantSource.system());
    private final ProxyStatistics statistics = new ProxyStatistics(1, 64, InstantSource.system());
    private final State state = new State();
    private final ControlServer server;

    /** Why a message was dropped, here. */
    private enum Cause {
        TOO_LARGE
    }

    public FixedProxy(Path folder) throws IOException {
        List<ControlCommand> commands = new ArrayList<>(LiveCommands.of(state));
        commands.add(new LogCommand(log, () -> {}));
        commands.add(new TraceCommand(new CallTrace(log, InstantSource.system())));
        commands.add(new StatisticsCommand(statistics));
        server = ControlServer.open(folder.resolve("control/proxy"), commands, log.of(LogCategory.CONTROL));
        count();
    }

    /** One call, whose callee gets no ACK, as all of them vanish on the way. */
    private void count() {
        LaneStatistics lane = statistics.lane(0);
        int caller = lane.neighbours().row(CALLER.high(), CALLER.low(), CALLER.port(), 0);
        int callee = lane.neighbours().row(CALLEE.high(), CALLEE.low(), CALLEE.port(), 0);
        lane.callBegan();
        lane.callMoved(CallState.TRYING, CallState.ANSWERED);
        lane.message(caller, MessageWay.RECEIVED, SipMethod.INVITE, 0);
        lane.message(callee, MessageWay.SENT, SipMethod.INVITE, 0);
        lane.message(callee, MessageWay.RECEIVED, SipMethod.INVITE, 200);
        lane.message(caller, MessageWay.SENT, SipMethod.INVITE, 200);
        for (int again = 0; again < 7; again++) {
            lane.message(callee, MessageWay.RECEIVED_AGAIN, SipMethod.INVITE, 200);
            lane.message(caller, MessageWay.SENT_AGAIN, SipMethod.INVITE, 200);
            lane.message(caller, MessageWay.RECEIVED, SipMethod.ACK, 0);
            lane.message(callee, MessageWay.SENT, SipMethod.ACK, 0);
        }
        lane.message(caller, MessageWay.RECEIVED, SipMethod.ACK, 0);
        lane.message(callee, MessageWay.SENT, SipMethod.ACK, 0);
        lane.neighbours().firstProvisional(callee, 4_000_000);
        lane.neighbours().finalResponse(callee, 90_000_000);
        lane.queueDelay(50_000);
        lane.timeInProxy(MessageKind.INVITE, 70_000);
        lane.add(new CauseCounters<>("dropped", Cause.class)).add(Cause.TOO_LARGE);
        statistics.add(() -> List.of(new SocketFigure("udp 127.0.0.1:5070 lane 0", 4096, 8192, 1, 2, 3)));
    }

    /** The path of the socket. */
    public String socket() {
        return server.path().toString();
    }

    /** How it was stopped; null if it was not. */
    @Nullable
    Boolean stoppedNow() {
        return state.stoppedNow;
    }

    void refuseReload() {
        state.isReloadRefused = true;
    }

    ProxyLog log() {
        return log;
    }

    @Override
    public void close() throws IOException {
        server.close();
        statistics.close();
        log.close();
    }

    private static final class State implements LiveState {
        private final List<LiveBan> bans = new ArrayList<>();
        private volatile @Nullable Boolean stoppedNow;
        private volatile boolean isReloadRefused;

        @Override
        public List<LiveCall> calls(Predicate<LiveCall> condition, int most) {
            LiveCall call = new LiveCall(
                    "one\u001b[2J@host",
                    "sip:alice@example.com",
                    "sip:bob@example.com",
                    new LiveCall.Progress(CallState.ANSWERED, STARTED_MS, STARTED_MS + 3000, 200),
                    CALLER,
                    CALLEE,
                    0);
            LiveCall plain = new LiveCall(
                    "two@host",
                    "sip:carol@example.com",
                    "sip:dave@example.com",
                    new LiveCall.Progress(CallState.TRYING, STARTED_MS, 0, 0),
                    CALLER,
                    null,
                    1);
            return List.of(call, plain).stream().filter(condition).limit(most).toList();
        }

        @Override
        public @Nullable LiveMessages messages(String callId) {
            if (callId.equals("three")) {
                return null;
            }
            return new LiveMessages(
                    List.of(
                            message(0, CALLER, 0, false),
                            message(500, CALLER, 0, true),
                            message(700, CALLEE, 0, false),
                            message(90_000, CALLEE, 180, false)),
                    2);
        }

        /** An INVITE from the caller, or to the callee; or the callee's answer to it. */
        private static LiveMessage message(int us, Endpoint remote, int status, boolean isRepeated) {
            return new LiveMessage(
                    STARTED_MS * 1000 + us,
                    remote.equals(CALLEE) && status == 0,
                    SipTransport.UDP,
                    PROXY,
                    remote,
                    new LiveMessage.Content(SipMethod.INVITE, status, isRepeated));
        }

        @Override
        public List<LiveBinding> bindings(Predicate<LiveBinding> condition, int most) {
            LiveBinding binding = new LiveBinding(
                    "sip:alice@example.com",
                    "sip:alice@10.0.0.7:5060",
                    CALLER,
                    STARTED_MS,
                    STARTED_MS + 3_600_000,
                    700,
                    "phone 1.0");
            return List.of(binding).stream().filter(condition).limit(most).toList();
        }

        @Override
        public synchronized List<LiveBan> bans() {
            return List.copyOf(bans);
        }

        @Override
        public synchronized boolean ban(IpAddress address, long seconds) {
            return bans.add(new LiveBan(address, "by command", STARTED_MS + seconds * 1000, 4));
        }

        @Override
        public synchronized boolean unban(IpAddress address) {
            return bans.removeIf(ban -> ban.address().equals(address));
        }

        @Override
        public Reload reload() {
            return isReloadRefused
                    ? new Reload(false, List.of("proxy.yaml:3:1: there is no key limts"))
                    : new Reload(true, List.of("limits.source: 10 to 20"));
        }

        @Override
        public void stop(boolean isNow) {
            stoppedNow = isNow;
        }
    }
}
