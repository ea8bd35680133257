package io.offhook.library;

import io.offhook.flow.tcp.TcpNumbers;
import io.offhook.flow.tcp.TcpSegment;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.Layer;
import io.offhook.packet.LinkType;
import io.offhook.packet.WrapStatus;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.rtp.RtcpView;
import io.offhook.rtp.RtpView;
import io.offhook.sip.SipUriView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A view, iterator or reader of the library, driven by reflection: put on bytes by each of its {@code wrap} methods, then
 * asked everything that can be asked. A method that it does not know how to call is an error when it is made: the test
 * says so when somebody adds one.
 */
final class Window {
    /** The most elements that are looked at of a list. */
    private static final int MOST_ELEMENTS = 200;

    /** Who says how many there are of what is asked for by number. */
    private static final Map<String, String> COUNTS = Map.ofEntries(
            Map.entry("Ipv4Options.address", "addressCount"),
            Map.entry("Ipv4Options.timestamp", "timestampCount"),
            Map.entry("Ipv4Options.timestampAddress", "timestampCount"),
            Map.entry("SctpChunks.gapStart", "gapBlockCount"),
            Map.entry("SctpChunks.gapEnd", "gapBlockCount"),
            Map.entry("TcpOptions.sackLeft", "sackBlockCount"),
            Map.entry("TcpOptions.sackRight", "sackBlockCount"),
            Map.entry("Ipv6RoutingView.addressHigh", "addressCount"),
            Map.entry("Ipv6RoutingView.addressLow", "addressCount"),
            Map.entry("TypeLengthValues.u8", "valueLength"),
            Map.entry("TypeLengthValues.u16", "valueLength"),
            Map.entry("TypeLengthValues.u32", "valueLength"),
            Map.entry("TypeLengthValues.bits64", "valueLength"),
            Map.entry("RtcpView.reportSsrc", "reportCount"),
            Map.entry("RtcpView.fractionLost", "reportCount"),
            Map.entry("RtcpView.cumulativeLost", "reportCount"),
            Map.entry("RtcpView.highestSequenceNumber", "reportCount"),
            Map.entry("RtcpView.jitter", "reportCount"),
            Map.entry("RtcpView.lastSenderReport", "reportCount"),
            Map.entry("RtcpView.delaySinceLastSenderReport", "reportCount"),
            Map.entry("RtcpView.byeSource", "count"),
            Map.entry("RtpView.csrc", "csrcCount"),
            Map.entry("XrReader.dlrrSsrc", "dlrrCount"),
            Map.entry("XrReader.lastReceiverReport", "dlrrCount"),
            Map.entry("XrReader.delaySinceLastReceiverReport", "dlrrCount"),
            Map.entry("SipMessageView.header", "headerCount"),
            Map.entry("SipMessageView.lineEnd", "headerCount"),
            Map.entry("SipMessageView.name", "headerCount"),
            Map.entry("SipMessageView.nameOffset", "headerCount"),
            Map.entry("SipMessageView.nameLength", "headerCount"),
            Map.entry("SipMessageView.value", "headerCount"),
            Map.entry("SipMessageView.valueOffset", "headerCount"),
            Map.entry("SipMessageView.valueLength", "headerCount"));

    /** What the answer depends on: asked of a packet of that type only. */
    private static final Map<String, Integer> OF_TYPE = Map.of("RtcpView.byeSource", RtcpView.BYE);

    /** Called by {@link Exercise} with what they need. */
    private static final List<String> CALLED_ELSEWHERE = List.of(
            "SipMessageView.find",
            "SipMessageView.address",
            "SipMessageView.callIdEquals",
            "SipMessageView.requestUri",
            "DnsRecords.name");

    private static final FieldVisitor NOBODY = new FieldVisitor() {
        @Override
        public void layer(String label, int position, int headerLength, boolean isCut) {}

        @Override
        public void number(String name, long value) {}

        @Override
        public void flag(String name, boolean value) {}

        @Override
        public void text(String name, String value) {}

        @Override
        public void bytes(String name, MemorySegment segment, long offset, int length) {}
    };

    final Object target;
    private final List<Method> wraps = new ArrayList<>();
    private final List<Method> accessors = new ArrayList<>();
    private final List<Method> numbered = new ArrayList<>();
    private final List<Method> chosen = new ArrayList<>();
    private final List<Method> fillers = new ArrayList<>();
    private final List<Method> reports = new ArrayList<>();
    private final List<Method> setters = new ArrayList<>();
    private @Nullable Method next;
    private @Nullable Method nextInto;
    private final Map<Class<?>, List<Window>> inner = new HashMap<>();
    private long reads;

    private final RtpView rtp = new RtpView();
    private final RtcpView rtcp = new RtcpView();
    private final PacketWalker walker = new PacketWalker();

