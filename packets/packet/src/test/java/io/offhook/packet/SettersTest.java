package io.offhook.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.packet.link.FrameRelayView;
import io.offhook.packet.network.Ipv4View;
import io.offhook.packet.transport.TcpOptions;
import io.offhook.packet.walk.GoldenFrame;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every setter promises: what is set is read, nothing else changes, and what the field cannot hold is refused. */
class SettersTest {
    private static final int ROUNDS = 60;

    static List<Class<?>> views() {
        return SetterSubjects.views();
    }

    @Test
    void hasSamplesOfEveryViewThereIs() {
        assertThat(SetterSubjects.sampled()).isEqualTo(new HashSet<>(views()));
        assertThat(views()).hasSizeGreaterThan(70);
    }

    /** No field can be forgotten: what is read, and is not told to be derived, is set. */
    @ParameterizedTest
    @MethodSource("views")
    void setsEveryFieldThatIsRead(Class<?> view) {
        Set<String> missing = new TreeSet<>();
        for (Method accessor : ViewSetter.methods(view)) {
            if (ViewSetter.isAccessor(accessor)
                    && !DerivedAccessors.isDerived(view, accessor)
                    && ViewSetter.of(view).stream().noneMatch(setter -> setter.sets(accessor))) {
                missing.add(accessor.getName());
            }
        }
        assertThat(missing).isEmpty();
    }

    /** Nor is anything told to be derived that has a setter, or is not there. */
    @ParameterizedTest
    @MethodSource("views")
    void reportsOnlyWhatIsDerivedToBeSo(Class<?> view) {
        Set<String> read = new HashSet<>();
        for (Method accessor : ViewSetter.methods(view)) {
            if (ViewSetter.isAccessor(accessor)
                    && ViewSetter.of(view).stream().noneMatch(setter -> setter.sets(accessor))) {
                read.add(accessor.getName());
            }
        }
        assertThat(read).containsAll(DerivedAccessors.of(view));
    }

    @ParameterizedTest
    @MethodSource("views")
    void readsWhatWasSetAndChangesNothingElse(Class<?> view) {
        Random random = new Random(17);
        Set<String> accepted = new TreeSet<>();
        for (SetterSample sample : SetterSubjects.samples(view)) {
            Map<String, byte[]> touched = new TreeMap<>();
            for (ViewSetter setter : ViewSetter.of(view)) {
                byte[] mask = touched.computeIfAbsent(setter.name(), name -> new byte[sample.bytes().length]);
                for (int round = 0; round < ROUNDS; round++) {
                    boolean isTaken = tries(sample, setter, setter.draw(random, round), mask);
                    if (isTaken) {
                        accepted.add(setter.toString());
                    }
                }
            }
            assertDisjoint(view, sample, touched);
        }
        assertThat(accepted)
                .as("setters of %s that took a value", view.getSimpleName())
                .containsExactlyInAnyOrderElementsOf(
                        ViewSetter.of(view).stream().map(ViewSetter::toString).toList());
    }

    /** Whether the sample's field took the value; then it was read again, as it was set. */
    private static boolean tries(SetterSample sample, ViewSetter setter, Object[] values, byte[] mask) {
        MemorySegment segment = GoldenFrame.segment(sample.bytes());
        Object view = sample.on(segment);
        Throwable refusal = setter.set(view, values);
        byte[] after = segment.toArray(ValueLayout.JAVA_BYTE);
        String about = setter + " to " + Arrays.toString(values) + " in " + sample;
        if (refusal != null) {
            assertRefusal(refusal, setter, about);
            assertThat(after).as(about + " refused").isEqualTo(sample.bytes());
            return false;
        }
        assertThat(setter.get(view, values)).as(about).isEqualTo(setter.written(values));
        for (int i = 0; i < after.length; i++) {
            mask[i] |= (byte) (after[i] ^ sample.bytes()[i]);
        }
        Object again = sample.onChanged(segment);
        if (again != null) { // a type, a flag or a length may have made another header of it
            assertThat(ViewSetter.readAll(again)).as(about).isNotEmpty();
        }
        return true;
    }

    private static void assertRefusal(Throwable refusal, ViewSetter setter, String about) {
        assertThat(refusal)
                .as(about)
                .isInstanceOfAny(
                        IllegalArgumentException.class, IllegalStateException.class, IndexOutOfBoundsException.class);
        if (refusal instanceof IndexOutOfBoundsException) {
            assertThat(setter.isIndexed()).as("%s: %s", about, refusal).isTrue();
        } else if (refusal instanceof IllegalArgumentException) {
            assertThat(refusal.getMessage())
                    .as(about)
                    .matches(".+ -?\\d+ (is not in -?\\d+ to -?\\d+|is not a multiple of \\d+|does not fit in .*)");
        } else {
            assertThat(refusal.getMessage()).as(about).contains("has");
        }
    }

    private static void assertDisjoint(Class<?> view, SetterSample sample, Map<String, byte[]> touched) {
        touched.forEach((one, bits) -> touched.forEach((other, otherBits) -> {
            if (one.compareTo(other) < 0 && !DerivedAccessors.areAliases(view, one, other)) {
                for (int i = 0; i < bits.length; i++) {
                    assertThat(bits[i] & otherBits[i])
                            .as("byte %d of %s and %s in %s", i, one, other, sample)
                            .isZero();
                }
            }
        }));
    }

