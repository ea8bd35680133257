package io.offhook.cluster.kafka;

import io.offhook.testkit.peers.JavaProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import kafka.Kafka;
import kafka.tools.StorageTool;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** A broker of its own, which is its own controller (KRaft), on loopback: a process that can be killed and started again. */
final class TestBroker implements AutoCloseable {
    private static final List<String> OPTIONS =
            List.of("-Xmx384m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "--sun-misc-unsafe-memory-access=allow");

    private final Path folder;
    private final int port;
    private @Nullable Process process;

    TestBroker(Path folder) throws IOException {
        this.folder = folder;
        port = freePort();
        int controller = freePort();
        Files.writeString(properties(), """
                process.roles=broker,controller
                node.id=1
                controller.quorum.voters=1@127.0.0.1:%2$d
                listeners=PLAINTEXT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
                advertised.listeners=PLAINTEXT://127.0.0.1:%1$d
                controller.listener.names=CONTROLLER
                log.dirs=%3$s
                offsets.topic.replication.factor=1
                auto.create.topics.enable=false
                """.formatted(port, controller, folder.resolve("log")));
        run(
                "format",
                JavaProcess.command(
                        OPTIONS,
                        StorageTool.class,
                        "format",
                        "-t",
                        Uuid.randomUuid().toString(),
                        "-c",
                        properties().toString()));
        start();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private Path properties() {
        return folder.resolve("server.properties");
    }

    private ProcessBuilder builder(String name, List<String> command) {
        Path log = folder.resolve(name + ".txt");
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    }

    private void run(String name, List<String> command) throws IOException {
        try {
            int code = builder(name, command).start().waitFor();
            if (code != 0) {
                throw new IllegalStateException(Files.readString(folder.resolve(name + ".txt")));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    String servers() {
        return "127.0.0.1:" + port;
    }

    /** Starts it, with what is on its disk; it need not be there yet. */
    void start() throws IOException {
        process = builder(
                        "broker",
                        JavaProcess.command(OPTIONS, Kafka.class, properties().toString()))
                .start();
    }

    /** SIGKILL. */
    void kill() throws InterruptedException {
        Process running = process;
        process = null;
        if (running != null) {
            running.destroyForcibly().waitFor();
        }
    }

    private Map<String, Object> settings() {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", servers());
        settings.put("request.timeout.ms", "10000");
        settings.put("default.api.timeout.ms", "300000");
        return settings;
    }

    /** Makes a topic as soon as the broker answers. */
    void createTopic(String topic, int partitions) throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(settings())) {
            admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1)))
                    .all()
                    .get();
        }
    }

    /** All records of a topic that are there now, of each partition in order. */
    List<ConsumerRecord<byte[], byte[]>> read(String topic, int partitions) {
        List<TopicPartition> all = new ArrayList<>();
        for (int i = 0; i < partitions; i++) {
            all.add(new TopicPartition(topic, i));
        }
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings(), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(all);
            consumer.seekToBeginning(all);
            Map<TopicPartition, Long> ends = consumer.endOffsets(all);
            while (all.stream().anyMatch(each -> consumer.position(each) < ends.getOrDefault(each, 0L))) {
                consumer.poll(Duration.ofMillis(200)).forEach(records::add);
            }
        }
        return records;
    }

    @Override
    public void close() {
        Process running = process;
        process = null;
        if (running != null) {
            running.destroy();
            try {
                running.waitFor(20, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            running.destroyForcibly();
        }
    }
}
