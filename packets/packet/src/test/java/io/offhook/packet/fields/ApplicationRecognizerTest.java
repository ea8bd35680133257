package io.offhook.packet.fields;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.Layers;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.Protocol;
import io.offhook.packet.SafeText;
import io.offhook.packet.walk.GoldenFrame;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.packet.walk.WalkInvariants;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ApplicationRecognizerTest {
    private static final long SEED = 20_261_124;

    private final ApplicationRecognizer recognizer = new ApplicationRecognizer();
    private final Map<String, Protocol> protocols =
            StandardProtocols.applications().stream().collect(Collectors.toMap(Protocol::label, Function.identity()));
    private final Layer alone = new Layer();

    static List<ApplicationSample> samples() {
        return ApplicationSample.all();
    }

    @ParameterizedTest
    @MethodSource("samples")
    void namesWhatItIs(ApplicationSample sample) {
        assertThat(label(sample.recognize(recognizer))).isEqualTo(sample.application());
        assertThat(recognizer.message().offset()).isNotNegative();
        assertThat(end()).isLessThanOrEqualTo(sample.length());
    }

    @ParameterizedTest
    @MethodSource("samples")
    void reportsItsFields(ApplicationSample sample) {
        MemorySegment segment = sample.segment();
        FieldMap map = new FieldMap(segment);
        describe(sample.recognize(recognizer, segment, sample.length()), map);

        assertThat(map.values).containsAllEntriesOf(sample.fields());
    }

    /** Cut anywhere, it is read as far as it is there. */
    @ParameterizedTest
    @MethodSource("samples")
    void staysInBoundsWhereverItIsCut(ApplicationSample sample) {
        for (int length = 0; length <= sample.length(); length++) {
            MemorySegment segment = GoldenFrame.segment(Arrays.copyOf(sample.bytes(), length));
            describe(sample.recognize(recognizer, segment, length), new FieldMap(segment));
            alone.set(Layers.NONE, segment, 0, length, length);
            Protocol protocol = protocols.get(sample.application());
            if (protocol != null) {
                protocol.fields(alone, new FieldMap(segment));
            }
        }
    }

    @Test
    void staysInBoundsOfAnyBytes() {
        Random random = new Random(SEED);
        List<ApplicationSample> samples = ApplicationSample.all();
        Protocol[] any = protocols.values().toArray(Protocol[]::new);
        for (int round = 0; round < 60_000; round++) {
            ApplicationSample sample = samples.get(random.nextInt(samples.size()));
            byte[] bytes = round % 4 == 0 ? new byte[random.nextInt(300)] : sample.bytes();
            if (round % 4 == 0) {
                random.nextBytes(bytes);
            }
            for (int i = random.nextInt(5); i > 0 && bytes.length > 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            MemorySegment segment = GoldenFrame.segment(bytes);
            try {
                Protocol named = sample.recognize(recognizer, segment, bytes.length);
                assertThat(end()).isLessThanOrEqualTo(bytes.length);
                describe(named, new FieldMap(segment));
                if (named != null) {
                    named.summarize(recognizer.message(), new SafeText());
                }
                alone.set(Layers.NONE, segment, 0, bytes.length, bytes.length);
                any[random.nextInt(any.length)].fields(alone, new FieldMap(segment));
            } catch (RuntimeException | AssertionError e) {
                String hex = HexFormat.of().formatHex(bytes);
                throw new AssertionError("seed " + SEED + ", round " + round + ", " + sample + ": " + hex, e);
            }
        }
    }

    @Test
    void takesAPortForNoProof() {
        for (int port : new int[] {53, 67, 69, 123, 161, 443, 514, 1812, 2427, 5353, 51820}) {
            MemorySegment segment = GoldenFrame.segment("0000000000000000");
            assertThat(recognizer.recognize(LayerType.UDP, segment, 0, 8, 8, 40000, port))
                    .as("port %d", port)
                    .isNull();
        }
    }

    @Test
    void namesThePayloadOfAWalkedPacket() {
        assertThat(recognizer.recognize(GoldenFrame.of("udp").walk())).isNull();
        assertThat(recognizer.recognize(GoldenFrame.of("arp").walk())).isNull();
        assertThat(recognizer.recognize(GoldenFrame.of("tcpSyn").walk())).isNull();
    }

    @Test
    void findsTheUsersBytesInAChunk() {
        PacketWalker walker = GoldenFrame.of("sctpData").walk();
        recognizer.recognize(walker);

        assertThat(recognizer.message().length()).isEqualTo(5);
        assertThat(recognizer.message().u8(0)).isEqualTo('h');
    }

    @Test
    void namesWithoutAllocation() {
        List<ApplicationSample> samples = ApplicationSample.all();
        MemorySegment[] segments =
                samples.stream().map(ApplicationSample::segment).toArray(MemorySegment[]::new);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().threadId();
        long least = Long.MAX_VALUE;
        int sum = 0;
        for (int attempt = 0; attempt < 30; attempt++) {
            long before = threads.getThreadAllocatedBytes(thread);
            for (int round = 0; round < 200; round++) {
                for (int i = 0; i < segments.length; i++) {
                    Protocol named = samples.get(i)
                            .recognize(recognizer, segments[i], samples.get(i).length());
                    sum += named == null ? 0 : named.title().length();
                }
            }
            least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
        }

        assertThat(sum).isNotZero();
        assertThat(least).isLessThan(1_000);
    }

    private static String label(@Nullable Protocol protocol) {
        return protocol == null ? "" : protocol.label();
    }

    private long end() {
        return recognizer.message().offset() + recognizer.message().length();
    }

    private void describe(@Nullable Protocol named, FieldMap map) {
        if (named != null) {
            named.fields(recognizer.message(), map);
        }
    }

    /** What comes more than once stands there with spaces between. */
    private static final class FieldMap implements FieldVisitor {
        final Map<String, String> values = new LinkedHashMap<>();
        private final MemorySegment segment;

        FieldMap(MemorySegment segment) {
            this.segment = segment;
        }

        private void add(String name, String value) {
            assertThat(Character.isLowerCase(name.charAt(0))).as(name).isTrue();
            values.merge(name, value, (a, b) -> a + " " + b);
        }

        @Override
        public void layer(String label, int position, int headerLength, boolean isCut) {
            throw new AssertionError("a layer among fields");
        }

        @Override
        public void number(String name, long value) {
            if (!WalkInvariants.SIGNED.contains(name)) {
                assertThat(value).as(name).isNotNegative();
            }
            add(name, Long.toString(value));
        }

        @Override
        public void flag(String name, boolean value) {
            add(name, Boolean.toString(value));
        }

        @Override
        public void text(String name, String value) {
            add(name, value);
        }

        @Override
        public void bytes(String name, MemorySegment in, long offset, int length) {
            assertThat(in).isEqualTo(segment);
            byte[] bytes = new byte[length];
            for (int i = 0; i < length; i++) {
                bytes[i] = (byte) NetworkOrder.u8(in, offset + i);
            }
            add(name, HexFormat.of().formatHex(bytes));
        }
    }
}
