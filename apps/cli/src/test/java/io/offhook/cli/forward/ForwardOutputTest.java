package io.offhook.cli.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.Offhook;
import io.offhook.cli.terminal.Terminal;
import io.offhook.forward.ForwardStatistics;
import io.offhook.forward.application.StageFigure;
import io.offhook.linux.network.LinkState;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForwardOutputTest {
    private static String json(long packets, OptionalDouble tscCyclesPerNs) throws IOException {
        ForwardStatistics statistics = new ForwardStatistics(
                5,
                List.of(new ForwardStatistics.PortCounts(
                        "a", "test", LinkState.NO_CARRIER, 0, 0, new ForwardStatistics.PortLosses(0, 0, 0), 0)),
                List.of(),
                List.of(new ForwardStatistics.LaneCounts(0, 1, packets, 1, 1000)),
                new ForwardStatistics.PacketCounts(0, 0, 0, 0, 0, 0, 0));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Terminal terminal = new Offhook().terminal(out, out);
        ForwardOutput.json(statistics, 9, List.of(), tscCyclesPerNs, terminal);
        terminal.flush();
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void reportsCyclesPerPacketIfTheRateIsKnown() throws IOException {
        assertThat(json(10, OptionalDouble.of(2.6))).contains("\"nsPerPacket\":100,\"cyclesPerPacket\":260");
        assertThat(json(10, OptionalDouble.empty())).contains("\"nsPerPacket\":100,\"cyclesPerPacket\":null");
        assertThat(json(0, OptionalDouble.of(2.6))).contains("\"nsPerPacket\":null,\"cyclesPerPacket\":null");
        assertThat(ForwardOutput.perPacket(100, OptionalDouble.of(2.6))).isEqualTo("100 ns, 260 TSC cycles a packet");
        assertThat(ForwardOutput.perPacket(100, OptionalDouble.empty())).isEqualTo("100 ns a packet");
    }

    @Test
    void reportsWhetherAPortCanSend() throws IOException {
        assertThat(json(0, OptionalDouble.empty())).contains("\"driver\":\"test\",\"state\":\"no-carrier\"");
    }

    @Test
    void namesTheKeyThatEnlargesATable() {
        assertThat(ForwardOutput.lacks(
                        new StageFigure.TableCount(
                                "bridge", 8192, 9000, "addresses gave way to others (key table-size)"),
                        1234))
                .isEqualTo("bridge: 1,234 addresses gave way to others (key table-size)");
        assertThat(ForwardOutput.lacks(
                        new StageFigure.TableCount(
                                "route", 1024, 2, "neighbours were refused (key neighbor-table), or arrived too fast"),
                        2))
                .isEqualTo("route: 2 neighbours were refused (key neighbor-table), or arrived too fast");
    }

    private static ForwardStatistics lost(long noBuffer, long undecided) {
        return new ForwardStatistics(
                5,
                List.of(),
                List.of(),
                List.of(),
                new ForwardStatistics.PacketCounts(0, noBuffer, 0, 0, undecided, 0, 0));
    }

    @Test
    void reportsLossesThatNoStageCaused(@TempDir Path folder) {
        assertThat(ForwardOutput.lost(lost(0, 0), null)).isEmpty();
        assertThat(ForwardOutput.lost(lost(7, 3000), lost(2, 1000)))
                .containsExactly(
                        "dropped 2,000: no stage said where to", "could not make 5: no buffer was free (key buffers)");
        Path file = folder.resolve("m.pcapng");
        assertThat(ForwardOutput.lacks(new StageFigure.FileCount(file, 1, 2000, null), 1234))
                .isEqualTo("mirror to " + file + " lacks 1,234: its queue was full (key queue)");
    }
}
