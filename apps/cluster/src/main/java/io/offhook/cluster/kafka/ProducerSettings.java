package io.offhook.cluster.kafka;

import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.TreeSet;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Settings of a producer. TLS and SASL are Kafka's own ({@code security.protocol}, {@code ssl.*}, {@code sasl.*}), as are all others
 * that a user gives, but for those that order and completeness depend on: these are fixed, and whoever sets them to something else
 * is told so.
 *
 * <p>A batch never expires ({@code delivery.timeout.ms}): Kafka's client would drop it and go on with the next one, and readers,
 * who pass over numbers below the last one, would lose what is sent again behind it. Waiting costs nothing: the spool takes in what
 * comes meanwhile.
 */
public final class ProducerSettings {
    private static final Map<String, Object> FIXED = Map.of(
            ProducerConfig.ACKS_CONFIG, "all",
            ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true",
            ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, "5",
            ProducerConfig.RETRIES_CONFIG, Integer.toString(Integer.MAX_VALUE),
            ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Integer.toString(Integer.MAX_VALUE),
            ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName(),
            ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());

    /** What a user may change. */
    private static final Map<String, Object> USUAL = Map.of(
            ProducerConfig.COMPRESSION_TYPE_CONFIG, "zstd",
            ProducerConfig.COMPRESSION_ZSTD_LEVEL_CONFIG, "3",
            ProducerConfig.LINGER_MS_CONFIG, "100",
            ProducerConfig.BATCH_SIZE_CONFIG, Integer.toString(256 << 10),
            // metadata that is not there yet: the sender asks again
            ProducerConfig.MAX_BLOCK_MS_CONFIG, "5000");

    private static final String TRANSACTIONAL = ProducerConfig.TRANSACTIONAL_ID_CONFIG;

    private ProducerSettings() {}

    /**
     * All settings of a producer.
     *
     * @param servers {@code host:port}, several with commas between them
     * @param users as a properties file has them
     * @throws IllegalArgumentException if a setting of the user is one that is fixed
     */
    public static Map<String, Object> of(String servers, Properties users) {
        Map<String, Object> settings = new HashMap<>(USUAL);
        for (String name : new TreeSet<>(users.stringPropertyNames())) {
            String value = users.getProperty(name).strip();
            Object fixed = FIXED.get(name);
            if ((fixed != null && !fixed.equals(value)) || name.equals(TRANSACTIONAL)) {
                throw new IllegalArgumentException("Kafka's setting " + name + "=" + value + " cannot be used: "
                        + (fixed == null ? "there are no transactions here" : "it has to be " + fixed)
                        + ", or events would be lost or change their order; remove it");
            }
            settings.put(name, value);
        }
        settings.putAll(FIXED);
        settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, servers);
        return settings;
    }

    /**
     * A producer with these settings; it connects in its own thread.
     *
     * @throws org.apache.kafka.common.KafkaException if the settings cannot work
     */
    public static Producer<byte[], byte[]> producer(Map<String, Object> settings) {
        return new KafkaProducer<>(settings);
    }
}
