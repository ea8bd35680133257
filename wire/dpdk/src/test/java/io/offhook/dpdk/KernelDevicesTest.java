package io.offhook.dpdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.testkit.network.Namespace;
import io.offhook.testkit.network.Network;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/** net_af_packet and net_tap, in namespaces joined by a veth pair, a process each, as each has an EAL of its own. */
@EnabledIf(
        value = "io.offhook.dpdk.KernelDevicesTest#isPossible",
        disabledReason = "needs root, ip (iproute2) and DPDK 22.11 (package dpdk)")
@Timeout(120)
class KernelDevicesTest {
    private static final int FRAMES = 3000;

    @AutoClose
    private final Network network = Network.pair();

    static boolean isPossible() {
        return Network.isPossible() && TestEal.isPossible();
    }

    KernelDevicesTest() throws IOException {}

    private Process start(Namespace space, String... arguments) throws IOException {
        List<String> command = space.command();
        command.addAll(ChildJvm.command(NamespaceMain.class, arguments));
        return network.start(new ProcessBuilder(command).redirectErrorStream(true));
    }

    private static BufferedReader output(Process process) {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    private static void report(Process process) throws IOException {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
    }

    private static List<String> rest(Process process, BufferedReader output) throws InterruptedException {
        List<String> lines = output.lines().toList();
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(String.join("\n", lines)).isZero();
        assertThat(lines).endsWith("closed");
        return lines;
    }

    private static List<String> frames(int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> "frame " + NamespaceMain.reported(NamespaceMain.frame(number)))
                .toList();
    }

    private static List<String> frames(List<String> lines) {
        return lines.stream().filter(line -> line.startsWith("frame ")).toList();
    }

    private void send(int count) throws Exception {
        Process sender = start(network.left(), "send", "left", Integer.toString(count));
        assertThat(rest(sender, output(sender))).contains("sent " + count, "in use 0");
    }

    @Test
    void whatAfPacketSendsAfPacketReceives() throws Exception {
        Process capture = start(network.right(), "capture", "right", "fast", "4096");
        BufferedReader output = output(capture);
        assertThat(output.readLine()).isEqualTo("port net_af_packet false true 1500 true true");
        send(FRAMES);
        report(capture);
        List<String> lines = rest(capture, output);
        assertThat(frames(lines)).isEqualTo(frames(FRAMES));
        assertThat(lines).contains("counts " + FRAMES + " " + FRAMES + " 0");
    }

    @Test
    void whatASlowConsumerCostsIsCounted() throws Exception {
        Process capture = start(network.right(), "capture", "right", "slow", "64");
        BufferedReader output = output(capture);
        assertThat(output.readLine()).startsWith("port net_af_packet");
        send(FRAMES);
        report(capture);
        List<String> lines = rest(capture, output);
        int got = frames(lines).size();
        assertThat(frames(lines)).isEqualTo(frames(got));
        assertThat(got).isBetween(1, FRAMES - 1);
        assertThat(lines).contains("counts " + FRAMES + " " + got + " " + (FRAMES - got));
    }

    /** Two would be one group of sockets, of which each packet comes to one. */
    @Test
    void anInterfaceIsCapturedOnceAndItsPortsHaveSocketsOfTheirOwn() throws Exception {
        Process process = start(network.right(), "twice", "right");
        assertThat(rest(process, output(process)))
                .anySatisfy(line -> assertThat(line)
                        .startsWith(
                                "port 0 net_af_packet_offhook0 is on right already, and net_af_packet would deliver"))
                .contains("missed 0");
    }

    @Test
    void capturesTheLongestPacketsOfTheLoopback() throws Exception {
        network.right().ip("link", "set", "lo", "up");
        Process process = start(network.right(), "loopback");
        List<String> lines = rest(process, output(process));
        assertThat(lines)
                .contains(
                        "longest 61360",
                        "frame " + NamespaceMain.reported(NamespaceMain.frame(1)),
                        "frame " + NamespaceMain.reported(NamespaceMain.longFrame(61_360)));
    }

    @Test
    void aPortThatHasNoSocketsAnyMoreIsNotStarted() throws Exception {
        Process process = start(network.right(), "again", "right");
        assertThat(rest(process, output(process)))
                .contains(
                        "port net_af_packet0 was stopped, for which net_af_packet closes its sockets: it would receive"
                                + " nothing; close it and add it again");
    }

    /** A frame beyond the MTU, as offloads merge them: the sender's side has a larger one. */
    @Test
    void cutsWhatIsLongerThanItSays() throws Exception {
        network.right().ip("link", "set", "right", "mtu", "9000");
        network.left().ip("link", "set", "left", "mtu", "9000");
        Process capture = start(network.right(), "capture", "right", "fast", "512");
        BufferedReader output = output(capture);
        // made for the MTU of then
        assertThat(output.readLine()).startsWith("port net_af_packet false true");
        network.right().ip("link", "set", "right", "mtu", "65535");
        network.left().ip("link", "set", "left", "mtu", "65535");
        Process sender = start(network.left(), "long", "left");
        assertThat(rest(sender, output(sender))).contains("sent 2");
        report(capture);
        List<String> lines = rest(capture, output);
        assertThat(lines).contains("longest 16304", "counts 2 2 0");
        assertThat(frames(lines)).first().isEqualTo("frame " + NamespaceMain.reported(TestEal.packet(16_304, 1)));
        assertThat(frames(lines).getLast()).startsWith("frame 163").doesNotStartWith("frame 16304 ");
    }

    @Test
    void endsWithAFaultWhenTheInterfaceDisappears() throws Exception {
        Process capture = start(network.right(), "capture", "right", "fast", "4096");
        BufferedReader output = output(capture);
        assertThat(output.readLine()).startsWith("port net_af_packet");
        network.right().ip("link", "del", "right");
        List<String> lines = rest(capture, output);
        assertThat(lines).contains("fault the interface has disappeared", "counts 0 0 0");
    }

    @Test
    void tapJoinsDpdkAndTheKernel() throws Exception {
        Process tap = start(network.right(), "tap", "offhooktap", "500");
        BufferedReader output = output(tap);
        assertThat(output.readLine()).isEqualTo("port net_tap false");
        List<String> lines = rest(tap, output);
        assertThat(lines).contains("kernel got 500", "counts 500 500 0");
        assertThat(frames(lines)).isEqualTo(frames(500));
    }
}
