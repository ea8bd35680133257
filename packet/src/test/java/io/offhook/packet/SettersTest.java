package io.offhook.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every setter promises: what is set is read, nothing else changes, and what the field cannot hold is refused. */
class SettersTest {
    private static final int ROUNDS = 120;

    /** A view, and a layer that the golden frames have for it. */
    enum Subject {
        ETHERNET(LayerType.ETHERNET, EthernetView.class),
        VLAN(LayerType.VLAN, VlanView.class),
        MPLS(LayerType.MPLS, MplsView.class),
        PPPOE(LayerType.PPPOE, PppoeView.class),
        SLL(LayerType.LINUX_SLL, SllView.class),
        SLL2(LayerType.LINUX_SLL2, Sll2View.class),
        NULL(LayerType.NULL_LOOPBACK, NullLoopbackView.class),
        PPP(LayerType.PPP, PppView.class),
        LLC(LayerType.LLC, LlcView.class),
        ARP(LayerType.ARP, ArpView.class),
        IPV4(LayerType.IPV4, Ipv4View.class),
        IPV6(LayerType.IPV6, Ipv6View.class),
        HOP_BY_HOP(LayerType.HOP_BY_HOP, Ipv6ExtensionView.class),
        ROUTING(LayerType.ROUTING, Ipv6ExtensionView.class),
        FRAGMENT(LayerType.IPV6_FRAGMENT, Ipv6FragmentView.class),
        AUTHENTICATION(LayerType.AUTHENTICATION, AuthenticationView.class),
        ESP(LayerType.ESP, EspView.class),
        GRE(LayerType.GRE, GreView.class),
        VXLAN(LayerType.VXLAN, VxlanView.class),
        GENEVE(LayerType.GENEVE, GeneveView.class),
        GTP_U(LayerType.GTP_U, GtpUView.class),
        TCP(LayerType.TCP, TcpView.class),
        UDP(LayerType.UDP, UdpView.class),
        SCTP(LayerType.SCTP, SctpView.class),
        ICMP(LayerType.ICMP, IcmpView.class),
        ICMPV6(LayerType.ICMPV6, Icmpv6View.class);

        final LayerType layer;
        final Class<?> view;

        Subject(LayerType layer, Class<?> view) {
            this.layer = layer;
            this.view = view;
        }

        Object newView() {
            try {
                return view.getConstructor().newInstance();
            } catch (ReflectiveOperationException e) {
                throw new LinkageError(e.getMessage(), e);
            }
        }

        WrapStatus wrap(Object view, MemorySegment segment, long offset, int length) {
            try {
                Method wrap = view.getClass().getMethod("wrap", MemorySegment.class, long.class, int.class);
                return (WrapStatus) wrap.invoke(view, segment, offset, length);
            } catch (ReflectiveOperationException e) {
                throw new LinkageError(e.getMessage(), e);
            }
        }

        /** Every accessor of the view, by name: none of them may fail. */
        Map<String, Object> read(Object view) {
            Map<String, Object> values = new TreeMap<>();
            for (Method method : view.getClass().getDeclaredMethods()) {
                boolean isAccessor = Modifier.isPublic(method.getModifiers())
                        && !Modifier.isStatic(method.getModifiers())
                        && method.getParameterCount() == 0;
                if (isAccessor) {
                    try {
                        values.put(method.getName(), method.invoke(view));
                    } catch (InvocationTargetException e) {
                        throw new AssertionError(method + " failed", e.getCause());
                    } catch (IllegalAccessException e) {
                        throw new LinkageError(e.getMessage(), e);
                    }
                }
            }
            return values;
        }
    }

    /** What is no field, but follows from fields, or is what makes the bytes such a header. */
    private static final Set<String> DERIVED = Set.of(
            "toString",
            "version",
            "payloadOffset",
            "payloadLength",
            "optionsOffset",
            "isSnapped",
            "isMulticast",
            "isLength",
            "fragmentOffsetBytes",
            "isFragment",
            "isAtomic",
            "isFin",
            "isSyn",
            "isRst",
            "isPsh",
            "isAck",
            "isEcho",
            "isError",
            "bodyOffset",
            "bodyLength",
            "isSnap",
            "hasAddress",
            "isEthernetIpv4",
            "senderHardwareOffset",
            "senderProtocolOffset",
            "targetHardwareOffset",
            "targetProtocolOffset",
            "checkValueOffset",
            "checkValueLength");

