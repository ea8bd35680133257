package io.offhook.research.messages;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.offhook.research.NativeCode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** All ways of handing a message to native code, held against each other and against what Java makes of it. */
class HandingOverTest {
    private static final int LARGE = 1 << 20;

    private final MemorySegment segment = Arena.ofAuto().allocate(LARGE, 8);
    private final ByteBuffer direct = segment.asByteBuffer();
    private final byte[] array = new byte[LARGE];

    private static Message message(
            String text, int number, double ratio, boolean flag, String[] names, int... numbers) {
        return new Message(text, number, ratio, flag, names, numbers);
    }

    /** What the messages of the benchmark are not: empty, negative, not a number, and longer than native code's stack. */
    private static List<Message> unusual() {
        List<Message> all = new ArrayList<>();
        all.add(message("", 0, 0, false, new String[0]));
        all.add(message("", -1, Double.NaN, true, new String[] {"", ""}, -1, Integer.MIN_VALUE, Integer.MAX_VALUE));
        all.add(message("ä", Integer.MIN_VALUE, -0.0, false, new String[] {"€", "電話", "\u07ff\u0800\uffff"}, 0));
        for (int length : new int[] {7, 8, 9, 255, 256, 257, 511, 512, 513, 5000}) {
            String text = "x".repeat(length - 1) + "y";
            String[] names = Collections.nCopies(length, "n" + length).toArray(String[]::new);
            int[] numbers = IntStream.range(-length / 2, length - length / 2).toArray();
            all.add(message(text, length, 1.0 / length, true, names, numbers));
            all.add(message("é".repeat(length), length, length, true, new String[] {text}, numbers));
        }
        return all;
    }

    private static void assumeThere(String library) {
        assumeThat(new NativeCode(library).missing())
                .as("why there is no " + library)
                .isNull();
    }

    @Test
    void hashSeesEveryField() {
        String[] names = {"a", "b"};
        List<Message> all = List.of(
                message("text", 1, 2, true, names, 3, 4),
                message("texu", 1, 2, true, names, 3, 4),
                message("text ", 1, 2, true, names, 3, 4),
                message("text", 2, 2, true, names, 3, 4),
                message("text", 1, 3, true, names, 3, 4),
                message("text", 1, 2, false, names, 3, 4),
                message("text", 1, 2, true, new String[] {"b", "a"}, 3, 4),
                message("text", 1, 2, true, new String[] {"ab"}, 3, 4),
                message("text", 1, 2, true, names, 4, 3),
                message("text", 1, 2, true, names, 3, 4, 0));
        assertThat(all.stream().map(MessageHash::of)).doesNotHaveDuplicates();
    }

    @Test
    void messagesOfTheBenchmarkAreTheSameInEachProcess() {
        MessageSource one = new MessageSource();
        MessageSource other = new MessageSource();
        one.check("two sources", message -> MessageHash.of(other.next()));
        assertThat(IntStream.range(0, MessageSource.COUNT).mapToObj(i -> MessageHash.of(one.get(i))))
                .doesNotHaveDuplicates();
    }

