package io.offhook.cli.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.testkit.network.Network;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A kamailio with Record-Route and registrar, and an rtpengine that relays all media, between phones that cannot reach
 * each other otherwise.
 *
 * <pre>
 * left 10.9.1.1 ------ 10.9.1.254 middle 10.9.2.254 ------ 10.9.2.1 right
 * </pre>
 */
final class ProxyNetwork implements AutoCloseable {
    static final String LEFT_PROXY = "10.9.1.254";
    static final String RIGHT_PROXY = "10.9.2.254";

    private static final String KAMAILIO = """
            log_stderror=yes
            fork=yes
            children=1
            disable_tcp=yes
            mhomed=1
            listen=udp:10.9.1.254:5060
            listen=udp:10.9.2.254:5060
            loadmodule "tm.so"
            loadmodule "sl.so"
            loadmodule "pv.so"
            loadmodule "siputils.so"
            loadmodule "rr.so"
            loadmodule "textops.so"
            loadmodule "usrloc.so"
            loadmodule "registrar.so"
            loadmodule "rtpengine.so"
            modparam("rtpengine", "rtpengine_sock", "udp:127.0.0.1:2223")
            request_route {
                if (is_method("REGISTER")) { save("location"); exit; }
                if (is_method("CANCEL")) { t_relay(); exit; }
                if (has_totag()) {
                    if (!loose_route()) { t_relay(); exit; }
                    if (is_method("BYE")) { rtpengine_delete(); }
                    t_relay();
                    exit;
                }
                if (!lookup("location")) { sl_send_reply("404", "Not Found"); exit; }
                record_route();
                if (has_body("application/sdp")) {
                    rtpengine_offer("replace-origin replace-session-connection direction=left direction=right");
                }
                t_on_reply("ANSWER");
                t_on_failure("REFUSED");
                t_relay();
            }
            onreply_route[ANSWER] {
                if (has_body("application/sdp")) {
                    rtpengine_answer("replace-origin replace-session-connection direction=right direction=left");
                }
            }
            failure_route[REFUSED] { rtpengine_delete(); }
            """;

    final Network network = Network.routed();

    ProxyNetwork(Path folder) throws Exception {
        Path proxyLog = folder.resolve("kamailio.log");
        try {
            network.middle().ip("link", "set", "lo", "up");
            network.left().address("l0", "10.9.1.1/24");
            network.middle().address("m0", LEFT_PROXY + "/24");
            network.middle().address("m1", RIGHT_PROXY + "/24");
            network.right().address("r0", "10.9.2.1/24");
            Process relay = network.start(new ProcessBuilder(network.middle()
                            .command(
                                    "rtpengine",
                                    "--config-file=none",
                                    "--foreground",
                                    "--log-stderr",
                                    "--table=-1",
                                    "--interface=left/" + LEFT_PROXY,
                                    "--interface=right/" + RIGHT_PROXY,
                                    "--listen-ng=127.0.0.1:2223",
                                    "--port-min=40000",
                                    "--port-max=40100"))
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("rtpengine.log").toFile()));
            Path configuration = Files.writeString(folder.resolve("kamailio.cfg"), KAMAILIO);
            // it asks the relay once at its start
            awaitUdp(2223, relay, folder.resolve("rtpengine.log"));
            Process proxy = network.start(new ProcessBuilder(network.middle()
                            .command(
                                    // in a PID namespace of its own: its children end with it, however it ends
                                    "unshare",
                                    "--pid",
                                    "--fork",
                                    "--kill-child",
                                    "kamailio",
                                    "-DD",
                                    "-m",
                                    "16",
                                    "-M",
                                    "4",
                                    "-Y",
                                    folder.toString(),
                                    "-f",
                                    configuration.toString()))
                    .redirectErrorStream(true)
                    .redirectOutput(proxyLog.toFile()));
            awaitUdp(5060, proxy, proxyLog);
        } catch (Exception | AssertionError e) {
            network.close();
            throw e;
        }
    }

    private void awaitUdp(int port, Process process, Path log) throws Exception {
        String listening = ":%04X ".formatted(port);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!network.middle().run("cat", "/proc/net/udp").contains(listening)) {
            assertThat(process.isAlive() && System.nanoTime() - end < 0)
                    .as(Files.readString(log))
                    .isTrue();
            TimeUnit.MILLISECONDS.sleep(20); // it has just been started
        }
    }

    @Override
    public void close() throws IOException {
        network.close();
    }
}
