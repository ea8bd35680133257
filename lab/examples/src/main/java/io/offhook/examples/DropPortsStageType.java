package io.offhook.examples;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;
import io.offhook.forward.Burst;
import io.offhook.forward.Stage;
import io.offhook.forward.application.StageContext;
import io.offhook.forward.application.StageInstances;
import io.offhook.forward.application.StageType;
import io.offhook.packet.transport.UdpView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A custom stage that a configuration can name: {@code drop-ports: {udp: [5060, 5061]}}. {@code ServiceLoader} finds it by
 * its line in {@code META-INF/services/io.offhook.forward.application.StageType}.
 */
public final class DropPortsStageType implements StageType<DropPortsStageType.Config> {
    /**
     * The values of its keys.
     *
     * @param udp ports of UDP
     */
    public record Config(List<Integer> udp) {}

    private static final ConfigKey<List<Integer>> UDP = ConfigKey.required(
                    "udp",
                    ConfigTypes.list(ConfigTypes.integer(1, 65_535), 100),
                    "Ports of UDP that nothing may go to.")
            .whileRunning();
    private static final ConfigSchema<Config> SCHEMA = ConfigSchema.of(
            "drop-ports", "Drops what goes to some ports of UDP.", values -> new Config(values.get(UDP)), UDP);

    /** Drops packets to those ports. Each lane has one instance. */
    private static final class DropPorts implements Stage {
        private final UdpView udp = new UdpView();
        private volatile boolean[] isDropped = new boolean[0];

        void take(Config config) {
            boolean[] ports = new boolean[65_536];
            config.udp().forEach(port -> ports[port] = true);
            isDropped = ports;
        }

        @Override
        public String name() {
            return "drop-ports";
        }

        @Override
        public List<String> dropCauses() {
            return List.of("UDP port");
        }

        @Override
        public void process(Burst burst) {
            boolean[] ports = isDropped;
            for (int i = 0, count = burst.count(); i < count; i++) {
                if (burst.layers(i).find(udp) && ports[udp.destinationPort()]) {
                    burst.drop(i, 0);
                }
            }
        }
    }

    /** For {@link java.util.ServiceLoader}. */
    public DropPortsStageType() {}

    @Override
    public ConfigSchema<Config> schema() {
        return SCHEMA;
    }

    @Override
    public StageInstances<Config> prepare(Config config, StageContext context) {
        List<DropPorts> ofLanes = new ArrayList<>();
        return new StageInstances<>() {
            @Override
            public Stage ofALane() {
                DropPorts stage = new DropPorts();
                stage.take(config);
                ofLanes.add(stage);
                return stage;
            }

            // the key may change while it runs: each lane takes the new ports between two bursts
            @Override
            public List<Runnable> exchange(Config before, Config after) {
                return ofLanes.stream()
                        .map(stage -> (Runnable) () -> stage.take(after))
                        .toList();
            }
        };
    }

    /** It has no effect outside of memory, so it may take part in a rehearsal. */
    @Override
    public Optional<StageInstances<Config>> rehearse(Config config, StageContext context) {
        return Optional.of(prepare(config, context));
    }
}
