package io.offhook.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.command.ExitCode;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.Protocol;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A jar on the class path that provides what cannot be loaded: one line names it, and what needs no service goes on. */
@EnabledOnOs(OS.LINUX)
class BrokenServiceTest {
    private static final String PROTOCOL = "io.offhook.packet.Protocol";
    private static final String MISSING = "com.example.Missing";

    @TempDir
    private Path folder;

    private String capture = "";

    @BeforeEach
    void writeCapture() {
        capture = Captures.scenario("proxies", folder);
    }

    /** A protocol whose constructor throws. */
    public static final class Failing extends Protocol {
        public Failing() {
            super("failing", HeaderLayout.of(4));
            throw new IllegalStateException("no licence");
        }
    }

    /** With a folder on the class path whose service file names the provider. */
    private Offhook.Result offhook(String service, String provider, String... arguments) throws Exception {
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Files.writeString(services.resolve(service), provider + "\n");
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, before)) {
            thread.setContextClassLoader(loader);
            return Offhook.run(arguments);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static void namesIt(Offhook.Result result, String what) {
        assertThat(result.err())
                .isEqualTo("offhook: a service cannot be loaded: " + what
                        + "; correct the jar that provides it, or remove it from the class path\n");
        assertThat(result.code()).isEqualTo(ExitCode.MISUSE);
    }

    @ParameterizedTest
    @CsvSource({
        PROTOCOL + ", print CAPTURE",
        "io.offhook.live.CaptureBackend, interfaces",
        "io.offhook.live.CaptureBackend, print -i lo --no-rehearsal --count 1",
    })
    void aProviderThatIsMissingIsNamed(String service, String command) throws Exception {
        String[] arguments = command.replace("CAPTURE", capture).split(" ", -1);
        namesIt(offhook(service, MISSING, arguments), service + ": Provider " + MISSING + " not found");
    }

    @Test
    void aProviderThatThrowsIsNamedWithItsReason() throws Exception {
        String name = Failing.class.getName();
        namesIt(
                offhook(PROTOCOL, name, "print", capture),
                PROTOCOL + ": Provider " + name
                        + " could not be instantiated: java.lang.IllegalStateException: no licence");
    }

    @Test
    void commandsThatNeedNoServiceStillWork() throws Exception {
        Offhook.Result result = offhook(PROTOCOL, MISSING, "calls", capture);
        assertThat(result.err()).doesNotContain(MISSING);
        assertThat(result.code()).isEqualTo(ExitCode.DONE);
    }
}
