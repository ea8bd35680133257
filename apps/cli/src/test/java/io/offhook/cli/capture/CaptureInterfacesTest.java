package io.offhook.cli.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.CaptureNetwork;
import io.offhook.cli.command.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code offhook capture} while interfaces go down, change their MTU or disappear. */
@EnabledIf(value = "io.offhook.cli.CaptureNetwork#isPossible", disabledReason = "needs root and ip (iproute2)")
@Timeout(180)
class CaptureInterfacesTest {
    private static final String RIGHT = CaptureNetwork.RIGHT;

    @TempDir
    private Path folder;

    @AutoClose
    private final CaptureNetwork network = new CaptureNetwork();

    private void mtu(int bytes) throws IOException, InterruptedException {
        network.ip("link", "set", RIGHT, "mtu", Integer.toString(bytes));
        network.leftIp("link", "set", CaptureNetwork.LEFT, "mtu", Integer.toString(bytes));
    }

    @ParameterizedTest
    @ValueSource(strings = {"afpacket", "pcap"})
    void continuesAfterLinkDownAndMtuChange(String backend) throws Exception {
        Path file = folder.resolve("updown.pcapng");
        CaptureNetwork.Running capture = network.capture("-i", RIGHT, "-w", file.toString(), "--backend", backend);
        Path few = FileFrames.write(folder, 30);
        Path large = FileFrames.write(folder, 40, 8_000, 9_014);
        CaptureNetwork.Sender sender = network.sender(few);
        sender.send();
        network.ip("link", "set", RIGHT, "down");
        network.ip("link", "set", RIGHT, "up");
        sender.send();
        mtu(9_000);
        network.sender(large).send();
        sender.send();
        assertThat(capture.signal("INT").code()).as(capture.err()).isZero();
        List<String> expected = new ArrayList<>();
        for (Path sent : List.of(few, few, large, few)) {
            for (String frame : FileFrames.of(sent).frames()) {
                expected.add(expected.size() + frame.substring(frame.indexOf(':')));
            }
        }
        FileFrames.assertSame(FileFrames.of(file).frames(), expected);
        assertThat(capture.out()).contains("130 packets received; dropped by kernel 0, ring 0, disk 0.");
    }

    @Test
    void xdpContinuesAfterLinkDownAndCountsFramesLongerThanChunks() throws Exception {
        Path file = folder.resolve("updown.pcapng");
        CaptureNetwork.Running capture =
                network.capture("-i", RIGHT, "-w", file.toString(), "--backend", "xdp", "--format", "json");
        CaptureNetwork.Sender sender = network.sender(FileFrames.write(folder, 30));
        sender.send();
        network.ip("link", "set", RIGHT, "down");
        network.ip("link", "set", RIGHT, "up");
        sender.send();
        mtu(3_000);
        network.sender(FileFrames.write(folder, 40, 2_000, 3_014)).send();
        sender.send();
        assertThat(capture.signal("INT").code()).as(capture.err()).isZero();
        assertThat(FileFrames.of(file).frames()).hasSize(90);
        Map<String, Object> captured = CaptureResult.captured(capture);
        CaptureResult.assertAddsUp(captured, 130);
        assertThat(CaptureResult.number(captured, "kernelDrops")).isEqualTo(40);
    }

    @Test
    void continuesIfOneOfSeveralInterfacesDisappears() throws Exception {
        network.ip("link", "add", "extra", "type", "veth", "peer", "name", "other");
        network.ip("link", "set", "extra", "up");
        Path file = folder.resolve("gone.pcapng");
        CaptureNetwork.Running capture =
                network.capture("-i", "extra", "-i", RIGHT, "-w", file.toString(), "--count", "50", "--format", "json");
        network.ip("link", "del", "extra");
        network.sender(FileFrames.write(folder, 50)).send();
        assertThat(capture.code()).as(capture.err()).isEqualTo(ExitCode.UNREADABLE);
        assertThat(capture.err()).contains("offhook: extra: the interface has disappeared");
        assertThat(FileFrames.of(file).frames()).hasSize(50);
        assertThat(CaptureResult.captured(capture).get("endedBy")).isEqualTo("count");
    }

    @Test
    void endsWhenItsOnlyInterfaceDisappears() throws Exception {
        Path file = folder.resolve("alone.pcapng");
        CaptureNetwork.Running capture = network.capture("-i", RIGHT, "-w", file.toString(), "--format", "json");
        network.sender(FileFrames.write(folder, 20)).send();
        network.ip("link", "del", RIGHT);
        assertThat(capture.code()).as(capture.err()).isEqualTo(ExitCode.UNREADABLE);
        assertThat(CaptureResult.captured(capture).get("endedBy")).isEqualTo("interfaces");
        assertThat(FileFrames.of(file).interfaces()).hasSize(1);
    }
}
