package io.offhook.proxy.mirror;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;
import io.offhook.config.ConfigTypes.Placed;
import io.offhook.config.ConfigValues;
import io.offhook.hep.HepAgent;
import io.offhook.hep.HepSender;
import io.offhook.hep.HepTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where each message is mirrored to.
 *
 * @param target the collector; null to mirror nothing
 * @param captureId the number by which the collector shows this proxy, 0 to 2^32 - 1
 * @param keyFile a file whose first line is what the collector knows this proxy by; null for none
 * @param nodeName the name by which the collector shows it; "" for none
 * @param queueBytes how much waits for the collector, for each lane, in bytes
 */
public record MirrorConfig(
        @Nullable HepTarget target,
        long captureId,
        @Nullable Placed<Path> keyFile,
        String nodeName,
        int queueBytes) {
    private static final int MOST_TEXT = 255;

    private static final ConfigKey<String> HOST = ConfigKey.optional(
            "host", ConfigTypes.text(253), "The collector's name or address; default none, which mirrors nothing.");
    private static final ConfigKey<Integer> PORT =
            ConfigKey.of("port", ConfigTypes.integer(1, 65_535), "9060", "The collector's port.");
    private static final ConfigKey<HepTarget.HepTransport> TRANSPORT = ConfigKey.of(
            "transport", ConfigTypes.oneOf(HepTarget.HepTransport.class), "udp", "How messages get to it.");
    private static final ConfigKey<Long> CAPTURE_ID = ConfigKey.of(
            "capture-id",
            ConfigTypes.longInteger(0, 0xffff_ffffL),
            "1",
            "The number by which the collector shows this proxy.");
    private static final ConfigKey<Placed<Path>> KEY = ConfigKey.optional(
            "auth-key-file",
            ConfigTypes.placed(ConfigTypes.scalar("file", Path::of)),
            "A file whose first line is what the collector knows this proxy by, readable for its owner only; default"
                    + " none.");
    private static final ConfigKey<String> NODE = ConfigKey.optional(
            "node-name",
            ConfigTypes.text(MOST_TEXT),
            "The name by which the collector shows this proxy; default none.");
    private static final ConfigKey<Long> QUEUE = ConfigKey.of(
            "queue",
            ConfigTypes.bytes(64 << 10, 1 << 30),
            "4MiB",
            "How much waits for the collector, for each lane; what is beyond it is dropped and counted.");

    private static final ConfigSchema<MirrorConfig> SCHEMA = ConfigSchema.of(
            "hep",
            "Mirrors each message to a collector by HEP3.",
            MirrorConfig::of,
            HOST,
            PORT,
            TRANSPORT,
            CAPTURE_ID,
            KEY,
            NODE,
            QUEUE);

    /** The keys of the section, always the same. */
    public static ConfigSchema<MirrorConfig> schema() {
        return SCHEMA;
    }

    private static MirrorConfig of(ConfigValues values) {
        String host = values.find(HOST);
        String node = values.find(NODE);
        return new MirrorConfig(
                host == null ? null : new HepTarget(host, values.get(PORT), values.get(TRANSPORT)),
                values.get(CAPTURE_ID),
                values.find(KEY),
                node == null ? "" : node,
                (int) Math.min(values.get(QUEUE), 1 << 30));
    }

    /**
     * Starts sending; null if nothing is mirrored.
     *
     * @throws IOException if the file of the key cannot be read, or its first line is too long
     */
    public @Nullable Mirror open() throws IOException {
        return target == null ? null : new Mirror(new HepSender(target, agent(), queueBytes, null));
    }

    private HepAgent agent() throws IOException {
        if (keyFile == null) {
            return new HepAgent(captureId, "", nodeName);
        }
        String key = Files.readString(keyFile.value()).lines().findFirst().orElse("");
        if (key.length() > MOST_TEXT) {
            throw new IOException(keyFile.value() + ": the first line has " + key.length()
                    + " characters; a key has at most " + MOST_TEXT);
        }
        return new HepAgent(captureId, key, nodeName);
    }
}
