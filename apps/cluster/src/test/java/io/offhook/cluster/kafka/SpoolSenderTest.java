package io.offhook.cluster.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.cluster.event.EventRange;
import io.offhook.cluster.event.Octets;
import io.offhook.cluster.spool.Spool;
import io.offhook.cluster.spool.SpoolConfig;
import io.offhook.cluster.spool.SpoolLoss;
import io.offhook.cluster.spool.SpooledEvent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpoolSenderTest {
    private static final String TOPIC = "offhook.probe.p1";
    private static final int PARTITIONS = 3;

    @TempDir
    Path folder;

    private final List<MockProducer<byte[], byte[]>> producers = new ArrayList<>();
    private Spool spool;
    private SpoolSender sender;
    /** How often metadata are not there yet. */
    private int unknown;

    @BeforeEach
    void open() throws IOException {
        spool = Spool.open(new SpoolConfig(folder, 64 << 20));
        sender = new SpoolSender(spool, () -> producer(PARTITIONS), TOPIC, PARTITIONS);
    }

    @AfterEach
    void close() throws IOException {
        sender.close();
        spool.close();
    }

    private MockProducer<byte[], byte[]> producer(int partitions) {
        Node node = new Node(1, "localhost", 9);
        Node[] nodes = {node};
        List<PartitionInfo> infos = new ArrayList<>();
        for (int i = 0; i < partitions; i++) {
            infos.add(new PartitionInfo(TOPIC, i, node, nodes, nodes));
        }
        Cluster cluster = new Cluster("c", List.of(node), infos, Set.of(), Set.of());
        MockProducer<byte[], byte[]> producer =
                new MockProducer<>(cluster, false, null, new ByteArraySerializer(), new ByteArraySerializer()) {
                    @Override
                    public List<PartitionInfo> partitionsFor(String topic) {
                        if (unknown > 0) {
                            unknown--;
                            throw new TimeoutException("no metadata");
                        }
                        return super.partitionsFor(topic);
                    }
                };
        producers.add(producer);
        return producer;
    }

    private void append(int from, int until, int size) {
        for (int i = from; i <= until; i++) {
            byte[] octets = new byte[size];
            ByteBuffer.wrap(octets).putInt(i);
            spool.append(new SpooledEvent(i % PARTITIONS, 5, 1 + i / PARTITIONS, -i, 1000 + i, Octets.of(octets)));
        }
    }

    private static List<Integer> numbers(MockProducer<byte[], byte[]> producer) {
        return producer.history().stream()
                .map(each -> ByteBuffer.wrap(each.value()).getInt())
                .toList();
    }

    @Test
    void eventsGoToTheirPartitionWithTheirKeyInOrder() {
        append(0, 9, 10);
        assertThat(sender.work(0)).isEqualTo(10);
        assertThat(numbers(producers.getFirst())).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
        for (int i = 0; i < 10; i++) {
            ProducerRecord<byte[], byte[]> record =
                    producers.getFirst().history().get(i);
            assertThat(record.topic()).isEqualTo(TOPIC);
            assertThat(record.partition()).isEqualTo(i % PARTITIONS);
            assertThat(ByteBuffer.wrap(record.key()).getLong()).isEqualTo(-i);
            assertThat(record.timestamp()).isNull();
        }
        assertThat(sender.work(0)).as("each once").isZero();
    }

    @Test
    void whatKafkaAcknowledgesLeavesTheSpool() {
        append(0, 9, 10);
        sender.work(0);
        for (int i = 0; i < 4; i++) {
            producers.getFirst().completeNext();
        }
        assertThat(spool.counts().events()).isEqualTo(6);
        assertThat(sender.counts()).isEqualTo(new SenderCounts(10, 4, 0, 0, 60, ""));
    }

    @Test
    void afterAFailureAnotherProducerSendsAgainAllThatIsNotAcknowledged() {
        append(0, 9, 10);
        sender.work(0);
        MockProducer<byte[], byte[]> first = producers.getFirst();
        first.completeNext();
        first.completeNext();
        first.errorNext(new TopicAuthorizationException(TOPIC));
        assertThat(sender.work(0)).as("first it waits").isZero();
        assertThat(first.closed()).isTrue();
        assertThat(sender.work(TimeUnit.MILLISECONDS.toNanos(999))).isZero();
        assertThat(producers).hasSize(1);
        assertThat(sender.work(TimeUnit.SECONDS.toNanos(1))).isEqualTo(8);
        assertThat(numbers(producers.getLast())).containsExactly(2, 3, 4, 5, 6, 7, 8, 9);
        assertThat(sender.counts().restarts()).isOne();
        assertThat(sender.counts().reason())
                .contains("TopicAuthorizationException")
                .contains(TOPIC);
    }

    @Test
    void producersThatFailAtOnceAreMadeMoreAndMoreRarely() {
        append(0, 0, 10);
        long nowNs = 0;
        List<Long> waits = new ArrayList<>();
        sender.work(nowNs);
        for (int i = 0; i < 7; i++) {
            producers.getLast().errorNext(new TopicAuthorizationException(TOPIC));
            sender.work(nowNs);
            long from = nowNs;
            while (sender.work(nowNs) == 0) {
                nowNs += TimeUnit.SECONDS.toNanos(1);
            }
            waits.add(TimeUnit.NANOSECONDS.toSeconds(nowNs - from));
        }
        assertThat(waits).containsExactly(2L, 4L, 8L, 16L, 30L, 30L, 30L);
    }

    @Test
    void whatIsTooLargeForKafkaIsALossAndDoesNotHoldUpOthers() {
        append(0, 3, 10);
        sender.work(0);
        producers.getFirst().completeNext();
        producers.getFirst().errorNext(new RecordTooLargeException("too large"));
        producers.getFirst().completeNext();
        producers.getFirst().completeNext();
        assertThat(spool.counts().events()).isZero();
        assertThat(spool.losses())
                .containsExactly(new SpoolLoss(SpoolLoss.Cause.REJECTED, new EventRange(1, 5, 1, 1), 1, 1001, 1001));
        assertThat(sender.counts().rejected()).isOne();
        assertThat(sender.work(0)).isZero();
        assertThat(producers).hasSize(1);
    }

    @Test
    void anotherNumberOfPartitionsIsRefusedBeforeAnythingIsSent() {
        append(0, 3, 10);
        SpoolSender wrong = new SpoolSender(spool, () -> producer(4), TOPIC, PARTITIONS);
        assertThatThrownBy(() -> wrong.work(0))
                .isInstanceOf(WrongPartitionsException.class)
                .hasMessageContaining("has 4 partitions, and events were numbered for 3");
        assertThat(producers.getFirst().history()).isEmpty();
        wrong.close();
    }

    @Test
    void metadataThatAreNotThereYetAreAskedForAgain() {
        unknown = 3;
        append(0, 0, 10);
        for (int i = 0; i < 3; i++) {
            assertThat(sender.work(0)).isZero();
        }
        assertThat(sender.work(0)).isOne();
        assertThat(producers).hasSize(1);
    }

    @Test
    void noMoreIsUnderWayThanKafkasClientHasRoomFor() {
        append(0, 29, 900_000);
        assertThat(sender.work(0)).isEqualTo(18);
        assertThat(sender.work(0)).as("one at least").isOne();
        assertThat(sender.work(0)).isZero();
        assertThat(sender.counts().outstandingOctets()).isEqualTo(19L * 900_000);
        for (int i = 0; i < 10; i++) {
            producers.getFirst().completeNext();
        }
        assertThat(sender.work(0)).isEqualTo(9);
    }
}
