package io.offhook.calls.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.Endpoint;
import io.offhook.rtp.PacketLog;
import io.offhook.rtp.RtpRows;
import io.offhook.rtp.RtpStream;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Packets of one stream at two points. */
final class PacketPairsTest {
    private static final Endpoint PHONE = Endpoint.ofIpv4(0x0a010001, 4000);
    private static final Endpoint RELAY = Endpoint.ofIpv4(0x0a020001, 5000);
    private static final Endpoint TRUNK = Endpoint.ofIpv4(0x0a030001, 6000);

    private final PacketLog.Room room = new PacketLog.Room(10_000);

    /** @param arrivals in milliseconds, number by number; negative for those that did not arrive */
    private StreamPoint point(Endpoint source, Endpoint destination, int first, int... arrivals) {
        RtpStream statistics = new RtpStream();
        PacketLog log = new PacketLog(room);
        RtpRows rows = new RtpRows();
        for (int i = 0; i < arrivals.length; i++) {
            if (arrivals[i] >= 0) {
                long number = (long) first + i;
                long header = (number * 160 & 0xffff_ffffL) << 32 | (number & 0xffff) << 16;
                int row = rows.add(arrivals[i] * 1_000_000L, i, header, i, RtpRows.lengths(160, 172, i));
                long portsSsrc = (long) source.port() << 48 | (long) destination.port() << 32 | 7;
                long addresses = RtpRows.addresses(source.low(), destination.low());
                rows.ipv4(row, RtpRows.hash(addresses, portsSsrc), addresses, portsSsrc);
                statistics.packet(rows, row);
                log.packet(rows, row);
            }
        }
        return new StreamPoint(source, destination, 7, true, statistics, true, log);
    }

    /** The example of the definitions of call quality, section 5; the numbers wrap. */
    @Test
    void comparesNumberByNumber() {
        int first = 65_533;
        StreamPoint from = point(PHONE, RELAY, first, 0, 20, 40, -1, 80, 100, 120, 140, 160, 180);
        StreamPoint to = point(RELAY, TRUNK, first, 1, 21, 42, -1, 81, -1, 121, 161, 162, 182);

        assertThat(figures(from, to))
                .isEqualTo(new SegmentFigures(8, 9, 1, 1, 0, 0, new SegmentFigures.Delay(1, 1, 21, 21, 20)));
    }

    @Test
    void aPointThatBeganLaterIsComparedFromThere() {
        StreamPoint from = point(PHONE, RELAY, 100, 0, 20, 40, -1, 80, 100);
        StreamPoint to = point(RELAY, TRUNK, 102, 42, 61, 82, 102, 121);

        assertThat(figures(from, to))
                .isEqualTo(new SegmentFigures(3, 3, 0, 1, 1, 0, new SegmentFigures.Delay(2, 2, 2, 2, 0)));
    }

    private static SegmentFigures figures(StreamPoint from, StreamPoint to) {
        return PacketPairs.exact(Objects.requireNonNull(from.log()), Objects.requireNonNull(to.log()))
                .figures();
    }

    private static int[] regular(int packets, int fromMs) {
        return IntStream.range(0, packets).map(i -> fromMs + 20 * i).toArray();
    }

    @Test
    void aPassageHasNoFiguresOfPacketsWhereALogIsNotComplete() {
        StreamPoint from = point(PHONE, RELAY, 100, regular(100, 0));
        StreamPoint to = point(RELAY, TRUNK, 100, regular(100, 1));
        PacketLog empty = new PacketLog(new PacketLog.Room(0));
        empty.add(0, 1, 160);

        assertThat(empty.dropped()).isEqualTo(1);
        assertThat(passage(from, to).figures()).isNotNull();
        for (PacketLog log : new PacketLog[] {null, empty, PacketLog.sample(room, 100)}) {
            StreamPoint other = new StreamPoint(RELAY, TRUNK, 7, true, to.statistics(), true, log);
            assertThat(passage(from, other).figures()).isNull();
        }
    }

