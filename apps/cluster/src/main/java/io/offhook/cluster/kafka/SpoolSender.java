package io.offhook.cluster.kafka;

import io.offhook.cluster.spool.Spool;
import io.offhook.cluster.spool.SpoolLoss;
import io.offhook.cluster.spool.SpooledEvent;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;

/**
 * The role of the thread that sends what is in a spool. Events of a partition go out in their order; at most
 * {@value #MOST_OUTSTANDING} octets are handed to Kafka's client at a time, whose buffer therefore never fills. While Kafka is away,
 * its client tries again by itself. If the client gives up, it is replaced, and all that is not acknowledged is sent again.
 *
 * <p>{@link #work} and {@link #close} are for one thread.
 */
public final class SpoolSender implements AutoCloseable {
    /** Octets of events that are under way at most; Kafka's client has room for 32 MB. */
    public static final int MOST_OUTSTANDING = 16 << 20;

    private static final int MOST_AT_A_TIME = 1000;
    private static final long LEAST_WAIT_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long MOST_WAIT_NS = TimeUnit.SECONDS.toNanos(30);

    private final Spool spool;
    private final Supplier<Producer<byte[], byte[]>> producers;
    private final String topic;
    private final int partitions;

    private volatile @Nullable Attempt attempt;
    private long nextAttemptNs = Long.MIN_VALUE;
    private long waitNs = LEAST_WAIT_NS;

    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong restarts = new AtomicLong();
    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicLong rejected = new AtomicLong();
    private volatile String reason = "";

    /** A producer, from when it is made until it fails. */
    private static final class Attempt {
        private final Producer<byte[], byte[]> producer;
        private final AtomicLong outstanding = new AtomicLong();
        private boolean isChecked;
        private volatile boolean hasFailed;
        private volatile boolean hasSucceeded;

        Attempt(Producer<byte[], byte[]> producer) {
            this.producer = producer;
        }
    }

    /**
     * A sender that is not connected yet.
     *
     * @param spool from which nobody else reads
     * @param producers makes a producer, at first and after each that failed; see {@link ProducerSettings}
     * @param topic of the probe
     * @param partitions that events were numbered for, 1 or more
     */
    public SpoolSender(Spool spool, Supplier<Producer<byte[], byte[]>> producers, String topic, int partitions) {
        this.spool = spool;
        this.producers = producers;
        this.topic = topic;
        this.partitions = partitions;
    }

    /**
     * Does what can be done now, without waiting for Kafka but for its metadata at first.
     *
     * @param nowNs of a clock that only goes forward, such as {@link System#nanoTime}
     * @return events that were handed to Kafka's client
     * @throws WrongPartitionsException if the topic has another number of partitions: nothing has been sent then
     * @throws KafkaException if no producer can be made with its settings
     */
    public int work(long nowNs) {
        Attempt current = attempt;
        if (current != null && current.hasFailed) {
            giveUp(current, nowNs);
            current = null;
        }
        if (current == null) {
            if (nextAttemptNs != Long.MIN_VALUE && nowNs - nextAttemptNs < 0) {
                return 0;
            }
            current = new Attempt(producers.get());
            attempt = current;
        }
        try {
            return isReady(current) ? send(current) : 0;
        } catch (KafkaException e) {
            failed(current, e);
            return 0;
        }
    }

    private boolean isReady(Attempt current) {
        if (!current.isChecked) {
            int found;
            try {
                found = current.producer.partitionsFor(topic).size();
            } catch (org.apache.kafka.common.errors.TimeoutException e) {
                // asked again the next time, by the same producer
                reason = String.valueOf(e.getMessage());
                return false;
            }
            if (found != partitions) {
                throw new WrongPartitionsException(topic, found, partitions);
            }
            current.isChecked = true;
        }
        return true;
    }

    private int send(Attempt current) {
        long room = MOST_OUTSTANDING - current.outstanding.get();
        if (room <= 0) {
            return 0;
        }
        List<Spool.Entry> entries = spool.read(MOST_AT_A_TIME, (int) room);
        for (Spool.Entry entry : entries) {
            SpooledEvent event = entry.event();
            int size = event.octets().size();
            current.outstanding.addAndGet(size);
            // no timestamp of ours: Kafka refuses those that are an hour ahead of its clock
            ProducerRecord<byte[], byte[]> produced = new ProducerRecord<>(
                    topic, event.partition(), key(event.key()), event.octets().toArray());
            var _ = current.producer.send(produced, (_, e) -> done(current, entry, size, e));
            sent.incrementAndGet();
        }
        return entries.size();
    }

    private static byte[] key(long key) {
        return ByteBuffer.allocate(Long.BYTES).putLong(key).array();
    }

    /** Called by the thread of Kafka's client. What has arrived has, whichever producer sent it. */
    private void done(Attempt by, Spool.Entry entry, int size, @Nullable Exception failure) {
        by.outstanding.addAndGet(-size);
        if (failure == null) {
            by.hasSucceeded = true;
            acknowledged.incrementAndGet();
            spool.acknowledge(entry.position());
        } else if (failure instanceof RecordTooLargeException) {
            rejected.incrementAndGet();
            reason = String.valueOf(failure.getMessage());
            spool.giveUp(entry, SpoolLoss.Cause.REJECTED);
        } else {
            failed(by, failure);
        }
    }

    private void failed(Attempt by, Exception failure) {
        if (!by.hasFailed) {
            reason = failure.getClass().getSimpleName() + ": " + failure.getMessage();
        }
        by.hasFailed = true;
    }

    /** Nothing of a failed producer may arrive behind what the next one sends. */
    private void giveUp(Attempt failed, long nowNs) {
        attempt = null;
        try {
            failed.producer.close(Duration.ZERO);
        } catch (KafkaException e) {
            // it had failed before
        }
        spool.rewind();
        restarts.incrementAndGet();
        waitNs = failed.hasSucceeded ? LEAST_WAIT_NS : Math.min(MOST_WAIT_NS, 2 * waitNs);
        nextAttemptNs = nowNs + waitNs;
    }

    /** What it did so far; for any thread. */
    public SenderCounts counts() {
        Attempt current = attempt;
        return new SenderCounts(
                sent.get(),
                acknowledged.get(),
                rejected.get(),
                restarts.get(),
                current == null ? 0 : current.outstanding.get(),
                reason);
    }

    /** Waits for what is under way, five seconds at most; what has not arrived by then stays in the spool. */
    @Override
    public void close() {
        Attempt current = attempt;
        attempt = null;
        if (current != null) {
            current.producer.close(Duration.ofSeconds(5));
        }
    }
}
