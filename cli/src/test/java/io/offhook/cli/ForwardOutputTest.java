package io.offhook.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.forward.ForwardStatistics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class ForwardOutputTest {
    private static String json(long packets, OptionalDouble tscCyclesPerNs) throws IOException {
        ForwardStatistics statistics = new ForwardStatistics(
                5,
                List.of(),
                List.of(),
                List.of(new ForwardStatistics.LaneCounts(0, 1, packets, 1, 1000)),
                0,
                0,
                0,
                0,
                0,
                0,
                0);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Terminal terminal = new Offhook().terminal(out, out);
        ForwardOutput.json(statistics, 9, List.of(), List.of(), tscCyclesPerNs, terminal);
        terminal.flush();
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void tellsCyclesOfAPacketWhereTheCountersRateIsKnown() throws IOException {
        assertThat(json(10, OptionalDouble.of(2.6))).contains("\"nsPerPacket\":100,\"cyclesPerPacket\":260");
        assertThat(json(10, OptionalDouble.empty())).contains("\"nsPerPacket\":100,\"cyclesPerPacket\":null");
        assertThat(json(0, OptionalDouble.of(2.6))).contains("\"nsPerPacket\":null,\"cyclesPerPacket\":null");
        assertThat(ForwardOutput.perPacket(100, OptionalDouble.of(2.6))).isEqualTo("100 ns, 260 TSC cycles a packet");
        assertThat(ForwardOutput.perPacket(100, OptionalDouble.empty())).isEqualTo("100 ns a packet");
    }
}
