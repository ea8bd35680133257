package io.offhook.packet;

import io.offhook.packet.application.DnsRecords;
import io.offhook.packet.fields.ApplicationViewsTest;
import io.offhook.packet.link.RadiotapView;
import io.offhook.packet.link.WlanView;
import io.offhook.packet.network.Ipv4Options;
import io.offhook.packet.transport.SctpChunks;
import io.offhook.packet.transport.TcpOptions;
import io.offhook.packet.tunnel.GtpUView;
import io.offhook.packet.tunnel.L2tpView;
import io.offhook.packet.tunnel.TeredoView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Every view and list there is, and for each of them bytes that have its fields. */
final class SetterSubjects {
    private static final int MOST_SAMPLES = 16;
    private static final Map<Class<?>, List<SetterSample>> SAMPLES = collect();

    private SetterSubjects() {}

    /** The public classes that are views, and the lists. */
    static List<Class<?>> views() {
        return classes().stream()
                .filter(type -> type.getSimpleName().matches("\\w+View") || LISTS.contains(type.getSimpleName()))
                .filter(type -> !Modifier.isAbstract(type.getModifiers()) && Modifier.isPublic(type.getModifiers()))
                .toList();
    }

    /** Every class of the module; from the class files, so that none can be forgotten. */
    static List<Class<?>> classes() {
        try {
            Path root = Path.of(LayerType.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            try (Stream<Path> files = Files.walk(root.resolve("io/offhook/packet"))) {
                List<Class<?>> classes = new ArrayList<>();
                for (Path file : files.sorted().toList()) {
                    String path = root.relativize(file).toString();
                    if (path.endsWith(".class") && !path.endsWith("-info.class")) {
                        String name = path.replaceFirst("\\.class$", "").replace('/', '.');
                        classes.add(Class.forName(name, false, LayerType.class.getClassLoader()));
                    }
                }
                return classes;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ClassNotFoundException | URISyntaxException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    private static final Set<String> LISTS =
            Set.of("TcpOptions", "Ipv4Options", "SctpChunks", "DnsRecords", "TypeLengthValues");

    static Set<Class<?>> sampled() {
        return new HashSet<>(SAMPLES.keySet());
    }

    static List<SetterSample> samples(Class<?> view) {
        return SAMPLES.getOrDefault(view, List.of());
    }

    private static Map<Class<?>, List<SetterSample>> collect() {
        Map<Class<?>, List<SetterSample>> samples = new HashMap<>();
        more(samples);
        for (ViewsTest.Subject subject : ViewsTest.Subject.values()) {
            ViewsTest.headers(subject).forEach((name, bytes) -> add(samples, subject::newView, name, bytes));
        }
        for (ApplicationViewsTest.Subject subject : ApplicationViewsTest.Subject.values()) {
            subject.samples()
                    .forEach((name, bytes) -> put(samples, subject.view, new SetterSample(name, bytes, segment -> {
                        Object view = subject.newView();
                        boolean isOk = subject.wrap(view, segment, bytes.length) == WrapStatus.OK;
                        return isOk ? view : null;
                    })));
        }
        lists(samples);
        return samples;
    }

    private static void add(
            Map<Class<?>, List<SetterSample>> samples, Supplier<LayerView> views, String name, String hex) {
        add(samples, views, name, HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    private static void add(
            Map<Class<?>, List<SetterSample>> samples, Supplier<LayerView> views, String name, byte[] bytes) {
        put(samples, views.get().getClass(), new SetterSample(name, bytes, segment -> {
            LayerView view = views.get();
            return view.wrap(segment, 0, bytes.length) == WrapStatus.OK ? view : null;
        }));
    }

    private static void put(Map<Class<?>, List<SetterSample>> samples, Class<?> view, SetterSample sample) {
        List<SetterSample> some = samples.computeIfAbsent(view, key -> new ArrayList<>());
        if (some.size() < MOST_SAMPLES) {
            some.add(sample);
        }
    }

    /** Fields that no golden frame has. */
    private static void more(Map<Class<?>, List<SetterSample>> samples) {
        add(samples, GtpUView::new, "all that is optional", "37ff001000000011 00010285 01000900 4500000000000000");
        add(samples, L2tpView::new, "with sequence numbers", "4802 0014 0001 0002 0005 0006 ff03 0021 45000000");
        add(samples, RadiotapView::new, "of a modulation", "0000 0c00 00000800 07 00 05 00");
        add(samples, TeredoView::new, "all that is optional", "0001 0000 0102030405060708 09 0000 ee77 3ffffdfe 6000");
        add(
                samples,
                WlanView::new,
                "between access points",
                "8803 0000 020000000001 020000000002 020000000003 1000 020000000004 0500 aaaa03");
    }

    private static void lists(Map<Class<?>, List<SetterSample>> samples) {
        elements(samples, TcpOptions.class, TCP_OPTIONS, 14, (segment, step) -> {
            TcpOptions options = new TcpOptions();
            options.wrap(segment, 0, (int) segment.byteSize());
            return advance(options::next, step) ? options : null;
        });
        elements(samples, Ipv4Options.class, IPV4_OPTIONS, 11, (segment, step) -> {
            Ipv4Options options = new Ipv4Options();
            options.wrap(segment, 0, (int) segment.byteSize());
            return advance(options::next, step) ? options : null;
        });
        elements(samples, SctpChunks.class, SCTP_CHUNKS, 5, (segment, step) -> {
            SctpChunks chunks = new SctpChunks();
            chunks.wrap(segment, 0, (int) segment.byteSize());
            return advance(chunks::next, step) ? chunks : null;
        });
        elements(samples, DnsRecords.class, DNS, 2, (segment, step) -> {
            DnsRecords records = new DnsRecords();
            records.wrap(segment, 0, (int) segment.byteSize(), 1, 1);
            return advance(records::next, step) ? records : null;
        });
        elements(samples, TypeLengthValues.class, AVPS, 2, (segment, step) -> {
            TypeLengthValues list = new TypeLengthValues(TypeLengthValues.Form.DIAMETER_AVPS);
            list.wrap(segment, 0, (int) segment.byteSize());
            return advance(list::next, step) ? list : null;
        });
    }

    private static final String TCP_OPTIONS = "02 04 05b4 03 03 07 04 02 05 12 00000001 00000002 00000003 00000004"
            + "08 0a 00000001 00000002 13 12 00112233445566778899aabbccddeeff 1c 04 003c 1d 08 0102 aabbccdd"
            + "1e 14 01 81 0011223344556677 8899aabbccddeeff 1e 0c 10 05 01020304 05060708"
            + "1e 08 20 01 00000009 1e 08 30 07 c0000201 22 06 01020304 fe 04 0102";
    private static final String IPV4_OPTIONS = "07 0b 04 c0000201 c6336402 83 07 04 c0000201 89 07 08 c0000201"
            + "44 0c 05 01 c0000201 00000001 44 08 05 00 00000001 94 04 0000 88 04 0102 82 0b 00 0000000000000000"
            + "86 06 00000001 52 0c 0102 0000 0000 c0000201 19 08 05 00 00000000";
    private static final String SCTP_CHUNKS = "00 03 0011 00000001 0002 0003 0000002e 41 000000"
            + "01 00 0014 00000001 00010000 000a 000b 00000005 03 00 0018 00000007 00010000 0002 0000 0002 0003 0005 0006"
            + "40 03 0018 00000001 0002 0000 00000009 0000002e 41424344 07 00 0008 00000009";
    private static final String DNS =
            "000000000001000100000000 0161 00 0001 0001 0161 00 0001 0001 0000003c 0004 c0000201";
    private static final String AVPS =
            "00000108 40 000010 0102030405060708 00000109 c0 000014 000028af 0102030405060708";

    private interface Stepper {
        @org.jspecify.annotations.Nullable
        Object on(MemorySegment segment, int step);
    }

    private static void elements(
            Map<Class<?>, List<SetterSample>> samples, Class<?> list, String hex, int count, Stepper stepper) {
        for (int i = 0; i < count; i++) {
            int step = i;
            put(
                    samples,
                    list,
                    SetterSample.of(list.getSimpleName() + " element " + i, hex, segment -> stepper.on(segment, step)));
        }
    }

    private static boolean advance(java.util.function.BooleanSupplier next, int step) {
        boolean isThere = true;
        for (int i = 0; i <= step && isThere; i++) {
            isThere = next.getAsBoolean();
        }
        return isThere;
    }
}
