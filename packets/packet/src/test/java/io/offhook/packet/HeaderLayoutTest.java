package io.offhook.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.HeaderLayout.Field;
import io.offhook.packet.fields.StandardProtocols;
import io.offhook.packet.link.UnviewedLinks;
import io.offhook.packet.tunnel.GreView;
import io.offhook.packet.tunnel.GtpUView;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every layout promises: fields in order, none over another, all in the header, each read as its view reads it. */
class HeaderLayoutTest {
    private static final int ROUNDS = 20;

    /** Fields that lie within another on purpose, with the reason. */
    private static final Map<Class<?>, Map<String, String>> WITHIN_ANOTHER =
            Map.of(GreView.class, Map.of("version", "flags() is all 16 bits, the version their last three"));

    /** Fields that their view does not read under that name, with the reason. */
    private static final Map<Class<?>, Map<String, String>> READ_OTHERWISE =
            Map.of(GtpUView.class, Map.of("flags", "the view reads each: hasExtensions, hasSequenceNumber, hasNPdu"));

    static List<Protocol> protocolsWithLayout() {
        return protocols().stream()
                .filter(protocol -> protocol.layout() != HeaderLayout.NONE)
                .toList();
    }

    private static List<Protocol> protocols() {
        StandardProtocols standard = new StandardProtocols();
        List<Protocol> protocols = new ArrayList<>(StandardProtocols.applications());
        for (LayerType type : LayerType.values()) {
            protocols.add(standard.of(type));
        }
        return protocols;
    }

    @Test
    void everyProtocolOfTheModuleIsChecked() {
        Set<Class<?>> checked = new HashSet<>();
        protocols().forEach(protocol -> checked.add(protocol.getClass()));
        Set<Class<?>> written = new HashSet<>();
        for (Class<?> type : SetterSubjects.classes()) {
            if (Protocol.class.isAssignableFrom(type) && !Modifier.isAbstract(type.getModifiers())) {
                written.add(type);
            }
        }
        assertThat(checked).isEqualTo(written);
        assertThat(protocolsWithLayout()).hasSizeGreaterThan(60);
    }

    @ParameterizedTest
    @MethodSource("protocolsWithLayout")
    void fieldsStandInOrderWithoutOverlapWithinTheHeader(Protocol protocol) {
        int end = 0;
        Set<String> names = new HashSet<>();
        for (Field field : protocol.layout().fields()) {
            int fieldEnd = field.bitOffset() + field.bits();
            if (exceptions(WITHIN_ANOTHER, protocol).containsKey(field.name())) {
                assertThat(fieldEnd).as("end of %s", field.name()).isLessThanOrEqualTo(end);
            } else {
                assertThat(field.bitOffset()).as("start of %s", field.name()).isGreaterThanOrEqualTo(end);
                end = fieldEnd;
            }
            assertThat(names.add(field.name()))
                    .as("%s is there once", field.name())
                    .isTrue();
        }
        assertThat(end).isBetween(1, 8 * protocol.layout().length());
    }

    /** What has no view of its own is reported from the layout alone. */
    @ParameterizedTest
    @MethodSource("protocolsWithLayout")
    void everyFieldHasAnAccessorOfItsName(Protocol protocol) {
        Class<?> view = view(protocol);
        if (view == null) {
            return;
        }
        Set<String> missing = new TreeSet<>();
        for (Field field : protocol.layout().fields()) {
            if (!isReadOtherwise(protocol, field) && accessor(view, field, "") == null) {
                missing.add(field.name());
            }
        }
        assertThat(missing).isEmpty();
    }