    /** No views themselves: a packet, a layer of it, a segment, the numbers of a header that is there. */
    private static final Set<Class<?>> WALKED =
            Set.of(PacketWalker.class, Layer.class, TcpSegment.class, TcpNumbers.class, SipUriView.class);

    private Window(Object target) {
        this.target = target;
        Method[] methods = target.getClass().getMethods();
        Arrays.sort(methods, Comparator.comparing(Method::toString));
        for (Method method : methods) {
            Class<?> owner = method.getDeclaringClass();
            boolean isOwn = owner != Object.class && !owner.isInterface() && !method.isBridge();
            if (isOwn && !Modifier.isStatic(method.getModifiers())) {
                sort(method);
            }
        }
    }

    private void sort(Method method) {
        Class<?>[] types = method.getParameterTypes();
        Class<?> result = method.getReturnType();
        String name = name(method);
        if (method.getName().equals("wrap")) {
            wraps.add(method);
        } else if (method.getName().equals("next")) {
            if (types.length == 0) {
                next = method;
            } else {
                nextInto = method;
            }
        } else if (CALLED_ELSEWHERE.contains(name) || name.endsWith(".equals") || name.endsWith(".hashCode")) {
            return;
        } else if (result == void.class && allPrimitive(types) || result == target.getClass()) {
            setters.add(method);
        } else if (types.length == 0) {
            accessors.add(method);
        } else if (types.length > 0 && types[types.length - 1] == FieldVisitor.class) {
            reports.add(method);
        } else if (types.length == 1 && types[0] == int.class && COUNTS.containsKey(name)) {
            numbered.add(method);
        } else if (types.length == 1 && (types[0].isEnum() || types[0] == String.class || types[0] == byte[].class)) {
            chosen.add(method);
        } else if (types.length == 1 && types[0].getName().startsWith("io.offhook.")) {
            fillers.add(method);
        } else {
            throw new AssertionError("Window does not know how to call " + method);
        }
    }

    private static boolean allPrimitive(Class<?>[] types) {
        return Arrays.stream(types).allMatch(Class::isPrimitive);
    }

    private static String name(Method method) {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }

    static boolean isWindow(Class<?> type) {
        return !Modifier.isAbstract(type.getModifiers())
                && !WALKED.contains(type)
                && Arrays.stream(type.getMethods())
                        .anyMatch(method -> method.getName().equals("wrap"));
    }

    /** One, or where its constructor takes an enum, one for each constant. */
    static List<Window> of(Class<?> type) {
        List<Window> windows = new ArrayList<>();
        try {
            Constructor<?> constructor = type.getConstructors()[0];
            Class<?>[] types = constructor.getParameterTypes();
            if (types.length == 0) {
                windows.add(new Window(constructor.newInstance()));
            } else {
                for (Object constant : types[0].getEnumConstants()) {
                    windows.add(new Window(constructor.newInstance(constant)));
                }
            }
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("cannot make a " + type, e);
        }
        return windows;
    }

    /** How often it has been put on something and read. */
    long reads() {
        return reads;
    }

    /** Puts it on all of the bytes, each way it can be, and reads it. */
    boolean read(MemorySegment segment, byte[] octets) {
        boolean isRead = false;
        for (Method wrap : wraps) {
            Object[] arguments = arguments(wrap.getParameterTypes(), segment, octets);
            if (arguments == null) {
                continue;
            }
            Object status = call(wrap, arguments);
            if (status == null || status == WrapStatus.OK) {
                readAll();
                isRead = true;
            }
        }
        return isRead;
    }

