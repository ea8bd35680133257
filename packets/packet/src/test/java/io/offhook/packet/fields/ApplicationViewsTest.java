package io.offhook.packet.fields;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.WrapStatus;
import io.offhook.packet.application.DhcpView;
import io.offhook.packet.application.Dhcpv6View;
import io.offhook.packet.application.DiameterView;
import io.offhook.packet.application.DnsView;
import io.offhook.packet.application.H225View;
import io.offhook.packet.application.HttpView;
import io.offhook.packet.application.MgcpView;
import io.offhook.packet.application.NtpView;
import io.offhook.packet.application.QuicView;
import io.offhook.packet.application.RadiusView;
import io.offhook.packet.application.SkinnyView;
import io.offhook.packet.application.SnmpView;
import io.offhook.packet.application.StunView;
import io.offhook.packet.application.SyslogView;
import io.offhook.packet.application.TftpView;
import io.offhook.packet.application.TlsClientHelloView;
import io.offhook.packet.application.TlsRecordView;
import io.offhook.packet.application.TurnChannelView;
import io.offhook.packet.application.UdptlView;
import io.offhook.packet.application.WireGuardView;
import io.offhook.packet.walk.GoldenFrame;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the views of applications promise: as those of layers, after OK nothing that they say is out of bounds. */
public class ApplicationViewsTest {
    private static final long SEED = 20_261_125;

    public enum Subject {
        DNS(DnsView.class, 0, "dns", "mdns", "llmnr"),
        DHCP(DhcpView.class, 0, "dhcp"),
        DHCPV6(Dhcpv6View.class, 0, "dhcpv6"),
        NTP(NtpView.class, 0, "ntp"),
        TFTP(TftpView.class, 0, "tftp"),
        TLS(TlsRecordView.class, 0, "tls"),
        TLS_CLIENT_HELLO(TlsClientHelloView.class, 5, "tls"),
        QUIC(QuicView.class, 0, "quic"),
        HTTP(HttpView.class, 0, "http"),
        STUN(StunView.class, 0, "stun"),
        TURN(TurnChannelView.class, 0, "turn"),
        MGCP(MgcpView.class, 0, "mgcp"),
        H225(H225View.class, 0, "h225"),
        SKINNY(SkinnyView.class, 0, "skinny"),
        UDPTL(UdptlView.class, 0, "udptl"),
        DIAMETER(DiameterView.class, 0, "diameter"),
        RADIUS(RadiusView.class, 0, "radius"),
        SNMP(SnmpView.class, 0, "snmp"),
        SYSLOG(SyslogView.class, 0, "syslog"),
        WIREGUARD(WireGuardView.class, 0, "wireguard");

        public final Class<?> view;
        final int from;

        @SuppressWarnings("ImmutableEnumChecker") // List.of makes one that does not change
        final List<String> applications;

        Subject(Class<?> view, int from, String... applications) {
            this.view = view;
            this.from = from;
            this.applications = List.of(applications);
        }

        public Object newView() {
            try {
                return view.getConstructor().newInstance();
            } catch (ReflectiveOperationException e) {
                throw new LinkageError(view.getName(), e);
            }
        }

        public WrapStatus wrap(Object target, MemorySegment segment, int length) {
            try {
                Method wrap = view.getMethod("wrap", MemorySegment.class, long.class, int.class);
                return (WrapStatus) wrap.invoke(target, segment, 0L, length);
            } catch (ReflectiveOperationException e) {
                throw new LinkageError(view.getName(), e);
            }
        }

        /** The messages of its samples, without what stands before them over streams. */
        public Map<String, byte[]> samples() {
            ApplicationRecognizer recognizer = new ApplicationRecognizer();
            Map<String, byte[]> samples = new LinkedHashMap<>();
            for (ApplicationSample sample : ApplicationSample.all()) {
                if (!applications.contains(sample.application())) {
                    continue;
                }
                sample.recognize(recognizer);
                int start = (int) recognizer.message().offset() + from;
                byte[] bytes = Arrays.copyOfRange(sample.bytes(), start, sample.length());
                if (wrap(newView(), GoldenFrame.segment(bytes), bytes.length) == WrapStatus.OK) {
                    samples.put(sample.name(), bytes);
                }
            }
            assertThat(samples).as("samples of %s", this).isNotEmpty();
            return samples;
        }
    }

    @ParameterizedTest
    @EnumSource
    void readsWhatItsFieldsAre(Subject subject) {
        int compared = 0;
        for (ApplicationSample sample : ApplicationSample.all()) {
            byte[] bytes = subject.samples().get(sample.name());
            if (bytes == null) {
                continue;
            }
            Object view = subject.newView();
            subject.wrap(view, GoldenFrame.segment(bytes), bytes.length);
            Map<String, Object> values = read(view);
            for (Map.Entry<String, String> field : sample.fields().entrySet()) {
                String capitalised = field.getKey().substring(0, 1).toUpperCase(Locale.ROOT)
                        + field.getKey().substring(1);
                for (String name : List.of(field.getKey(), "is" + capitalised, field.getKey() + "Text")) {
                    Object value = values.get(name);
                    boolean isSame = value instanceof Number || value instanceof Boolean || value instanceof String;
                    if (isSame
                            && !field.getValue().contains(":")
                            && field.getValue().length() < 16) {
                        assertThat(String.valueOf(value))
                                .as("%s of %s", name, sample)
                                .isEqualTo(field.getValue());
                        compared++;
                    }
                }
            }
        }
        assertThat(compared).as("fields compared of %s", subject).isPositive();
    }

    @ParameterizedTest
    @EnumSource
    void refusesWhatIsTooShort(Subject subject) {
        subject.samples().forEach((name, bytes) -> {
            for (int length = 0; length <= bytes.length; length++) {
                Object view = subject.newView();
                MemorySegment segment = GoldenFrame.segment(Arrays.copyOf(bytes, length));
                WrapStatus status = subject.wrap(view, segment, length);
                if (status == WrapStatus.OK) {
                    assertThat(read(view)).isNotEmpty();
                } else {
                    assertThat(status).as("%s cut to %d", name, length).isEqualTo(WrapStatus.TRUNCATED);
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void staysInBoundsOfAnyBytes(Subject subject) {
        Random random = new Random(SEED);
        List<byte[]> samples = new ArrayList<>(subject.samples().values());
        Object view = subject.newView();
        int ok = 0;
        for (int round = 0; round < 3_000; round++) {
            byte[] bytes = samples.get(round % samples.size()).clone();
            if (round % 3 == 0) {
                bytes = new byte[random.nextInt(120)];
                random.nextBytes(bytes);
            }
            for (int i = random.nextInt(4); i > 0 && bytes.length > 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            if (subject.wrap(view, GoldenFrame.segment(bytes), bytes.length) == WrapStatus.OK) {
                ok++;
                assertThat(read(view)).isNotEmpty();
            }
        }
        assertThat(ok).as("wrapped with seed %d", SEED).isPositive();
    }

    /** Every accessor of the view, by name. */
    private static Map<String, Object> read(Object view) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (Method method : view.getClass().getMethods()) {
            boolean isAccessor = method.getDeclaringClass() != Object.class
                    && !Modifier.isStatic(method.getModifiers())
                    && method.getParameterCount() == 0;
            if (!isAccessor) {
                continue;
            }
            try {
                values.put(method.getName(), method.invoke(view));
            } catch (InvocationTargetException e) {
                throw new AssertionError(method + " failed", e.getCause());
            } catch (ReflectiveOperationException e) {
                throw new LinkageError(method.toString(), e);
            }
        }
        return values;
    }
}
