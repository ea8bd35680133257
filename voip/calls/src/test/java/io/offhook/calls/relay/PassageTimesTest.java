package io.offhook.calls.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.Endpoint;
import io.offhook.rtp.PacketLog;
import io.offhook.rtp.RtpRows;
import io.offhook.rtp.RtpStream;
import org.junit.jupiter.api.Test;

/** Packets of one stream at two points. */
final class PassageTimesTest {
    private static final Endpoint PHONE = Endpoint.ofIpv4(0x0a010001, 4000);
    private static final Endpoint RELAY = Endpoint.ofIpv4(0x0a020001, 5000);
    private static final Endpoint TRUNK = Endpoint.ofIpv4(0x0a030001, 6000);

    private final PacketLog.Room room = new PacketLog.Room(1000);

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

        PassageTimes times = PassageTimes.of(from, to);

        assertThat(times).isEqualTo(new PassageTimes(9, 1, 1, 0, 0, 1, 21, 21, 20));
    }

    @Test
    void aPointThatBeganLaterIsComparedFromThere() {
        StreamPoint from = point(PHONE, RELAY, 100, 0, 20, 40, -1, 80, 100);
        StreamPoint to = point(RELAY, TRUNK, 102, 42, 61, 82, 102, 121);

        PassageTimes times = PassageTimes.of(from, to);

        assertThat(times).isEqualTo(new PassageTimes(3, 0, 1, 1, 0, 2, 2, 2, 0));
    }

    @Test
    void comparesNothingWhereALogIsNotComplete() {
        StreamPoint from = point(PHONE, RELAY, 100, new int[100]);
        PacketLog.Room none = new PacketLog.Room(0);
        PacketLog empty = new PacketLog(none);
        StreamPoint without = new StreamPoint(RELAY, TRUNK, 7, true, from.statistics(), true, null);
        StreamPoint full = new StreamPoint(RELAY, TRUNK, 7, true, from.statistics(), true, empty);
        empty.add(0, 1, 160);

        assertThat(empty.dropped()).isEqualTo(1);
        assertThat(PassageTimes.of(from, without)).isNull();
        assertThat(PassageTimes.of(from, full)).isNull();
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
