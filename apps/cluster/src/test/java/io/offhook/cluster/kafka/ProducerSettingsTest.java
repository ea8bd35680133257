package io.offhook.cluster.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringReader;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.producer.Producer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProducerSettingsTest {
    private static Properties properties(String text) throws IOException {
        Properties properties = new Properties();
        properties.load(new StringReader(text));
        return properties;
    }

    @Test
    void orderAndCompletenessAreFixedAndTheRestIsUsual() {
        assertThat(ProducerSettings.of("a:1,b:2", new Properties()))
                .containsEntry("bootstrap.servers", "a:1,b:2")
                .containsEntry("acks", "all")
                .containsEntry("enable.idempotence", "true")
                .containsEntry("delivery.timeout.ms", "2147483647")
                .containsEntry("compression.type", "zstd")
                .containsEntry("compression.zstd.level", "3")
                .containsEntry("linger.ms", "100")
                .containsEntry("batch.size", "262144");
    }

    @Test
    void tlsAndSaslAreThoseOfTheUser() throws IOException {
        Map<String, Object> settings = ProducerSettings.of("a:1", properties("""
                security.protocol=SASL_SSL
                sasl.mechanism=SCRAM-SHA-512
                ssl.truststore.location=/etc/offhook/kafka.p12
                linger.ms=5
                acks=all
                """));
        assertThat(settings)
                .containsEntry("security.protocol", "SASL_SSL")
                .containsEntry("sasl.mechanism", "SCRAM-SHA-512")
                .containsEntry("ssl.truststore.location", "/etc/offhook/kafka.p12")
                .containsEntry("linger.ms", "5")
                .containsEntry("acks", "all");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "acks=1",
                "enable.idempotence=false",
                "max.in.flight.requests.per.connection=10",
                "delivery.timeout.ms=30000",
                "retries=0",
                "transactional.id=x",
                "value.serializer=a.b.C"
            })
    void whatWouldLoseEventsIsRefused(String line) throws IOException {
        Properties properties = properties(line);
        assertThatThrownBy(() -> ProducerSettings.of("a:1", properties))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(line)
                .hasMessageContaining("remove it");
    }

    @Test
    void kafkaTakesThem() throws IOException {
        Map<String, Object> settings = ProducerSettings.of("127.0.0.1:9", properties("""
                security.protocol=SASL_PLAINTEXT
                sasl.mechanism=PLAIN
                sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="p" password="s";
                """));
        try (Producer<byte[], byte[]> producer = ProducerSettings.producer(settings)) {
            producer.close(Duration.ZERO);
        }
    }
}