    /** Derived in one view, a field in another; or set by halves. */
    private static final Map<Subject, Set<String>> DERIVED_HERE = Map.ofEntries(
            Map.entry(Subject.IPV4, Set.of("optionsLength")),
            Map.entry(Subject.TCP, Set.of("optionsLength")),
            Map.entry(Subject.IPV6, Set.of("sourceHigh", "sourceLow", "destinationHigh", "destinationLow")),
            Map.entry(Subject.ARP, Set.of("length")),
            Map.entry(Subject.PPP, Set.of("headerLength")),
            Map.entry(Subject.LLC, Set.of("headerLength")),
            Map.entry(Subject.PPPOE, Set.of("type")),
            Map.entry(
                    Subject.GRE,
                    Set.of(
                            "hasChecksum",
                            "hasRouting",
                            "hasKey",
                            "hasSequenceNumber",
                            "hasAcknowledgmentNumber",
                            "headerLength")),
            Map.entry(Subject.VXLAN, Set.of("hasProtocol")),
            Map.entry(Subject.GENEVE, Set.of("headerLength")),
            Map.entry(Subject.GTP_U, Set.of("headerLength")));

    /** Two names for the same bits. */
    private static final Set<Set<String>> ALIASES =
            Set.of(Set.of("parameter", "identifier"), Set.of("parameter", "sequenceNumber"));

    @ParameterizedTest
    @EnumSource
    void setsEveryFieldThatIsRead(Subject subject) {
        List<String> missing = new ArrayList<>();
        for (Method getter : subject.view.getDeclaredMethods()) {
            boolean isGetter = Modifier.isPublic(getter.getModifiers())
                    && !Modifier.isStatic(getter.getModifiers())
                    && getter.getParameterCount() == 0;
            String name = getter.getName();
            if (isGetter
                    && !DERIVED.contains(name)
                    && !DERIVED_HERE.getOrDefault(subject, Set.of()).contains(name)
                    && setters(subject).stream().noneMatch(setter -> isSetterOf(setter, name))) {
                missing.add(name);
            }
        }
        assertThat(missing).isEmpty();
        assertThat(setters(subject)).isNotEmpty();
    }

    private static boolean isSetterOf(Method setter, String getter) {
        String capitalised = Character.toUpperCase(setter.getName().charAt(0))
                + setter.getName().substring(1);
        return getter.equals(setter.getName())
                || getter.equals("is" + capitalised)
                || getter.equals("has" + capitalised);
    }

