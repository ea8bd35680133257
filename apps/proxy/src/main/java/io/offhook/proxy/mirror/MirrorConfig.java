package io.offhook.proxy.mirror;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;
import io.offhook.config.ConfigValues;
import io.offhook.hep.HepAgent;
import io.offhook.hep.HepSender;
import io.offhook.hep.HepTarget;
import org.jspecify.annotations.Nullable;

/**
 * Where each message is mirrored to.
 *
 * @param target the collector; null to mirror nothing
 * @param agent who we are to it
 * @param queueBytes how much waits for it, for each lane, in bytes
 */
public record MirrorConfig(@Nullable HepTarget target, HepAgent agent, int queueBytes) {
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
    private static final ConfigKey<String> KEY = ConfigKey.optional(
            "auth-key", ConfigTypes.text(255), "What the collector knows this proxy by; default none.");
    private static final ConfigKey<String> NODE = ConfigKey.optional(
            "node-name", ConfigTypes.text(255), "The name by which the collector shows this proxy; default none.");
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
        String key = values.find(KEY);
        String node = values.find(NODE);
        return new MirrorConfig(
                host == null ? null : new HepTarget(host, values.get(PORT), values.get(TRANSPORT)),
                new HepAgent(values.get(CAPTURE_ID), key == null ? "" : key, node == null ? "" : node),
                (int) Math.min(values.get(QUEUE), 1 << 30));
    }

    /** Starts sending; null if nothing is mirrored. */
    public @Nullable HepSender start() {
        return target == null ? null : new HepSender(target, agent, queueBytes, null);
    }
}
