package io.offhook.proxy.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.packet.IpAddress;
import io.offhook.proxy.line.LineOutput;
import io.offhook.proxy.log.CallTrace;
import io.offhook.proxy.log.LogCategory;
import io.offhook.proxy.log.LogConfig;
import io.offhook.proxy.log.LogLevel;
import io.offhook.proxy.log.ProxyLog;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlTest {
    @TempDir
    private Path folder;

    private final ProxyLog log = new ProxyLog(
            LogConfig.of(LogLevel.WARNING), LineOutput.of(new ByteArrayOutputStream()), InstantSource.system());
    private final CallTrace trace = new CallTrace(log, InstantSource.system());
    private final FixedState state = new FixedState();
    private final List<ControlServer> servers = new ArrayList<>();
    private Path path = Path.of("");

    @BeforeEach
    void open() throws IOException {
        path = folder.resolve("own/proxy.control");
        serve();
    }

    private void serve() throws IOException {
        List<ControlCommand> commands = new ArrayList<>(LiveCommands.of(state));
        commands.add(new LogCommand(log, () -> {}));
        commands.add(new TraceCommand(trace));
        commands.add(new ControlCommand() {
            @Override
            public String name() {
                return "broken";
            }

            @Override
            public void run(ControlRequest request, ControlAnswer answer) {
                throw new IllegalStateException("a \"defect\"\n");
            }
        });
        servers.add(ControlServer.open(path, commands, log.of(LogCategory.CONTROL)));
    }

    @AfterEach
    void close() throws IOException {
        for (ControlServer server : servers) {
            server.close();
        }
        log.close();
    }

    private List<String> ask(String command, String... words) {
        try (ControlClient client = ControlClient.connect(path)) {
            return client.ask(new ControlRequest(command, List.of(words)));
        }
    }

    @Test
    void onlyItsOwnerMayOpenTheSocket() throws IOException {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("own"))))
                .isEqualTo("rwx------");
    }

    @Test
    void answersSeveralRequestsOfAConnection() {
        try (ControlClient client = ControlClient.connect(path)) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.ask(new ControlRequest("calls", List.of("state=ringing"))))
                        .containsExactly("{\"callId\":\"one@host\",\"caller\":\"sip:alice@example.com\","
                                + "\"callee\":\"sip:bob@example.com\",\"state\":\"ringing\",\"startedMs\":1000,"
                                + "\"answeredMs\":null,\"status\":180,\"source\":\"192.0.2.1:5060\",\"target\":null,"
                                + "\"lane\":0}");
            }
        }
    }

    @Test
    void selectsAndLimitsCalls() {
        assertThat(ask("calls")).hasSize(2);
        assertThat(ask("calls", "limit=1")).hasSize(1);
        assertThat(ask("calls", "with=CAROL"))
                .singleElement()
                .asString()
                .contains("two@host", "\\u001b[31mdave", "\"answeredMs\":3000", "\"target\":\"[2001:db8::1]:5061\"");
        assertThatThrownBy(() -> ask("calls", "limit=0")).hasMessage("limit=0 is not a number within 1 and 100000");
    }

    @Test
    void showsOneCallWithItsMessages() {
        assertThat(ask("call", "one@host"))
                .singleElement()
                .asString()
                .endsWith("\"messagesLeftOut\":3,\"messages\":[{\"atUs\":1000001,\"sent\":true,"
                        + "\"transport\":\"TCP\",\"from\":\"192.0.2.9:5070\",\"to\":\"192.0.2.1:5060\","
                        + "\"method\":\"INVITE\",\"status\":180,\"repeated\":true}]}");
        assertThat(ask("call", "three@host"))
                .singleElement()
                .asString()
                .startsWith("{\"callId\":\"three@host\",\"state\":\"ended\",\"messagesLeftOut\":3,");
        assertThatThrownBy(() -> ask("call", "none")).hasMessage("there is no call with the Call-ID none; see calls");
        assertThatThrownBy(() -> ask("call")).hasMessage("call takes one word: a Call-ID");
    }

    @Test
    void listsRegistrations() {
        assertThat(ask("registrations", "with=10.0.0.7"))
                .containsExactly(
                        "{\"addressOfRecord\":\"sip:alice@example.com\",\"contact\":\"sip:alice@10.0.0.7:5060\","
                                + "\"source\":\"192.0.2.1:5060\",\"registeredMs\":1,\"expiresMs\":2,\"q\":0.5,"
                                + "\"userAgent\":\"phone\"}");
        assertThat(ask("registrations", "with=nobody")).isEmpty();
    }

    @Test
    void bansAndUnbans() {
        ask("ban", "192.0.2.66", "for", "10", "m");
        ask("ban", "2001:db8::66");
        assertThat(state.bans).extracting(LiveBan::untilMs).containsExactly(600_000L, 3_600_000L);
        assertThat(ask("bans")).hasSize(2).first().asString().contains("\"address\":\"192.0.2.66\"");
        ask("unban", "192.0.2.66");
        assertThat(state.bans).singleElement().extracting(LiveBan::address).isEqualTo(IpAddress.parse("2001:db8::66"));
        assertThatThrownBy(() -> ask("unban", "192.0.2.66")).hasMessage("192.0.2.66 is not banned; see bans");
        assertThatThrownBy(() -> ask("ban", "example.com"))
                .hasMessage("\"example.com\" is not an IPv4 or IPv6 address");
        assertThatThrownBy(() -> ask("ban", "192.0.2.1", "for", "ever")).hasMessageContaining("is not a time such as");
        assertThatThrownBy(() -> ask("ban", "192.0.2.1", "for", "0", "s")).hasMessageContaining("may be banned for");
    }

    @Test
    void reloadsAndReportsWhatIsWrong() {
        assertThat(ask("reload")).containsExactly("{\"changed\":\"limits.calls: 10 to 20\"}");
        state.reload = new LiveState.Reload(false, List.of("proxy.yaml:3:1: a", "proxy.yaml:9:1: b"));
        assertThatThrownBy(() -> ask("reload"))
                .hasMessage(
                        "the old configuration stays, because the new one is wrong: proxy.yaml:3:1: a; proxy.yaml:9:1: b");
    }

    @Test
    void stopsInOrderOrNow() {
        ask("stop");
        assertThat(state.stopped).isEqualTo("in order");
        ask("stop", "now");
        assertThat(state.stopped).isEqualTo("now");
        assertThatThrownBy(() -> ask("stop", "later")).hasMessage("stop takes no word but now");
    }

    @Test
    void setsLevelsForATimeAndForGood() {
        assertThat(ask("log", "sip=debug", "for", "10", "m"))
                .contains("{\"category\":\"sip\",\"level\":\"debug\",\"returnsTo\":\"warning\",\"secondsLeft\":600}")
                .contains("{\"category\":\"dns\",\"level\":\"warning\",\"returnsTo\":\"warning\",\"secondsLeft\":0}")
                .last()
                .asString()
                .startsWith("{\"written\":");
        assertThat(log.of(LogCategory.SIP).isDebug()).isTrue();
        ask("log", "all=info", "sip=error");
        assertThat(log.of(LogCategory.DNS).level()).isEqualTo(LogLevel.INFO);
        assertThat(log.of(LogCategory.SIP).level()).isEqualTo(LogLevel.ERROR);
        for (String wrong : new String[] {"sip", "sip=loud", "zip=debug"}) {
            assertThatThrownBy(() -> ask("log", wrong)).isInstanceOf(ControlException.class);
        }
        assertThatThrownBy(() -> ask("log", "sip=trace", "for", "8d")).hasMessage("a level may be set for 1 s to 7 d");
        assertThat(log.of(LogCategory.SIP).level()).isEqualTo(LogLevel.ERROR);
    }

    @Test
    void startsAndEndsATrace() {
        assertThat(ask("trace", "caller=alice", "calls=5", "for", "2m"))
                .containsExactly(
                        "{\"part\":\"caller\",\"pattern\":\"alice\",\"calls\":0,\"messages\":0,\"bytes\":0,\"secondsLeft\":120}");
        assertThat(Objects.requireNonNull(trace.progress()).request().calls()).isEqualTo(5);
        assertThat(ask("trace", "off")).isEmpty();
        assertThat(trace.isOn()).isFalse();
        assertThatThrownBy(() -> ask("trace", "from=alice")).hasMessageContaining("trace needs caller=PATTERN");
    }

    @Test
    void aCommandThatFailsCostsOnlyItsAnswer() {
        try (ControlClient client = ControlClient.connect(path)) {
            assertThatThrownBy(() -> client.ask(new ControlRequest("broken", List.of())))
                    .isInstanceOf(ControlException.class)
                    .hasMessage("internal error (a bug in Offhook): java.lang.IllegalStateException: a \"defect\"\n");
            assertThatThrownBy(() -> client.ask(new ControlRequest("cals", List.of())))
                    .hasMessageStartingWith("there is no command cals; there are ban, bans, broken, call, calls,");
            assertThat(client.ask(new ControlRequest("calls", List.of()))).hasSize(2);
        }
    }

    @Test
    void refusesARequestThatIsTooLong() throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(path));
            channel.write(ByteBuffer.allocate(ControlRequest.MOST_OCTETS));
            ByteBuffer answer = ByteBuffer.allocate(1000);
            while (channel.read(answer) >= 0) {
                // until the server closes
            }
            assertThat(new String(answer.array(), 0, answer.position(), StandardCharsets.UTF_8))
                    .isEqualTo("{\"ok\":false,\"error\":\"the request is longer than 4096 octets\"}\n");
        }
    }

    @Test
    void understandsALineThatAPersonTypes() throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(path));
            channel.write(ByteBuffer.wrap("ban 192.0.2.9 for 2 h\n".getBytes(StandardCharsets.US_ASCII)));
            ByteBuffer answer = ByteBuffer.allocate(100);
            channel.read(answer);
            assertThat(new String(answer.array(), 0, answer.position(), StandardCharsets.UTF_8))
                    .isEqualTo("{\"ok\":true}\n");
        }
        assertThat(state.bans).singleElement().extracting(LiveBan::untilMs).isEqualTo(7_200_000L);
    }

    @Test
    void refusesMoreConnectionsThanItsLimit() {
        List<ControlClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < ControlServer.MOST_CONNECTIONS; i++) {
                ControlClient client = ControlClient.connect(path);
                client.ask(new ControlRequest("bans", List.of())); // it is served now
                clients.add(client);
            }
            assertThatThrownBy(() -> ask("bans")).isInstanceOf(ControlException.class);
        } finally {
            clients.forEach(ControlClient::close);
        }
    }

    @Test
    void removesASocketThatNobodyListensAt() throws IOException {
        Path stale = folder.resolve("own/stale.control");
        ServerSocketChannel killed = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        killed.bind(UnixDomainSocketAddress.of(stale));
        killed.close();
        assertThat(stale).exists();
        path = stale;
        serve();
        assertThat(ask("calls")).hasSize(2);
    }

    @Test
    void refusesASocketAtWhichAnotherProxyAnswers() {
        assertThatThrownBy(this::serve)
                .isInstanceOf(ControlException.class)
                .hasMessageContaining("another proxy answers at");
        assertThat(ask("calls")).hasSize(2);
    }

    @Test
    void refusesAFolderThatOthersMayEnter() throws IOException {
        Path open = Files.createDirectory(
                folder.resolve("open"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        path = open.resolve("proxy.control");
        assertThatThrownBy(this::serve).isInstanceOf(ControlException.class).hasMessageContaining("chmod 700 " + open);
    }

    @Test
    void leavesAFileThatIsNoSocketAlone() throws IOException {
        path = folder.resolve("own/notes");
        Files.writeString(path, "keep");
        assertThatThrownBy(this::serve).isInstanceOf(ControlException.class).hasMessageContaining("is no socket");
        assertThat(path).hasContent("keep");
    }

    @Test
    void refusesAPathThatTheSystemCannotTake() {
        path = folder.resolve("x".repeat(110));
        assertThatThrownBy(this::serve)
                .isInstanceOf(ControlException.class)
                .hasMessageContaining("choose a shorter one");
    }

    @Test
    void saysThatNoProxyRuns() throws IOException {
        servers.getFirst().close();
        assertThat(path).doesNotExist();
        assertThatThrownBy(() -> ask("calls"))
                .isInstanceOf(ControlException.class)
                .hasMessageContaining("no proxy runs with the control socket " + path);
    }

    @Test
    void findsTheUsualPath() {
        assertThat(ControlSocket.usual(Map.of("XDG_RUNTIME_DIR", "/run/user/7"), "max"))
                .isEqualTo(Path.of("/run/user/7/offhook/proxy.control"));
        assertThat(ControlSocket.usual(Map.of(), "root")).isEqualTo(Path.of("/run/offhook/proxy.control"));
        assertThat(ControlSocket.usual(Map.of(), "max").toString()).endsWith("/offhook-max/proxy.control");
        assertThat(new ControlConfig(true, "/x/y").path(Map.of(), "max")).isEqualTo(Path.of("/x/y"));
    }

    @Test
    void refusesWordsThatWouldEndTheLine() {
        assertThatThrownBy(() -> ask("call", "a\nstop")).isInstanceOf(ControlException.class);
        assertThatThrownBy(() -> ask("call", "x".repeat(2000))).isInstanceOf(ControlException.class);
    }
}