    private static StreamPassage passage(StreamPoint from, StreamPoint to) {
        return StreamPassage.of(List.of(from, to)).getFirst();
    }

    /** Packets with payloads of their own, of which every seventh is silent. */
    private PacketLog speech(int from, int until, int delayMs, int ticks, int numbers) {
        PacketLog log = new PacketLog(room);
        RtpRows rows = new RtpRows();
        for (int i = from; i < until; i++) {
            long header = (i * 160L + ticks & 0xffff_ffffL) << 32 | (i + numbers & 0xffffL) << 16;
            long head = i % 7 == 0 ? -1 : i * 0x9e37_79b9L;
            int row = rows.add((20L * i + delayMs) * 1_000_000, i, header, head, RtpRows.lengths(160, 172, i));
            log.packet(rows, row);
        }
        return log;
    }

    @Test
    void payloadsFindPacketsWithOtherNumbersAndAnotherClockAndSilenceBetweenThem() {
        PacketLog before = speech(0, 200, 0, 0, 0);
        PacketLog after = speech(20, 180, 3, -12_345, 60_000);

        assertThat(Objects.requireNonNull(PacketPairs.rewritten(before, after)).figures())
                .isEqualTo(new SegmentFigures(160, 160, 0, 0, 0, 0, new SegmentFigures.Delay(3, 3, 3, 3, 0)));
    }

    @Test
    void aRelayMayBeginAnotherClockInBetween() {
        PacketLog before = speech(0, 200, 0, 0, 0);
        PacketLog after = speech(0, 100, 3, 500, 0);
        RtpRows rows = new RtpRows();
        PacketLog second = speech(100, 200, 3, 900_000, 0);
        for (int i = 0; i < second.size(); i++) {
            int number = second.sequenceNumber(i);
            long header = (second.timestamp(i) & 0xffff_ffffL) << 32 | (long) number << 16;
            long head = number % 7 == 0 ? -1 : number * 0x9e37_79b9L;
            after.packet(rows, rows.add(second.arrivalNs(i), i, header, head, RtpRows.lengths(160, 172, i)));
        }
        SegmentFigures figures =
                Objects.requireNonNull(PacketPairs.rewritten(before, after)).figures();
        assertThat(figures.matched()).as("all but silence next to the change").isGreaterThan(197);
    }

    @Test
    void aFewPayloadsAreNoStream() {
        assertThat(PacketPairs.rewritten(speech(0, 200, 0, 0, 0), speech(150, 350, 3, 7, 7)))
                .as("43 in common")
                .isNull();
    }

    @Test
    void payloadsInAnotherOrderAreAnotherStream() {
        PacketLog backwards = new PacketLog(room);
        RtpRows rows = new RtpRows();
        for (int i = 199; i >= 0; i--) {
            long header = ((200 - i) * 160L) << 32 | (200L - i) << 16;
            backwards.packet(
                    rows, rows.add(20_000_000L * (200 - i), i, header, i * 0x9e37_79b9L, RtpRows.lengths(160, 172, i)));
        }
        assertThat(PacketPairs.rewritten(speech(0, 200, 0, 0, 0), backwards)).isNull();
    }

    @Test
    void theRoomOfALogThatIsGivenUpIsForOthers() {
        PacketLog.Room small = new PacketLog.Room(64);
        RtpRows rows = new RtpRows();
        int row = rows.add(1, 1, 0, 1, RtpRows.lengths(160, 172, 1));
        PacketLog one = new PacketLog(small);
        PacketLog other = new PacketLog(small);
        one.packet(rows, row);
        other.packet(rows, row);
        assertThat(other.dropped()).isEqualTo(1);
        one.release();
        other.packet(rows, row);
        assertThat(other.size()).isEqualTo(1);
    }
}