    @Test
    void checkFailsWhereAWayComesToSomethingElse() {
        assertThatThrownBy(() -> new MessageSource().check("a wrong way", message -> 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a wrong way");
    }

    @Test
    void fieldsAndFlatLayoutComeToTheSameAsJava() {
        assumeThere("messages");
        new MessageBenchmark().check(new MessageSource());
        FlatWriter writer = new FlatWriter(segment);
        for (Message message : unusual()) {
            long expected = MessageHash.of(message);
            assertThat(MessageNatives.hash(message)).isEqualTo(expected);
            int length = writer.write(message);
            assertThat(MessageNatives.hashFlat(segment, length)).isEqualTo(expected);
            assertThat(MessageNatives.hashFlatCritical(segment, length)).isEqualTo(expected);
        }
    }

    @Test
    void protobufComesToTheSameAsJava() {
        assumeThere("messages-protobuf");
        new ProtobufBenchmark().check(new MessageSource());
        for (Message message : unusual()) {
            long expected = MessageHash.of(message);
            MessageProtos.Message built = ProtobufWriter.build(message);
            assertThat(ProtobufNatives.hash(built.toByteArray())).isEqualTo(expected);
            assertThat(ProtobufNatives.hash(segment, ProtobufWriter.write(built, direct)))
                    .isEqualTo(expected);
            int length = ProtobufWriter.write(built, array);
            assertThat(ProtobufNatives.hashCritical(MemorySegment.ofArray(array), length))
                    .isEqualTo(expected);
        }
    }

    @Test
    void eachBenchmarkHandsOverTheNextMessage() {
        assumeThere("messages");
        assumeThere("messages-protobuf");
        MessageSource source = new MessageSource();
        HandedBytes handed = new HandedBytes();
        MessageBenchmark plain = new MessageBenchmark();
        ProtobufBenchmark protobuf = new ProtobufBenchmark();
        protobuf.check(source);
        assertThat(plain.handed_POJO_fieldByFieldOverJNI(source)).isEqualTo(MessageHash.of(source.get(0)));
        assertThat(plain.handed_flatLayoutOverFFM(source, handed)).isEqualTo(MessageHash.of(source.get(1)));
        assertThat(plain.handed_flatLayoutOverFFM_critical(source, handed)).isEqualTo(MessageHash.of(source.get(2)));
        handed.bytes = 0;
        assertThat(protobuf.handed_protobufOverJNI(source, handed)).isEqualTo(MessageHash.of(source.get(3)));
        assertThat(handed.bytes).isEqualTo(ProtobufWriter.build(source.get(3)).getSerializedSize());
        assertThat(protobuf.handed_protobufOverJNI_builtBefore(source, handed))
                .isEqualTo(MessageHash.of(source.get(4)));
        assertThat(protobuf.handed_protobufOverFFM_nativeSegment(source, handed))
                .isEqualTo(MessageHash.of(source.get(5)));
        assertThat(protobuf.handed_protobufOverFFM_nativeSegment_builtBefore(source, handed))
                .isEqualTo(MessageHash.of(source.get(6)));
        assertThat(protobuf.handed_protobufOverFFM_heapArrayInACriticalCall(source, handed))
                .isEqualTo(MessageHash.of(source.get(7)));
    }

    @Test
    void everyWrittenMessageIsReadBackAsItWas() {
        SerializedBenchmark benchmark = new SerializedBenchmark();
        MessageSource source = new MessageSource();
        benchmark.check(source);
        Serialization serialization = new Serialization();
        UnsafeFlat unsafe = new UnsafeFlat(segment);
        FlatWriter writer = new FlatWriter(segment);
        for (Message message : unusual()) {
            long expected = MessageHash.of(message);
            assertThat(MessageHash.of(SerializedBenchmark.serializable(serialization.write(message))))
                    .isEqualTo(expected);
            byte[] externalized = serialization.write(new ExternalMessage(message));
            assertThat(MessageHash.of(SerializedBenchmark.externalizable(externalized)))
                    .isEqualTo(expected);
            byte[] protobuf = ProtobufWriter.build(message).toByteArray();
            assertThat(MessageHash.of(SerializedBenchmark.protobuf(protobuf))).isEqualTo(expected);
            byte[] flat = segment.asSlice(0, writer.write(message)).toArray(JAVA_BYTE);
            assertThat(MessageHash.of(new FlatReader(segment).read())).isEqualTo(expected);
            segment.fill((byte) 0);
            byte[] byUnsafe = segment.asSlice(0, unsafe.write(message)).toArray(JAVA_BYTE);
            assertThat(byUnsafe).isEqualTo(flat);
            assertThat(MessageHash.of(unsafe.read())).isEqualTo(expected);
        }
        assertThat(MessageHash.of(benchmark.read_flatLayout(source))).isEqualTo(MessageHash.of(source.get(0)));
        assertThat(MessageHash.of(benchmark.read_flatLayout_byUnsafe(source))).isEqualTo(MessageHash.of(source.get(1)));
        assertThat(MessageHash.of(benchmark.read_serializable(source))).isEqualTo(MessageHash.of(source.get(2)));
        assertThat(MessageHash.of(benchmark.read_externalizable(source))).isEqualTo(MessageHash.of(source.get(3)));
        assertThat(MessageHash.of(benchmark.read_protobuf(source))).isEqualTo(MessageHash.of(source.get(4)));
    }

    /** Why a {@link Message} has none of these. */
    @Test
    void jniHandsOverOtherBytesBeyondTheBasicPlane() {
        assumeThere("messages");
        for (String text : List.of("\u0000", "\ud83d\ude00")) {
            Message message = message(text, 0, 0, false, new String[0]);
            assertThat(MessageNatives.hash(message)).isNotEqualTo(MessageHash.of(message));
            int length = new FlatWriter(segment).write(message);
            assertThat(MessageNatives.hashFlat(segment, length)).isEqualTo(MessageHash.of(message));
        }
    }

    @Test
    void flatReaderRefusesEveryTruncation() {
        assumeThere("messages");
        int length = new FlatWriter(segment).write(new MessageSource().next());
        for (int i = 0; i < length; i++) {
            assertThat(MessageNatives.hashFlat(segment, i))
                    .as("%d of %d bytes", i, length)
                    .isZero();
        }
    }

    /** Whatever the spans say, nothing behind the end is read: the JVM would not survive it. */
    @Test
    void flatReaderSurvivesRandomOffsetsAndCounts() {
        assumeThere("messages");
        Random random = new Random(7);
        int length = new FlatWriter(segment).write(new MessageSource().next());
        byte[] good = segment.asSlice(0, length).toArray(JAVA_BYTE);
        MemorySegment exact = Arena.ofAuto().allocate(length, 8);
        for (int round = 0; round < 10_000; round++) {
            byte[] bad = Arrays.copyOf(good, length);
            for (int i = 16; i < length; i++) {
                bad[i] = random.nextInt(4) == 0 ? (byte) random.nextInt() : bad[i];
            }
            MessageNatives.hashFlat(exact.copyFrom(MemorySegment.ofArray(bad)), length);
        }
    }

    @Test
    void protobufRefusesWhatItCannotParse() {
        assumeThere("messages-protobuf");
        MessageSource source = new MessageSource();
        long whole = MessageHash.of(source.get(0));
        byte[] serialized = ProtobufWriter.build(source.get(0)).toByteArray();
        assertThat(ProtobufNatives.hash(serialized)).isEqualTo(whole);
        for (int i = 0; i < serialized.length; i++) {
            assertThat(ProtobufNatives.hash(Arrays.copyOf(serialized, i))).isNotEqualTo(whole);
        }
        assertThat(ProtobufNatives.hash(new byte[] {(byte) 0xff})).isZero();
    }

    @Test
    void writersSayWhenAMessageDoesNotFit() {
        Message message = message("text", 1, 2, true, new String[] {"name"}, 3);
        int flatLength = new FlatWriter(segment).write(message);
        assertThat(new FlatWriter(segment.asSlice(0, flatLength)).write(message))
                .isEqualTo(flatLength);
        assertThatThrownBy(() -> new FlatWriter(segment.asSlice(0, flatLength - 1)).write(message))
                .isInstanceOf(IndexOutOfBoundsException.class);
        MessageProtos.Message built = ProtobufWriter.build(message);
        int length = built.getSerializedSize();
        assertThat(ProtobufWriter.write(built, new byte[length])).isEqualTo(length);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ProtobufWriter.write(built, new byte[length - 1]))
                .withMessageContaining(length + " bytes");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ProtobufWriter.write(built, ByteBuffer.allocateDirect(length - 1)))
                .withMessageContaining(length + " bytes");
    }
}
