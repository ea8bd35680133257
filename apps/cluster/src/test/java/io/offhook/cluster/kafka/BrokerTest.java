package io.offhook.cluster.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cluster.codec.EventReader;
import io.offhook.cluster.codec.EventStatus;
import io.offhook.cluster.event.EventOrigin;
import io.offhook.testkit.peers.JavaProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A probe and a broker, of which one is killed by SIGKILL at moments that nobody chose. */
@Timeout(1200)
class BrokerTest {
    private static final String TOPIC = SpoolSenderMain.TOPIC;
    private static final int PARTITIONS = SpoolSenderMain.PARTITIONS;

    @TempDir
    Path folder;

    /** Incarnation and partition, and the last number that is known to be in the spool. */
    private final Map<List<Long>, Long> kept = new HashMap<>();

    private Process probe(TestBroker broker, long incarnation, int events) throws IOException {
        return new ProcessBuilder(JavaProcess.command(
                        List.of(
                                "-Xmx192m",
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "--enable-native-access=ALL-UNNAMED",
                                "-Dslf4j.internal.verbosity=ERROR"),
                        SpoolSenderMain.class,
                        folder.resolve("spool").toString(),
                        broker.servers(),
                        Long.toString(incarnation),
                        Integer.toString(events)))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private void note(long incarnation, String line) {
        String[] words = line.split(" ", -1);
        if (words[0].equals("kept") && words[words.length - 1].equals(".")) {
            kept.put(List.of(incarnation, Long.parseLong(words[1])), Long.parseLong(words[2]));
        }
    }

    /** By the rule of docs/EVENTS.md: a number that is not above the last one is a repeat, and gaps are losses. */
    private void check(TestBroker broker, String where) {
        EventReader reader = new EventReader();
        Map<List<Long>, Long> last = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> record : broker.read(TOPIC, PARTITIONS)) {
            assertThat(reader.read(record.value())).as(where).isEqualTo(EventStatus.OK);
            EventOrigin origin = reader.event().origin();
            assertThat(origin.partition()).as(where).isEqualTo(record.partition());
            List<Long> from = List.of(origin.incarnation(), (long) record.partition());
            long before = last.getOrDefault(from, 0L);
            if (origin.sequence() > before) {
                assertThat(origin.sequence()).as(where + ", " + from).isEqualTo(before + 1);
                last.put(from, origin.sequence());
            }
        }
        // one more may have been kept and not printed
        kept.forEach((from, number) ->
                assertThat(last.getOrDefault(from, 0L)).as(where + ", " + from).isBetween(number, number + 1));
    }

    @Test
    void aBrokerThatIsKilledAndStartedAgainLosesNothing() throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        try (TestBroker broker = new TestBroker(folder)) {
            broker.createTopic(TOPIC, PARTITIONS);
            int events = 12_000;
            int next = 1500 + random.nextInt(2000);
            int lines = 0;
            boolean isDone = false;
            Process probe = probe(broker, 1, events);
            try (BufferedReader out = probe.inputReader()) {
                for (String line = out.readLine(); line != null; line = out.readLine()) {
                    note(1, line);
                    isDone |= line.equals("done");
                    lines++;
                    if (lines == next) {
                        broker.kill();
                    } else if (lines == next + 1500) {
                        broker.start();
                        next = lines + 2500 + random.nextInt(2000);
                    }
                    if (lines == events) {
                        // whatever the numbers were, it is there at the end
                        broker.kill();
                        broker.start();
                    }
                }
            } finally {
                probe.destroyForcibly();
            }
            assertThat(isDone).as("seed " + seed).isTrue();
            assertThat(kept).hasSize(PARTITIONS);
            check(broker, "seed " + seed);
        }
    }

    @Test
    void whatAProbeThatIsKilledHadNotSentIsSentByTheNext() throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        try (TestBroker broker = new TestBroker(folder)) {
            broker.createTopic(TOPIC, PARTITIONS);
            for (int incarnation = 1; incarnation <= 4; incarnation++) {
                int lines = 500 + random.nextInt(6000);
                Process probe = probe(broker, incarnation, 1_000_000);
                try (BufferedReader out = probe.inputReader()) {
                    for (String line = out.readLine(); line != null; line = out.readLine()) {
                        note(incarnation, line);
                        lines--;
                        if (lines == 0) {
                            probe.toHandle().destroyForcibly(); // its output can still be read
                        }
                    }
                } finally {
                    probe.destroyForcibly();
                }
                assertThat(probe.waitFor()).as("killed").isEqualTo(137);
            }
            Process last = probe(broker, 5, 1);
            try (BufferedReader out = last.inputReader()) {
                assertThat(out.lines().toList()).endsWith("done");
            } finally {
                last.destroyForcibly();
            }
            check(broker, "seed " + seed);
        }
    }
}
