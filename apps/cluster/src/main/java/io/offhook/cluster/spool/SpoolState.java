package io.offhook.cluster.spool;

import io.offhook.cluster.event.EventRange;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * What has to survive beside the events: up to which position they are acknowledged, and losses whose announcement has not arrived. Its file
 * has its full size from the start, so that it can be written on a full disk. A writer may be killed between two pages, so that
 * losses have two places, which are written in turn; each has a number, and the CRC of what is in it.
 */
final class SpoolState implements AutoCloseable {
    private static final int PAGE = 4096;
    private static final int LOSS = 56;
    /** Number, CRC, count. */
    private static final int HEAD = 16;

    private static final int PLACE = 4 * PAGE;
    private static final int SIZE = PAGE + 2 * PLACE;

    private final RandomAccessFile file;
    private long number;

    private SpoolState(RandomAccessFile file) {
        this.file = file;
    }

    static SpoolState open(Path file) throws IOException {
        RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw");
        long length = open.length();
        if (length < SIZE) {
            open.seek(length);
            open.write(new byte[(int) (SIZE - length)]);
        }
        return new SpoolState(open);
    }

    private ByteBuffer read(long at, int length) throws IOException {
        byte[] octets = new byte[length];
        file.seek(at);
        file.readFully(octets);
        return ByteBuffer.wrap(octets).order(ByteOrder.LITTLE_ENDIAN);
    }

    private void write(ByteBuffer octets, long at) throws IOException {
        file.seek(at);
        byte[] values = new byte[octets.limit()];
        octets.get(0, values);
        file.write(values);
    }

    private static int crc(ByteBuffer octets, int from, int until) {
        CRC32C crc = new CRC32C();
        crc.update(octets.slice(from, until - from));
        return (int) crc.getValue();
    }

    /** The first position that is not acknowledged; 0 if that is not known: then events are sent again. */
    long acknowledged() throws IOException {
        ByteBuffer octets = read(0, 12);
        return octets.getInt(8) == crc(octets, 0, 8) ? octets.getLong(0) : 0;
    }

    /** Writes the first position that is not acknowledged. */
    void acknowledged(long position) throws IOException {
        ByteBuffer octets =
                ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN).putLong(position);
        write(octets.putInt(crc(octets, 0, 8)).flip(), 0);
    }

    /** The losses that were written last. */
    List<SpoolLoss> losses() throws IOException {
        List<SpoolLoss> found = List.of();
        for (int place = 0; place < 2; place++) {
            ByteBuffer octets = read(PAGE + (long) place * PLACE, PLACE);
            int count = octets.getInt(12);
            boolean isWhole = count >= 0
                    && count <= 2 * LossList.MOST
                    && octets.getInt(8) == crc(octets, 12, HEAD + count * LOSS);
            if (isWhole && octets.getLong(0) > number) {
                number = octets.getLong(0);
                found = losses(octets.position(HEAD), count);
            }
        }
        return found;
    }

    private static List<SpoolLoss> losses(ByteBuffer octets, int count) {
        List<SpoolLoss> losses = new ArrayList<>();
        SpoolLoss.Cause[] causes = SpoolLoss.Cause.values();
        for (int i = 0; i < count; i++) {
            SpoolLoss.Cause cause = causes[Math.floorMod(octets.getInt(), causes.length)];
            EventRange range = new EventRange(octets.getInt(), octets.getLong(), octets.getLong(), octets.getLong());
            losses.add(new SpoolLoss(cause, range, octets.getLong(), octets.getLong(), octets.getLong()));
        }
        return losses;
    }

    /** Writes losses: at most twice as many as a {@link LossList} has. */
    void losses(List<SpoolLoss> losses) throws IOException {
        ByteBuffer octets = ByteBuffer.allocate(PLACE).order(ByteOrder.LITTLE_ENDIAN);
        octets.putLong(number + 1).putInt(0).putInt(losses.size());
        for (SpoolLoss loss : losses) {
            EventRange range = loss.events();
            octets.putInt(index(loss.cause())).putInt(range.partition()).putLong(range.incarnation());
            octets.putLong(range.from()).putLong(range.until());
            octets.putLong(loss.count()).putLong(loss.fromNs()).putLong(loss.untilNs());
        }
        octets.putInt(8, crc(octets, 12, octets.position()));
        write(octets.flip(), PAGE + (number + 1) % 2 * PLACE);
        number++;
    }

    private static int index(SpoolLoss.Cause cause) {
        return switch (cause) {
            case LIMIT -> 0;
            case DISK -> 1;
            case UNREADABLE -> 2;
            case REJECTED -> 3;
        };
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