    /** What a wrap method is called with; null where these bytes are outside of what it takes. */
    private Object @Nullable [] arguments(Class<?>[] types, MemorySegment segment, byte[] octets) {
        int length = octets.length;
        String type = target.getClass().getSimpleName();
        if (type.equals("PcapNgBlockView")) { // takes whole blocks
            length &= ~3;
        }
        if (type.equals("PcapNgBlockView") || type.equals("DnsRecords")) { // both: a header of 12 bytes at least
            if (length < 12) {
                return null;
            }
        }
        Object[] arguments = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            if (types[i] == MemorySegment.class) {
                arguments[i] = segment;
            } else if (types[i] == byte[].class) {
                arguments[i] = octets;
            } else if (types[i] == long.class) {
                arguments[i] = i == 1 ? 0L : 40L;
            } else if (types[i] == int.class) {
                arguments[i] = types[0] == byte[].class && i == 1 ? 0 : i == 2 ? length : length + i;
            } else if (types[i] == ByteOrder.class) {
                arguments[i] = (length & 4) == 0 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
            } else if (types[i] == RtpView.class && rtp.wrap(segment, 0, length) == WrapStatus.OK) {
                arguments[i] = rtp;
            } else if (types[i] == RtcpView.class && rtcp.wrap(segment, 0, length) == WrapStatus.OK) {
                arguments[i] = rtcp;
            } else if (types[i] == PacketWalker.class) {
                walker.walk(segment, 0, length, length, LinkType.RAW);
                arguments[i] = walker;
            } else if (types[i] == RtpView.class || types[i] == RtcpView.class) {
                return null;
            } else {
                throw new AssertionError("what is wrap of " + target.getClass() + " to be called with?");
            }
        }
        return arguments;
    }

    /** Reads a window that has been put on something. */
    void readAll() {
        reads++;
        ask();
        Method step = next;
        if (step != null) {
            for (int i = 0; i < MOST_ELEMENTS && Boolean.TRUE.equals(call(step, new Object[0])); i++) {
                ask();
            }
            ask();
        }
        Method into = nextInto;
        if (into != null) {
            Window view = inner(into).getFirst();
            for (int i = 0; i < MOST_ELEMENTS; i++) {
                Object status = call(into, view.target);
                if (status == WrapStatus.OK) {
                    view.readAll();
                } else if (status != WrapStatus.MALFORMED) {
                    return;
                }
            }
        }
    }

    private void ask() {
        for (Method accessor : accessors) {
            call(accessor, new Object[0]);
        }
        for (Method method : numbered) {
            int most = count(method);
            for (int i = 0; i < most; i++) {
                call(method, i);
            }
        }
        for (Method method : chosen) {
            Class<?> type = method.getParameterTypes()[0];
            for (Object argument : type.isEnum() ? type.getEnumConstants() : new Object[] {"tag", ""}) {
                Object given = type == byte[].class ? argument.toString().getBytes(StandardCharsets.UTF_8) : argument;
                call(method, given);
            }
        }
        for (Method report : reports) {
            Object[] arguments = new Object[report.getParameterCount()];
            Arrays.fill(arguments, "name of a field");
            arguments[arguments.length - 1] = NOBODY;
            call(report, arguments);
        }
        for (Method filler : fillers) {
            for (Window inner : inner(filler)) {
                if (!Boolean.FALSE.equals(call(filler, inner.target))) {
                    inner.readAll();
                }
            }
        }
    }

    /** What a method puts on a part, made once. */
    private List<Window> inner(Method filler) {
        return inner.computeIfAbsent(filler.getParameterTypes()[0], Window::of);
    }

    private int count(Method numbered) {
        String name = name(numbered);
        try {
            Integer type = OF_TYPE.get(name);
            if (type != null
                    && !type.equals(target.getClass().getMethod("packetType").invoke(target))) {
                return 0;
            }
            String counter = String.valueOf(COUNTS.get(name));
            return Math.min(((Number) target.getClass().getMethod(counter).invoke(target)).intValue(), 40);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(name, e);
        }
    }

    /**
     * Puts it on the bytes anew before each of its setters, which change them. What a field cannot hold, or a header does
     * not have, they may refuse.
     */
    void set(MemorySegment segment, byte[] octets, long value) {
        for (Method setter : setters) {
            for (Method wrap : wraps) {
                MemorySegment.copy(octets, 0, segment, ValueLayout.JAVA_BYTE, 0, octets.length);
                Object[] arguments = arguments(wrap.getParameterTypes(), segment, octets);
                if (arguments != null) {
                    Object status = call(wrap, arguments);
                    boolean isThere = next == null || Boolean.TRUE.equals(call(next, new Object[0]));
                    if ((status == null || status == WrapStatus.OK) && isThere) {
                        set(setter, value);
                    }
                }
            }
        }
    }

    private void set(Method setter, long value) {
        Class<?>[] types = setter.getParameterTypes();
        Object[] arguments = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            arguments[i] = argument(types[i], value);
        }
        try {
            setter.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            boolean isRefused = e.getCause() instanceof IllegalArgumentException
                    || e.getCause() instanceof IllegalStateException
                    || types.length > 1
                            && e.getCause() instanceof IndexOutOfBoundsException; // there is no such element
            if (!isRefused) {
                throw new AssertionError(setter + " with " + value, e.getCause());
            }
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(setter.toString(), e);
        }
    }

    private static Object argument(Class<?> type, long value) {
        if (type == boolean.class) {
            return value != 0;
        }
        if (type == int.class) {
            return (int) value;
        }
        return value;
    }

    private @Nullable Object call(Method method, Object... arguments) {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw new AssertionError(method + " with " + Arrays.toString(arguments), e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(method.toString(), e);
        }
    }

    @Override
    public String toString() {
        return target.getClass().getSimpleName();
    }
}
