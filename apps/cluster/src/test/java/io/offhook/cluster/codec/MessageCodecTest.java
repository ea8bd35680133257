package io.offhook.cluster.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.offhook.calls.binding.BestCall.End;
import io.offhook.calls.binding.NamedCall;
import io.offhook.calls.binding.Naming;
import io.offhook.calls.binding.Taking;
import io.offhook.cluster.event.Event;
import io.offhook.cluster.event.StreamBegin;
import io.offhook.cluster.event.StreamId;
import io.offhook.cluster.event.StreamInterval;
import io.offhook.cluster.message.BoundStream;
import io.offhook.cluster.message.Candidate;
import io.offhook.cluster.message.Candidates;
import io.offhook.cluster.message.Namings;
import io.offhook.cluster.message.OperatorMessage;
import io.offhook.cluster.message.SeenEvent;
import io.offhook.cluster.message.StreamName;
import io.offhook.cluster.message.StreamSpan;
import io.offhook.cluster.message.Takings;
import io.offhook.packet.Endpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What operators send and keep can be read again, also by later releases: {@code operators-1.txt} is what the first one wrote. */
class MessageCodecTest {
    private static final Path KEPT = Path.of("src/test/resources/io/offhook/cluster/codec/operators-1.txt");
    private static final Endpoint IPV4 = Endpoint.of("192.0.2.1", 40_000);
    private static final Endpoint IPV6 = Endpoint.of("2001:db8::1", 65_535);

    private static List<OperatorMessage> messages() {
        NamedCall open = new NamedCall(-1, 1, 2, NamedCall.NEVER, NamedCall.NEVER, NamedCall.NEVER);
        NamedCall ended = new NamedCall(0x1234_5678_9abc_def0L, 5, 6, 7, 8, 9);
        Naming plain = new Naming(open, true, IPV4, null, 10, 11);
        Naming full = new Naming(ended, false, IPV6, IPV4, -12, 13);
        StreamName name = new StreamName("vienna-1", -2, new StreamId(-3, 4));
        Taking taking = new Taking(true, -4, 14, 15);
        return List.of(
                new Namings(IPV4, -1, List.of(plain, full)),
                new Namings(IPV6, 3, List.of(), 16),
                new StreamSpan(name, IPV6, End.SOURCE, 17, 18, Long.MAX_VALUE),
                new StreamSpan(name, IPV4, End.DESTINATION, 19, Long.MAX_VALUE, 20),
                new Candidates(
                        name,
                        End.SOURCE,
                        List.of(new Candidate(plain, List.of()), new Candidate(full, List.of(taking)))),
                new Takings(-5, IPV4, List.of(taking, new Taking(false, 21, -22, 23))),
                new BoundStream(-6, name, null, null));
    }

    @Test
    void readsWhatItWrites() {
        for (OperatorMessage message : messages()) {
            assertThat(MessageCodec.read(MessageCodec.write(message))).isEqualTo(message);
        }
    }

    @Test
    void readsEventsOfEachKindAndStreamsWithTheirFigures() throws IOException {
        Event begin = null;
        Event interval = null;
        for (var full : FullMessages.events()) {
            EventReader reader = new EventReader();
            assertThat(reader.read(full.toByteArray()).isEvent()).isTrue();
            SeenEvent seen = new SeenEvent(reader.event());
            assertThat(MessageCodec.read(MessageCodec.write(seen))).isEqualTo(seen);
            begin = seen.event().body() instanceof StreamBegin ? seen.event() : begin;
            interval = seen.event().body() instanceof StreamInterval ? seen.event() : interval;
        }
        assertThat(begin).isNotNull();
        BoundStream bound = new BoundStream(1, new StreamName("p", 1, new StreamId(2, 0)), begin, interval);
        assertThat(MessageCodec.read(MessageCodec.write(bound))).isEqualTo(bound);
    }

    @Test
    void readsWhatTheFirstReleaseKept() throws IOException {
        List<OperatorMessage> read = new ArrayList<>();
        for (String line : Files.readAllLines(KEPT)) {
            read.add(MessageCodec.read(HexFormat.of().parseHex(line)));
        }
        assertThat(read).isEqualTo(messages());
    }

    @Test
    void passesOverFieldsOfLaterReleases() {
        byte[] later = {(byte) 0xf8, 0x06, 0x01}; // field 111, varint 1
        for (OperatorMessage message : messages()) {
            byte[] octets = MessageCodec.write(message);
            byte[] more = Arrays.copyOf(octets, octets.length + later.length);
            System.arraycopy(later, 0, more, octets.length, later.length);
            assertThat(MessageCodec.read(more)).isEqualTo(message);
        }
    }

    @Test
    void refusesWhatIsNoMessage() {
        assertThatIllegalArgumentException().isThrownBy(() -> MessageCodec.read(new byte[] {8, 1}));
        assertThatIllegalArgumentException().isThrownBy(() -> MessageCodec.read(new byte[] {(byte) 0xff, 1, 2}));
    }
}
