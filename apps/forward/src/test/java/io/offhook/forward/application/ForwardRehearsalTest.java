package io.offhook.forward.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.config.ConfigSchema;
import io.offhook.forward.Burst;
import io.offhook.forward.ForwardStatistics;
import io.offhook.forward.Forwarder;
import io.offhook.forward.FramePool;
import io.offhook.forward.Port;
import io.offhook.forward.Rig;
import io.offhook.forward.Stage;
import io.offhook.forward.port.MemoryPort;
import io.offhook.linux.LinuxException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ForwardRehearsalTest {
    private static final String BRIDGE = """
            ports: [{name: a, interface: e0}, {name: b, interface: e1}]
            lanes: [{ports: [a, b]}]
            stages: [bridge]
            """;

    private static ForwardConfig read(String text) {
        return ForwardConfig.reader().read(text, "f.yaml");
    }

    /** A clock that goes on by so much each time that it is looked at: what takes long does not depend on the machine. */
    private static ForwardRehearsal rehearse(ForwardConfig config, long mostNs) {
        AtomicLong nowNs = new AtomicLong(1_000_000_000_000L);
        return ForwardRehearsal.of(config, mostNs, () -> nowNs.addAndGet(10_000));
    }

    @Test
    void endsWhenItsTimeIsOver() {
        ForwardRehearsal rehearsal = rehearse(read(BRIDGE), 20_000_000);
        assertThat(rehearsal.isSteady()).isFalse();
        assertThat(rehearsal.tookNs()).isBetween(20_000_000L, 21_000_000L);
        assertThat(rehearsal.packets()).isPositive();
    }

    @Test
    void endsWhenItBecomesNoFaster() {
        ForwardRehearsal rehearsal = rehearse(read(BRIDGE), Long.MAX_VALUE);
        assertThat(rehearsal.isSteady()).isTrue();
    }

    /** Else the stages behind would be met for the first time on the wire. */
    @Test
    void packetsGoThroughTheStagesOfEverySample() throws IOException {
        Matcher sample =
                Pattern.compile("(?s)```yaml\n(.*?)```").matcher(Files.readString(Path.of("../../docs/FORWARD.md")));
        int samples = 0;
        while (sample.find()) {
            if (!sample.group(1).contains("vlan-pop")) { // strict: only packets of its VLAN pass
                ForwardRehearsal rehearsal = rehearse(read(sample.group(1)), 50_000_000);
                assertThat(rehearsal.forwarded()).as(sample.group(1)).isGreaterThan(rehearsal.packets() / 3);
                samples++;
            }
        }
        assertThat(samples).isGreaterThanOrEqualTo(4);
    }

    @Test
    void nothingOfItIsInWhatRunsAfterwards(@TempDir Path folder) {
        Path file = folder.resolve("m.pcapng");
        ForwardConfig config = read(ForwardApplicationTest.ROUTER.replace(
                "  - nat-destination",
                "  - mirror: {file: " + file + "}\n  - rate-limit: {rate: 10pps}\n  - nat-destination"));
        ForwardRehearsal rehearsal = rehearse(config, 50_000_000);
        assertThat(rehearsal.forwarded()).isPositive();
        assertThat(file).doesNotExist();
        try (FramePool pool = new FramePool(64, 1522)) {
            List<MemoryPort> ports = new ArrayList<>();
            try (ForwardApplication application = ForwardApplication.open(
                    config,
                    port -> {
                        ports.add(new MemoryPort(port.name(), Rig.MAC + ports.size(), pool));
                        return ports.getLast();
                    },
                    () -> 0,
                    Forwarder.STOP_MS)) {
                application.forwarder().cycle();
                ForwardStatistics statistics = application.forwarder().statistics();
                assertThat(statistics.dropped()).isZero();
                assertThat(statistics.counts()).isEqualTo(new ForwardStatistics.PacketCounts(0, 0, 0, 0, 0, 0, 0));
                assertThat(statistics.ports()).allMatch(port -> port.received() == 0 && port.sent() == 0);
                assertThat(application.figures())
                        .contains(
                                new StageFigure.RuleCount("deny", "udp port 7", 0),
                                new StageFigure.TableCount(
                                        "route",
                                        0,
                                        0,
                                        "neighbours were refused (key neighbor-table), or arrived too fast"));
                assertThat(pool.available()).isEqualTo(64);
            }
        }
    }

    @Test
    void packetsGoThroughPortsOfEachBackend() {
        for (String backend : List.of("afpacket", "xdp")) {
            ForwardConfig config = read("""
                    ports: [{name: a, interface: e0, backend: %1$s}, {name: b, interface: e1, backend: %1$s}]
                    lanes: [{ports: [a, b]}]
                    stages: [bridge]
                    """.formatted(backend));
            ForwardRehearsal rehearsal = rehearse(config, 50_000_000);
            assertThat(rehearsal.forwarded()).as(backend).isGreaterThan(rehearsal.packets() / 3);
        }
    }

    /** A backend that may not open what it would rehearse with. */
    private static final class Forbidden implements PortBackend {
        @Override
        public String name() {
            return "forbidden";
        }

        @Override
        public ConfigSchema<?> keys() {
            return ConfigSchema.of("forbidden", "It has no keys.", _ -> "");
        }

        @Override
        public Port open(PortRequest request) {
            throw new AssertionError("a rehearsal opens no port");
        }

        @Override
        public RehearsedPort rehearse(PortRequest request, long linkAddress) {
            throw new LinuxException("open a socket", LinuxException.EPERM);
        }
    }

    @Test
    void isInMemoryWhereABackendMayNotOpenItsOwnPorts() {
        ForwardConfig config = read(BRIDGE);
        List<ForwardConfig.PortConfig> ports = config.ports().stream()
                .map(port -> new ForwardConfig.PortConfig(
                        port.name(),
                        new Forbidden(),
                        port.interfaceName(),
                        port.ring(),
                        port.isPromiscuous(),
                        port.addresses(),
                        port.place()))
                .toList();
        ForwardRehearsal rehearsal = rehearse(
                new ForwardConfig(
                        ports,
                        config.lanes(),
                        config.run(),
                        config.sections(),
                        config.stages(),
                        config.nat(),
                        config.read()),
                20_000_000);
        assertThat(rehearsal.forwarded()).isPositive();
    }

    /** Counts what is asked of it. */
    private static final class Witness implements StageType<String> {
        final boolean rehearses;
        final Set<Stage> prepared = Collections.newSetFromMap(new IdentityHashMap<>());
        final Set<Stage> rehearsed = Collections.newSetFromMap(new IdentityHashMap<>());
        int closed;
        long packets;

        Witness(boolean rehearses) {
            this.rehearses = rehearses;
        }

        @Override
        public ConfigSchema<String> schema() {
            return ConfigSchema.of("witness", "A witness.", _ -> "");
        }

        @Override
        public StageInstances<String> prepare(String config, StageContext context) {
            return instances(prepared);
        }

        @Override
        public Optional<StageInstances<String>> rehearse(String config, StageContext context) {
            return rehearses ? Optional.of(instances(rehearsed)) : Optional.empty();
        }

        private StageInstances<String> instances(Set<Stage> made) {
            return new StageInstances<>() {
                @Override
                public Stage ofALane() {
                    Stage stage = new Stage() {
                        @Override
                        public String name() {
                            return "witness";
                        }

                        @Override
                        public void process(Burst burst) {
                            packets += burst.count();
                        }
                    };
                    made.add(stage);
                    return stage;
                }

                @Override
                public void close() {
                    closed++;
                }
            };
        }
    }

    private static ForwardConfig with(StageType<String> type) {
        ForwardConfig config = read(BRIDGE);
        List<StageConfig<?>> stages = new ArrayList<>(config.stages());
        stages.addFirst(new StageConfig<>(type, "", stages.getFirst().place()));
        return new ForwardConfig(
                config.ports(), config.lanes(), config.run(), config.sections(), stages, config.nat(), config.read());
    }

    @Test
    void stagesRehearseByInstancesOfTheirOwnWhichAreClosed() {
        Witness witness = new Witness(true);
        ForwardRehearsal rehearsal = rehearse(with(witness), 20_000_000);
        assertThat(witness.prepared).isEmpty();
        assertThat(witness.rehearsed).isNotEmpty();
        assertThat(witness.closed).isEqualTo(1);
        assertThat(witness.packets).isGreaterThanOrEqualTo(rehearsal.packets());
    }

    @Test
    void aStageThatDoesNotSayThatItCanIsLeftOut() {
        Witness witness = new Witness(false);
        assertThat(rehearse(with(witness), 20_000_000).forwarded()).isPositive();
        assertThat(witness.prepared).isEmpty();
        assertThat(witness.rehearsed).isEmpty();
        assertThat(witness.packets).isZero();
    }
}
