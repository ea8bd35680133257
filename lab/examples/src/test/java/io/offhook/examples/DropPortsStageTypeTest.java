package io.offhook.examples;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.offhook.config.ConfigException;
import io.offhook.config.ConfigFault;
import io.offhook.forward.application.ForwardApplication;
import io.offhook.forward.application.ForwardConfig;
import io.offhook.packet.write.PacketWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** A stage and a backend of one's own, in YAML. */
class DropPortsStageTypeTest {
    private static final String BRIDGE = """
            ports:
              - {name: left, interface: m0, backend: memory}
              - {name: right, interface: m1, backend: memory}
            memory: {frames: 16}
            lanes: [{ports: [left, right]}]
            stages:
              - decode
              - drop-ports: {udp: [5060, 5061]}
              - bridge
            """;

    private static ForwardConfig read(String text) {
        return ForwardConfig.reader().read(text, "f.yaml");
    }

    private static byte[] udp(int port) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(256);
            PacketWriter writer = new PacketWriter();
            writer.begin(memory, 0)
                    .ethernet(2, 4)
                    .ipv4(0x0a000001L, 0x0a000002L)
                    .udp(1000, port);
            return memory.asSlice(0, writer.finish()).toArray(JAVA_BYTE);
        }
    }

    private static boolean passes(ForwardApplication application, int port) {
        byte[] packet = udp(port);
        MemoryBackend.last.getFirst().offer(packet);
        application.forwarder().cycle();
        byte[] sent = MemoryBackend.last.getLast().take();
        assertThat(sent).isIn(packet, new byte[0]);
        return sent.length > 0;
    }

    @Test
    void dropsWhatItsKeysSayAndTakesOthersWhileItRuns() {
        try (ForwardApplication application = ForwardApplication.open(read(BRIDGE))) {
            assertThat(passes(application, 5060)).isFalse();
            assertThat(passes(application, 5062)).isTrue();
            assertThat(application.forwarder().statistics().drops())
                    .anyMatch(drops -> drops.stage().equals("drop-ports")
                            && drops.cause().equals("UDP port")
                            && drops.packets() == 1);
            assertThat(application.reload(read(BRIDGE.replace("5060", "5062")))).isEmpty();
            assertThat(passes(application, 5060)).isTrue();
            assertThat(passes(application, 5062)).isFalse();
            assertThat(application.reload(read(BRIDGE.replace("  - drop-ports: {udp: [5060, 5061]}\n", ""))))
                    .singleElement()
                    .hasToString("f.yaml:7:3: stages[1]: is gone; it was {drop-ports: {udp: [5062, 5061]}} in line 8");
        }
    }

    @Test
    void itsKeysAreCheckedAsThoseOfBuiltInStages() {
        ConfigException e = catchThrowableOfType(
                ConfigException.class,
                () -> read(BRIDGE.replace("{udp: [5060, 5061]}", "{udp: [5060, 70000], tcp: [80]}")
                        .replace("  - bridge", "  - drop-prots\n  - drop-ports\n  - bridge")
                        .replace("frames: 16", "frames: many")));
        assertThat(e.faults())
                .extracting(ConfigFault::toString)
                .containsExactly(
                        "f.yaml:4:18: memory.frames: \"many\" is not a whole number",
                        "f.yaml:8:30: stages[1].drop-ports.udp[1]: 70000 is outside 1 to 65535",
                        "f.yaml:8:38: stages[1].drop-ports.tcp: \"tcp\" is not known; known here: udp",
                        "f.yaml:9:5: stages[2]: \"drop-prots\" is not known; did you mean \"drop-ports\"?",
                        "f.yaml:10:5: stages[3].drop-ports.udp: is missing; it is: list of: integer, 1 to 65535");
    }
}
