package io.offhook.forward.stage;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;
import io.offhook.filter.PacketFilter;
import io.offhook.forward.Stage;
import io.offhook.forward.application.ForwardTypes;
import io.offhook.forward.application.StageChecks;
import io.offhook.forward.application.StageConfig;
import io.offhook.forward.application.StageContext;
import io.offhook.forward.application.StageFigure;
import io.offhook.forward.application.StageInstances;
import io.offhook.forward.application.StageType;
import io.offhook.packet.LinkType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code mirror} of a configuration: {@link MirrorStage}. It takes no part in a rehearsal, since its file is for
 * received packets.
 */
public final class MirrorStageType implements StageType<MirrorStageType.Config> {
    /**
     * The values of its keys.
     *
     * @param file the pcapng file to create
     * @param expression its filter expression; null for all
     * @param snapLength the most bytes of each packet
     * @param queue the most packets that wait for the disk, per lane
     */
    public record Config(Path file, @Nullable String expression, int snapLength, int queue) {}

    private static final ConfigKey<String> FILE =
            ConfigKey.required("file", ConfigTypes.text(4096), "The pcapng file; created anew at each start.");
    private static final ConfigKey<String> MATCH =
            ConfigKey.optional("match", ForwardTypes.EXPRESSION, "The packets, as a filter expression; default all.");
    private static final ConfigKey<Integer> SNAP_LENGTH =
            ConfigKey.of("snap-length", ConfigTypes.integer(64, 65_535), "2048", "The most bytes of a packet.");
    private static final ConfigKey<Integer> QUEUE = ConfigKey.of(
            "queue", ConfigTypes.integer(16, 65_536), "1024", "The most packets that wait for the disk, per lane.");
    private static final ConfigSchema<Config> SCHEMA = ConfigSchema.of(
            "mirror",
            "Writes packets to a file, as they are at this point of the list.",
            values -> new Config(
                    Path.of(values.get(FILE)), values.find(MATCH), values.get(SNAP_LENGTH), values.get(QUEUE)),
            FILE,
            MATCH,
            SNAP_LENGTH,
            QUEUE);

    /** For {@link java.util.ServiceLoader}. */
    public MirrorStageType() {}

    @Override
    public ConfigSchema<Config> schema() {
        return SCHEMA;
    }

    /** Two stages that write to one file would destroy it. */
    @Override
    public void check(Config config, StageChecks checks) {
        Path file = config.file().toAbsolutePath().normalize();
        for (StageConfig<?> stage : checks.before()) {
            if (stage.keys() instanceof Config other
                    && other.file().toAbsolutePath().normalize().equals(file)) {
                checks.fault(
                        "file " + file + " is used twice; line " + stage.place().line() + " has it");
                return;
            }
        }
    }

    @Override
    public void checkMachine(Config config, StageChecks checks) {
        Path file = config.file().toAbsolutePath();
        Path folder = file.getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            checks.fault("file " + config.file() + ": there is no folder " + folder);
        } else if (Files.isDirectory(file) || !Files.isWritable(Files.exists(file) ? file : folder)) {
            checks.fault("file " + config.file() + " cannot be written");
        }
    }

    @Override
    public StageInstances<Config> prepare(Config config, StageContext context) {
        MirrorFile file = new MirrorFile(config.file(), config.snapLength(), config.queue());
        String expression = config.expression();
        return new StageInstances<>() {
            @Override
            public Stage ofALane() {
                return new MirrorStage(
                        file, expression == null ? null : PacketFilter.of(expression, LinkType.ETHERNET));
            }

            @Override
            public List<StageFigure> figures() {
                return List.of(new StageFigure.FileCount(file.file(), file.packets(), file.dropped(), file.failure()));
            }

            @Override
            public void close() {
                file.close();
            }
        };
    }
}