    /** Those of one value. */
    private static List<Method> setters(Subject subject) {
        return Arrays.stream(subject.view.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !Modifier.isStatic(method.getModifiers()))
                .filter(method -> method.getParameterCount() == 1 && method.getReturnType() == subject.view)
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void readsWhatWasSetAndChangesNothingElse(Subject subject) {
        Random random = new Random(17);
        Map<String, Integer> set = new TreeMap<>();
        for (byte[] header : headers(subject.layer)) {
            Map<String, byte[]> touched = new TreeMap<>();
            for (Method setter : setters(subject)) {
                for (int round = 0; round < ROUNDS; round++) {
                    MemorySegment segment = GoldenFrame.segment(header);
                    Object view = subject.newView();
                    assertThat(subject.wrap(view, segment, 0, header.length)).isEqualTo(WrapStatus.OK);
                    Object value = draw(random, setter.getParameterTypes()[0]);
                    Throwable refusal = call(view, setter, value);
                    byte[] after = segment.toArray(ValueLayout.JAVA_BYTE);
                    if (refusal != null) {
                        assertRefusal(refusal, setter, value);
                        assertThat(after)
                                .as("%s %s refused", setter.getName(), value)
                                .isEqualTo(header);
                        continue;
                    }
                    set.merge(setter.getName(), 1, Integer::sum);
                    Map<String, Object> read = subject.read(view);
                    assertThat(valueOf(read, setter)).as(setter.toString()).isEqualTo(value.toString());
                    byte[] mask = touched.computeIfAbsent(setter.getName(), name -> new byte[header.length]);
                    for (int i = 0; i < after.length; i++) {
                        mask[i] |= (byte) (after[i] ^ header[i]);
                    }
                }
            }
            assertDisjoint(touched);
        }
        for (Method setter : setters(subject)) {
            assertThat(set).as("values that %s took", setter).containsKey(setter.getName());
        }
    }

    private static void assertDisjoint(Map<String, byte[]> touched) {
        touched.forEach((one, bits) -> touched.forEach((other, otherBits) -> {
            if (one.compareTo(other) < 0 && !ALIASES.contains(Set.of(one, other))) {
                for (int i = 0; i < bits.length; i++) {
                    assertThat(bits[i] & otherBits[i])
                            .as("byte %d of %s and %s", i, one, other)
                            .isZero();
                }
            }
        }));
    }

    private static void assertRefusal(Throwable refusal, Method setter, Object value) {
        assertThat(refusal).isInstanceOfAny(IllegalArgumentException.class, IllegalStateException.class);
        if (refusal instanceof IllegalArgumentException) {
            assertThat(refusal.getMessage())
                    .as("%s of %s", setter, value)
                    .matches(".* -?\\d+ (is not in -?\\d+ to -?\\d+|is not a multiple of \\d|cannot be told in .*)");
        }
    }

    private static String valueOf(Map<String, Object> read, Method setter) {
        return read.entrySet().stream()
                .filter(entry -> isSetterOf(setter, entry.getKey()))
                .filter(entry ->
                        entry.getValue() instanceof Boolean == (setter.getParameterTypes()[0] == boolean.class))
                .map(entry -> entry.getValue().toString())
                .findFirst()
                .orElseThrow(() -> new AssertionError("nothing reads what " + setter + " sets"));
    }

    @ParameterizedTest
    @EnumSource
    void refusesWhatTheFieldCannotHold(Subject subject) {
        for (byte[] header : headers(subject.layer)) {
            MemorySegment segment = GoldenFrame.segment(header);
            Object view = subject.newView();
            subject.wrap(view, segment, 0, header.length);
            for (Method setter : setters(subject)) {
                Class<?> type = setter.getParameterTypes()[0];
                boolean is64Bits = setter.getName().equals("address");
                if (type == boolean.class || is64Bits) {
                    continue;
                }
                for (long value :
                        new long[] {-1, type == int.class ? Integer.MAX_VALUE : 1L << 48, Integer.MIN_VALUE}) {
                    Object boxed = type == int.class ? (Object) (int) value : (Object) value;
                    assertThat(call(view, setter, boxed))
                            .as("%s of %d", setter, value)
                            .isInstanceOfAny(IllegalArgumentException.class, IllegalStateException.class);
                }
            }
            assertThat(segment.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(header);
        }
    }

    @ParameterizedTest
    @EnumSource
    void doesNotWriteToAReadOnlySegment(Subject subject) {
        byte[] header = headers(subject.layer).getFirst();
        Object view = subject.newView();
        subject.wrap(view, GoldenFrame.segment(header).asReadOnly(), 0, header.length);
        Map<String, Object> before = subject.read(view);
        for (Method setter : setters(subject)) {
            Object current = before.entrySet().stream()
                    .filter(entry -> isSetterOf(setter, entry.getKey()))
                    .map(Map.Entry::getValue)
                    .filter(value -> value instanceof Boolean == (setter.getParameterTypes()[0] == boolean.class))
                    .findFirst()
                    .orElseThrow();
            Object value =
                    setter.getParameterTypes()[0] == int.class ? (Object) ((Number) current).intValue() : current;
            assertThat(call(view, setter, value))
                    .as(setter.toString())
                    .isInstanceOfAny(IllegalArgumentException.class, IllegalStateException.class);
        }
    }

    private static @Nullable Throwable call(Object view, Method setter, Object value) {
        try {
            assertThat(setter.invoke(view, value)).isSameAs(view);
            return null;
        } catch (InvocationTargetException e) {
            return e.getCause();
        } catch (IllegalAccessException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    /** Of every width, so that narrow fields get many that they can hold. */
    private static Object draw(Random random, Class<?> type) {
        if (type == boolean.class) {
            return random.nextBoolean();
        }
        if (random.nextInt(4) == 0) {
            int multiple = 8 * random.nextInt(10);
            return type == int.class ? (Object) multiple : (Object) (long) multiple;
        }
        long bits = random.nextLong() >>> random.nextInt(64);
        return type == int.class ? (Object) (int) (bits & 0xff_ffff) : (Object) bits;
    }

    private static List<byte[]> headers(LayerType type) {
        List<byte[]> headers = new ArrayList<>();
        for (GoldenFrame frame : GoldenFrame.all()) {
            PacketWalker walker = frame.walk();
            for (int i = 0; i < walker.layerCount(); i++) {
                if (walker.layerType(i) == type) {
                    int from = (int) walker.layerOffset(i);
                    headers.add(Arrays.copyOfRange(frame.bytes(), from, from + walker.layerLength(i)));
                }
            }
        }
        List<byte[]> some = new ArrayList<>(headers.subList(0, Math.min(headers.size(), 12)));
        if (type == LayerType.GTP_U) { // with all that is optional, and an extension header
            some.add(HexFormat.of().parseHex("37ff001000000011" + "00010285" + "01000900" + "4500000000000000"));
        }
        return some;
    }

    @Test
    void setsIpv6AddressesAsTwoHalves() {
        MemorySegment segment = GoldenFrame.of("raw6").segment();
        Ipv6View ipv6 = new Ipv6View();
        assertThat(ipv6.wrap(segment, 0, (int) segment.byteSize())).isEqualTo(WrapStatus.OK);
        ipv6.source(1, -2).destination(Long.MIN_VALUE, 4);

        assertThat(ipv6.sourceHigh()).isEqualTo(1);
        assertThat(ipv6.sourceLow()).isEqualTo(-2);
        assertThat(ipv6.destinationHigh()).isEqualTo(Long.MIN_VALUE);
        assertThat(ipv6.destinationLow()).isEqualTo(4);
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
}
