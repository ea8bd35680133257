package io.offhook.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds hot methods and allocation against a program whose threads run known methods and allocate at a known rate. */
@EnabledOnOs(OS.LINUX)
@Timeout(180)
class ProfileStreamTest {
    private static final long LOOK_NS = 500_000_000L;
    private static final String LONG = "KnownMethods.longWork";
    private static final String SHORT = "KnownMethods.shortWork";

    static List<Path> homes() {
        return KnownJvm.homes();
    }

    private static ThreadProfile profile(JavaLook look, JavaWatch java, String name) {
        return look.threads().values().stream()
                .filter(thread -> thread.name().equals(name))
                .map(thread -> java.profiles().getOrDefault(thread.nativeId(), ThreadProfile.NOTHING))
                .findFirst()
                .orElse(ThreadProfile.NOTHING);
    }

    private static double share(ThreadProfile profile, String method) {
        return profile.methods().stream()
                .filter(hot -> hot.name().equals(method))
                .mapToDouble(profile::share)
                .findFirst()
                .orElse(0);
    }

    /** The profile of a thread once it is long enough, however long that takes. */
    private static ThreadProfile await(
            JavaWatch java, ThreadWatch watch, String name, Predicate<ThreadProfile> isEnough) {
        ThreadProfile profile = ThreadProfile.NOTHING;
        while (!isEnough.test(profile)) {
            LockSupport.parkNanos(LOOK_NS);
            profile = profile(java.look(watch.look()), java, name);
        }
        return profile;
    }

    @ParameterizedTest
    @MethodSource("homes")
    void findsTheMethodsThatRunAndWhatIsAllocated(Path home) throws Exception {
        try (KnownJvm jvm = KnownJvm.of(home, "/KnownMethods.java");
                JavaWatch java = JavaWatch.profiling(jvm.pid());
                ThreadWatch watch = ThreadWatch.of(jvm.pid())) {
            ThreadProfile both = await(java, watch, "both", profile -> profile.samples() >= 300);
            assertThat(share(both, LONG)).isCloseTo(0.75, within(0.1));
            assertThat(share(both, SHORT)).isCloseTo(0.25, within(0.1));
            assertThat(both.methods().getFirst().name()).isEqualTo(LONG);
            ThreadProfile only = await(java, watch, "only-short", profile -> profile.samples() >= 100);
            assertThat(share(only, SHORT)).isGreaterThan(0.95);
            assertThat(share(only, LONG)).isZero();
            // a busy machine reads the counter late, of which the more time says less
            ThreadProfile allocates = await(
                    java,
                    watch,
                    "allocates",
                    profile ->
                            profile.allocationNs() >= 3_000_000_000L && Math.abs(profile.allocationRate() - 20e6) < 2e6
                                    || profile.allocationNs() >= 60_000_000_000L);
            assertThat(allocates.allocationRate()).isCloseTo(20e6, within(2e6));
            assertThat(java.notes()).isEmpty();
        }
    }

    @Test
    void asksTheJvmForNothingOfItUnlessItIsWanted() throws Exception {
        try (KnownJvm jvm = KnownJvm.of(KnownJvm.OWN, "/KnownMethods.java");
                JavaWatch java = JavaWatch.of(jvm.pid());
                ThreadWatch watch = ThreadWatch.of(jvm.pid())) {
            java.look(watch.look());
            assertThat(java.profiles()).isEmpty();
            String recordings = recordings(jvm);
            assertThat(settings(recordings, "jdk.GCPhasePause")).contains("enabled=true");
            assertThat(settings(recordings, "jdk.ExecutionSample")).doesNotContain("enabled=true");
            assertThat(settings(recordings, "jdk.ThreadAllocationStatistics")).doesNotContain("enabled=true");
        }
        try (KnownJvm jvm = KnownJvm.of(KnownJvm.OWN, "/KnownMethods.java");
                JavaWatch java = JavaWatch.profiling(jvm.pid())) {
            assertThat(java.isJvm()).isTrue();
            assertThat(settings(recordings(jvm), "jdk.ExecutionSample")).contains("enabled=true");
        }
    }

    /** The settings of the recording, once there is one. */
    private static String recordings(KnownJvm jvm) throws IOException {
        AttachSocket socket = AttachSocket.of(jvm.pid());
        String recordings = socket.jcmd("JFR.check verbose=true");
        while (!recordings.contains("offhook-")) {
            LockSupport.parkNanos(LOOK_NS);
            recordings = socket.jcmd("JFR.check verbose=true");
        }
        return recordings;
    }

    /** What JFR.check prints of an event: its settings follow its name. */
    private static String settings(String recordings, String event) {
        return recordings
                .lines()
                .dropWhile(line -> !line.contains("(" + event + ")"))
                .skip(1)
                .findFirst()
                .orElse("");
    }

    @Test
    void hasNoRateOfAThreadThatWasNotReportedTwice() {
        assertThat(ThreadProfile.NOTHING.allocationRate()).isNaN();
        assertThat(new ThreadProfile(0, List.of(), 3_000, 2_000_000_000L).allocationRate())
                .isEqualTo(1500);
        assertThat(ThreadProfile.NOTHING.share(new ThreadProfile.HotMethod("a", 1)))
                .isZero();
    }
}
