package io.offhook.cluster.spool;

import io.offhook.cluster.codec.EventWriter;
import io.offhook.cluster.event.Drops;
import io.offhook.cluster.event.Event;
import io.offhook.cluster.event.EventBody;
import io.offhook.cluster.event.EventKey;
import io.offhook.cluster.event.EventOrigin;
import io.offhook.cluster.event.EventRange;
import io.offhook.cluster.event.Octets;
import java.security.SecureRandom;

/**
 * Numbers what a probe says, and puts it into its spool: the event of a key goes to the partition of that key, and gets the next
 * number there. A number is used even if the disk does not take the event, so that readers see a gap, which a {@link Drops} then
 * explains. Any thread may send.
 */
public final class EventOutbox {
    private final Spool spool;
    private final String probe;
    private final long incarnation;
    /** Of each partition, the number of its last event. */
    private final long[] sequences;

    /**
     * An outbox with numbers of its own.
     *
     * @param spool to which nobody else appends
     * @param probe its name, see {@link EventOrigin}
     * @param incarnation of this start of the probe, see {@link #newIncarnation}
     * @param partitions of the topic, 1 or more
     */
    public EventOutbox(Spool spool, String probe, long incarnation, int partitions) {
        // checks name and incarnation
        EventOrigin first = new EventOrigin(probe, incarnation, 0, 1);
        if (partitions < 1) {
            throw new IllegalArgumentException("a topic of " + partitions + " partitions takes nothing");
        }
        this.spool = spool;
        this.probe = first.probe();
        this.incarnation = first.incarnation();
        sequences = new long[partitions];
    }

    /** A random number that no start of a probe has had; not 0. */
    public static long newIncarnation() {
        SecureRandom random = new SecureRandom();
        long incarnation = random.nextLong();
        while (incarnation == 0) {
            incarnation = random.nextLong();
        }
        return incarnation;
    }

    /**
     * Sends what has a key.
     *
     * @param atNs when it happened, nanoseconds since the epoch
     * @param key see {@link EventKey}
     */
    public SpoolStatus send(long atNs, long key, EventBody body) {
        return send(EventKey.partition(key, sequences.length), atNs, key, body);
    }

    /**
     * Sends what concerns the probe itself, and has no key.
     *
     * @param partition 0 or more, below the number of partitions
     * @param atNs when it happened, nanoseconds since the epoch
     */
    public SpoolStatus sendTo(int partition, long atNs, EventBody body) {
        return send(partition, atNs, 0, body);
    }

    private synchronized SpoolStatus send(int partition, long atNs, long key, EventBody body) {
        SpooledEvent event = encoded(partition, atNs, key, body);
        sequences[partition]++;
        return spool.append(event);
    }

    private SpooledEvent encoded(int partition, long atNs, long key, EventBody body) {
        long sequence = sequences[partition] + 1;
        Event event = new Event(new EventOrigin(probe, incarnation, partition, sequence), atNs, key, body);
        return new SpooledEvent(partition, incarnation, sequence, key, atNs, Octets.of(EventWriter.write(event)));
    }

    /**
     * Announces what the spool has lost, each loss in the partition that it concerns. To be called from time to time; what the disk
     * does not take is announced the next time. A loss that was announced is announced again, with the same range, where it is not
     * known that the announcement arrived.
     *
     * @param nowNs nanoseconds since the epoch
     * @return losses that were announced
     */
    public synchronized int announce(long nowNs) {
        int announced = 0;
        for (SpoolLoss loss : spool.toAnnounce()) {
            EventRange events = loss.events();
            int partition = events.partition() < sequences.length ? events.partition() : 0;
            Drops drops = new Drops(
                    Drops.Place.SPOOL,
                    loss.cause().counter(),
                    loss.count(),
                    loss.fromNs(),
                    loss.untilNs(),
                    false,
                    events,
                    Octets.EMPTY);
            // its number is not used if it is refused: no reader is to look for it
            if (spool.announce(loss, encoded(partition, nowNs, 0, drops)) == SpoolStatus.REFUSED) {
                break;
            }
            sequences[partition]++;
            announced++;
        }
        return announced;
    }
}
