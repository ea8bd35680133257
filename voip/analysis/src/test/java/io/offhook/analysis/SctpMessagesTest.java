package io.offhook.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.calls.CallReport;
import io.offhook.packet.Endpoint;
import io.offhook.testkit.traffic.Frame;
import io.offhook.testkit.traffic.Ip;
import io.offhook.testkit.traffic.Octets;
import io.offhook.testkit.traffic.Traffic;
import io.offhook.testkit.truth.Party;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SIP over SCTP is read however its messages lie in chunks, each association for itself. */
class SctpMessagesTest {
    private static final int CALLS = 5;

    private static final List<Frame> PLAIN = traffic();

    private static List<Frame> traffic() {
        Traffic traffic = new Traffic(3).every(300);
        for (int i = 0; i < CALLS; i++) {
            traffic.call(call -> call.completed(Party.CALLEE, 1500));
        }
        return traffic.capture().frames();
    }

    private static byte[] chunk(long tsn, int flags, int protocol, byte[] data) {
        return new Octets()
                .u8(0)
                .u8(flags)
                .u16(16 + data.length)
                .u32(tsn & 0xffff_ffffL)
                .u16(1)
                .u16(0)
                .u32(protocol)
                .bytes(data)
                .padTo(4)
                .toArray();
    }

    private static byte[] packet(Rewrapped.Datagram datagram, byte[]... chunks) {
        Octets packet = new Octets()
                .u16(datagram.source().port())
                .u16(datagram.destination().port())
                .u32(tag(datagram.source(), datagram.destination()))
                .u32(0);
        for (byte[] chunk : chunks) {
            packet.bytes(chunk);
        }
        return packet.toArray();
    }

    private static long tag(Endpoint source, Endpoint destination) {
        return (source.hashCode() * 31L + destination.hashCode()) & 0xffff_ffffL;
    }

    private static void send(Rewrapped to, Rewrapped.Datagram datagram, long delayNs, byte[]... chunks) {
        to.ip(
                datagram.timestampNs() + delayNs,
                datagram.source(),
                datagram.destination(),
                Ip.SCTP,
                packet(datagram, chunks));
    }

    /** Messages in chunks of so many bytes at most, a packet each; numbers pass 2^32. */
    private static List<Frame> inChunks(int bytes, int protocol, @Nullable Random shuffled) {
        long[] next = {0xffff_fff0L};
        return Rewrapped.of(PLAIN, (datagram, to) -> {
            if (!datagram.isSip()) {
                to.udp(datagram);
                return;
            }
            List<byte[]> chunks = new ArrayList<>();
            byte[] message = datagram.payload();
            for (int at = 0; at < message.length; at += bytes) {
                int end = Math.min(message.length, at + bytes);
                int flags = (at == 0 ? 2 : 0) | (end == message.length ? 1 : 0);
                chunks.add(chunk(next[0]++, flags, protocol, Arrays.copyOfRange(message, at, end)));
            }
            if (shuffled != null) {
                Collections.shuffle(chunks, shuffled);
            }
            for (int i = 0; i < chunks.size(); i++) {
                send(to, datagram, i * 1000L, chunks.get(i));
            }
        });
    }

    private static AnalysisResult analysed(List<Frame> frames) {
        return Analysis.run(
                new MemorySource(frames, 100), AnalysisOptions.defaults().withLanes(2));
    }

    private static void assertSame(AnalysisResult result) {
        AnalysisResult plain = analysed(PLAIN);
        assertThat(result.calls()).hasSize(CALLS);
        assertThat(plain.calls()).hasSize(CALLS);
        for (int i = 0; i < CALLS; i++) {
            CallReport call = result.calls().get(i);
            CallReport expected = plain.calls().get(i);
            assertThat(call.callId()).isEqualTo(expected.callId());
            assertThat(call.outcome()).isEqualTo(expected.outcome());
            assertThat(call.counts())
                    .usingRecursiveComparison()
                    .ignoringFields("lastNs") // a message is there when its last chunk is
                    .isEqualTo(expected.counts());
            assertThat(call.streams()).hasSameSizeAs(expected.streams());
        }
        assertThat(result.capture().counters()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {50, 200, 333, 65_000})
    void messagesAreReadWhateverTheSizeOfChunks(int bytes) {
        assertSame(analysed(inChunks(bytes, 0, null)));
    }

    @Test
    void chunksMayArriveInAnyOrder() {
        assertSame(analysed(inChunks(100, 0, new Random(4))));
    }

    @Test
    void chunksThatAreSentAgainCountOnce() {
        long[] next = {1};
        assertSame(analysed(Rewrapped.of(PLAIN, (datagram, to) -> {
            if (!datagram.isSip()) {
                to.udp(datagram);
                return;
            }
            byte[] chunk = chunk(next[0]++, 3, 0, datagram.payload());
            send(to, datagram, 0, chunk);
            send(to, datagram, 200_000_000, chunk);
        })));
    }

    @Test
    void severalMessagesMayComeInOnePacket() {
        long[] next = {1};
        AnalysisResult result = analysed(Rewrapped.of(PLAIN, (datagram, to) -> {
            if (datagram.isSip()) {
                byte[] message = datagram.payload();
                byte[] other = new String(message, StandardCharsets.ISO_8859_1)
                        .replace("Call-ID: ", "Call-ID: b")
                        .getBytes(StandardCharsets.ISO_8859_1);
                send(to, datagram, 0, chunk(next[0]++, 3, 0, message), chunk(next[0]++, 3, 0, other));
            }
        }));
        assertThat(result.calls()).hasSize(2 * CALLS);
    }

    @Test
    void dataOfOtherProtocolsIsNotRead() {
        AnalysisResult result = analysed(inChunks(65_000, 46, null));
        assertThat(result.calls()).isEmpty();
    }

    @Test
    void messagesThatAreNeverCompleteAreBounded() {
        long[] next = {1};
        List<Frame> frames = Rewrapped.of(PLAIN, (datagram, to) -> {
            if (datagram.isMedia()) {
                // all of one association, and never with an end
                Rewrapped.Datagram of = new Rewrapped.Datagram(
                        datagram.timestampNs(), Frames.SOURCE, Frames.DESTINATION, datagram.payload());
                byte[] begins = "INVITE sip:bob@b.test SIP/2.0\r\n".getBytes(StandardCharsets.US_ASCII);
                send(to, of, 0, chunk(next[0]++, 2, 0, begins));
            }
        });
        assertThat(frames.size()).isGreaterThan(2 * SctpMessages.MOST_PIECES);
        assertThat(analysed(frames).capture().counters())
                .extracting(CaptureReport.Counter::name)
                .contains("sctpChunksDropped");
    }
}