    /** Whatever bits stand in a field, the layout reports what the view reads. */
    @ParameterizedTest
    @MethodSource("protocolsWithLayout")
    void reportsWhatTheViewReads(Protocol protocol) throws ReflectiveOperationException {
        Class<?> view = view(protocol);
        if (view == null) {
            return;
        }
        Random random = new Random(23);
        for (Field field : protocol.layout().fields()) {
            if (!isReadOtherwise(protocol, field)) {
                int compared = 0;
                for (SetterSample sample : SetterSubjects.samples(view)) {
                    for (int round = 0; round < ROUNDS; round++) {
                        compared += compare(protocol, field, sample, round == 0 ? null : random) ? 1 : 0;
                    }
                }
                assertThat(compared).as("samples with %s", field.name()).isPositive();
            }
        }
    }

    /**
     * Compares a sample, with other bits in the field where there is a source of them; false when the sample has no such
     * field, or the view refuses it with these bits.
     */
    private static boolean compare(Protocol protocol, Field field, SetterSample sample, @Nullable Random random)
            throws ReflectiveOperationException {
        byte[] bytes = sample.bytes().clone();
        if (bytes.length < field.end()) {
            return false;
        }
        for (int bit = field.bitOffset(); bit < field.bitOffset() + field.bits(); bit++) {
            if (random != null && random.nextBoolean()) {
                bytes[bit >>> 3] ^= (byte) (0x80 >>> (bit & 7));
            }
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(bytes.length);
            MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, bytes.length);
            Object view = sample.onChanged(segment);
            if (view == null) {
                return false;
            }
            Reported reported = new Reported();
            protocol.layout().visitBroken(segment, 0, bytes.length, false, reported);
            assertThat(reported.values.get(field.name()))
                    .as("%s of %s", field.name(), sample)
                    .isEqualTo(read(view, field));
            return true;
        }
    }

    /** The field as the view reads it, in the form in which the layout reports it. */
    private static Object read(Object view, Field field) throws ReflectiveOperationException {
        Object value = call(view, field, "");
        if (!(value instanceof Number number)) {
            return value;
        }
        return switch (field.form()) {
            case MAC -> MacAddress.text(number.longValue());
            case IPV4 -> IpAddress.ofIpv4(number.intValue()).toString();
            case IPV6 -> IpAddress.ipv6Text(number.longValue(), (long) call(view, field, "Low"));
            default -> number.longValue();
        };
    }

    private static Object call(Object view, Field field, String suffix) throws ReflectiveOperationException {
        Method accessor = accessor(view.getClass(), field, suffix);
        if (accessor == null) {
            throw new NoSuchMethodException(view.getClass() + "." + field.name() + suffix);
        }
        return accessor.invoke(view);
    }

    /** A length that the view clips to what was captured has its field's own accessor: payloadLengthField. */
    private static @Nullable Method accessor(Class<?> view, Field field, String suffix) {
        String name = field.name() + suffix;
        String capital = Character.toUpperCase(name.charAt(0)) + name.substring(1);
        for (String candidate : List.of(name + "Field", name, "is" + capital, "has" + capital, name + "High")) {
            try {
                return view.getMethod(candidate);
            } catch (NoSuchMethodException e) {
                // the next
            }
        }
        return null;
    }

    /** The view that the protocol is described in; null of one that has none. */
    private static @Nullable Class<?> view(Protocol protocol) {
        Class<?> home = protocol.getClass().getEnclosingClass();
        if (home == null || home == UnviewedLinks.class) {
            return null;
        }
        assertThat(SetterSubjects.views()).contains(home);
        return home;
    }

    private static boolean isReadOtherwise(Protocol protocol, Field field) {
        return exceptions(READ_OTHERWISE, protocol).containsKey(field.name());
    }

    private static Map<String, String> exceptions(Map<Class<?>, Map<String, String>> all, Protocol protocol) {
        Class<?> home = protocol.getClass().getEnclosingClass();
        return home == null ? Map.of() : all.getOrDefault(home, Map.of());
    }

    /** Takes a field of eight bytes for a number. */
    private static final class Reported extends FieldValues {
        @Override
        public void bytes(String name, MemorySegment segment, long offset, int length) {
            assertThat(length).as("bytes of %s", name).isEqualTo(Long.BYTES);
            values.put(name, NetworkOrder.bits64(segment, offset));
        }
    }
}