    @ParameterizedTest
    @MethodSource("views")
    void doesNotWriteToAReadOnlySegment(Class<?> view) {
        SetterSample sample = SetterSubjects.samples(view).getFirst();
        MemorySegment segment = GoldenFrame.segment(sample.bytes()).asReadOnly();
        Random random = new Random(5);
        for (ViewSetter setter : ViewSetter.of(view)) {
            for (int round = 0; round < 10; round++) {
                assertThat(setter.set(sample.on(segment), setter.draw(random, round)))
                        .as(setter.toString())
                        .isInstanceOfAny(
                                IllegalArgumentException.class,
                                IllegalStateException.class,
                                IndexOutOfBoundsException.class);
            }
        }
    }

    @Test
    void saysWhichFieldWhichValueAndWhichLimit() {
        MemorySegment segment = GoldenFrame.of("raw4").segment();
        Ipv4View ipv4 = new Ipv4View();
        assertThat(ipv4.wrap(segment, 0, (int) segment.byteSize())).isEqualTo(WrapStatus.OK);
        assertThatIllegalArgumentException().isThrownBy(() -> ipv4.ttl(256)).withMessage("ttl 256 is not in 0 to 255");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ipv4.headerLength(22))
                .withMessage("headerLength 22 is not a multiple of 4");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ipv4.totalLength(19))
                .withMessage("totalLength 19 is not in 20 to 65535");
        assertThat(ipv4.totalLength(0).totalLength()).isZero();
    }

    @Test
    void setsTheFieldsOfTcpOptions() {
        MemorySegment bytes = GoldenFrame.segment(
                "02 04 0000 03 03 00 08 0a 00000000 00000000 05 12 00000000 00000000 00000000 00000000 01 01");
        TcpOptions options = new TcpOptions();
        options.wrap(bytes, 0, (int) bytes.byteSize());
        assertThatIllegalStateException()
                .isThrownBy(() -> options.maximumSegmentSize(1))
                .withMessageContaining("maximumSegmentSize");
        options.next();
        assertThat(options.maximumSegmentSize(1460).maximumSegmentSize()).isEqualTo(1460);
        assertThatIllegalStateException().isThrownBy(() -> options.windowScale(1));
        assertThatIllegalArgumentException().isThrownBy(() -> options.maximumSegmentSize(65536));
        options.next();
        assertThat(options.windowScale(14).windowScale()).isEqualTo(14);
        assertThatIllegalArgumentException().isThrownBy(() -> options.windowScale(15));
        options.next();
        options.timestampValue(0xfffffffeL).timestampEchoReply(7);
        assertThat(options.timestampValue()).isEqualTo(0xfffffffeL);
        assertThat(options.timestampEchoReply()).isEqualTo(7);
        assertThatIllegalArgumentException().isThrownBy(() -> options.timestampValue(1L << 32));
        options.next();
        options.sackLeft(0, 1).sackRight(0, 2).sackLeft(1, 3).sackRight(1, 4);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options.sackLeft(2, 5))
                .withMessage("sackBlock 2 is not in 0 to 1");
        assertThatIllegalArgumentException().isThrownBy(() -> options.sackRight(0, -1));
        assertThat(bytes.toArray(ValueLayout.JAVA_BYTE))
                .isEqualTo(GoldenFrame.segment("02 04 05b4 03 03 0e 08 0a fffffffe 00000007"
                                + "05 12 00000001 00000002 00000003 00000004 01 01")
                        .toArray(ValueLayout.JAVA_BYTE));
        assertThatThrownBy(() -> options.sackLeft(-1, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void erasesAnOptionAndGoesOnBehindIt() {
        MemorySegment bytes = GoldenFrame.segment("02 04 05b4 04 02 08 0a 00000001 00000002 03 03 07 00");
        TcpOptions options = new TcpOptions();
        options.wrap(bytes, 0, (int) bytes.byteSize());
        while (options.next()) {
            if (options.kind() == TcpOptions.TIMESTAMPS) {
                options.erase();
            }
        }
        assertThat(options.isMalformed()).isFalse();
        assertThat(bytes.toArray(ValueLayout.JAVA_BYTE))
                .isEqualTo(GoldenFrame.segment("02 04 05b4 04 02 01 01 01010101 01010101 03 03 07 00")
                        .toArray(ValueLayout.JAVA_BYTE));
    }

    /** Q.922: of 10, 16 and 23 bits, each spread over its address as receivers put it together. */
    @Test
    void setsFrameRelayConnectionsOfAllAddressLengths() {
        Map<String, Integer> addresses = new LinkedHashMap<>();
        addresses.put("0001 0800", 0x3ff);
        addresses.put("000001 0800", 0xffff);
        addresses.put("00000001 0800", 0x7f_ffff);
        Map<Integer, String> written = Map.of(0x3ff, "fcf1", 0xffff, "fcf0fd", 0x7f_ffff, "fcf0fefd");
        addresses.forEach((hex, dlci) -> {
            MemorySegment bytes = GoldenFrame.segment(hex);
            FrameRelayView view = new FrameRelayView();
            assertThat(view.wrap(bytes, 0, (int) bytes.byteSize())).isEqualTo(WrapStatus.OK);
            assertThat(view.dlci(dlci).dlci()).isEqualTo(dlci);
            assertThat(HexFormat.of().formatHex(bytes.toArray(ValueLayout.JAVA_BYTE)))
                    .isEqualTo(written.get(dlci) + "0800");
            assertThatIllegalArgumentException().isThrownBy(() -> view.dlci(dlci + 1));
        });
    }
}
