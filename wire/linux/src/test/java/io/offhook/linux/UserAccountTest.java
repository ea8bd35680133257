package io.offhook.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.linux.libc.Pwd;
import io.offhook.linux.libc.SignalHeader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class UserAccountTest {
    @Test
    void findsWhoTheSystemKnows() {
        assertThat(UserAccount.named("root")).isEqualTo(new UserAccount("root", 0, 0));
        UserAccount nobody = Objects.requireNonNull(UserAccount.named("nobody"));
        assertThat(nobody.user()).isPositive();
        assertThat(UserAccount.named("no-such-user")).isNull();
    }

    @Test
    void agreesWithTheCompiler(@TempDir Path folder) throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/cc")), "no C compiler is here");
        Path program = folder.resolve("offsets.c");
        Files.writeString(program, """
                #include <pwd.h>
                #include <signal.h>
                #include <stddef.h>
                #include <stdio.h>
                int main(void) {
                  printf("%zu %zu %zu %d %d %zu %zu\\n", sizeof(struct passwd), offsetof(struct passwd, pw_uid),
                      offsetof(struct passwd, pw_gid), SIGINT, SIGTERM, (size_t) SIG_DFL, (size_t) SIG_IGN);
                }
                """);
        run("cc", "-o", folder.resolve("offsets").toString(), program.toString());
        assertThat(run(folder.resolve("offsets").toString()).strip())
                .isEqualTo(Pwd.PASSWD_BYTES + " " + Pwd.PASSWD_USER + " " + Pwd.PASSWD_GROUP + " "
                        + ProcessSignal.INTERRUPT.number() + " " + ProcessSignal.TERMINATE.number() + " "
                        + SignalHeader.SIG_DFL + " " + SignalHeader.SIG_IGN);
    }

    @Test
    void becomesTheUserInAllThreads() throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"), "needs root");
        String said = child(Becoming.class, "nobody");
        UserAccount nobody = Objects.requireNonNull(UserAccount.named("nobody"));
        List<String> lines = said.lines().toList();
        String ids = "\t" + nobody.user();
        String groups = "\t" + nobody.group();
        // the JVM's own threads, and one that we made before
        assertThat(lines).filteredOn(line -> line.startsWith("Uid:")).hasSizeGreaterThan(5);
        assertThat(lines).allSatisfy(line -> {
            if (line.startsWith("Uid:")) {
                assertThat(line).isEqualTo("Uid:" + ids.repeat(4));
            } else if (line.startsWith("Gid:")) {
                assertThat(line).isEqualTo("Gid:" + groups.repeat(4));
            } else {
                assertThat(line).startsWith("Cap").endsWith("\t0000000000000000");
            }
        });
    }

    @Test
    void aDefaultSignalEndsTheProcess() throws Exception {
        Process process = started(Restored.class);
        assertThat(process.inputReader().readLine()).isEqualTo("restored");
        assertThat(process.toHandle().destroy()).isTrue();
        assertThat(process.waitFor()).isEqualTo(128 + ProcessSignal.TERMINATE.number());
        assertThat(process.inputReader().readLine()).as("the hook did not run").isNull();
    }

    /** Becomes a user, and prints what the kernel says of all threads. */
    static final class Becoming {
        public static void main(String[] args) throws IOException {
            CountDownLatch latch = new CountDownLatch(1);
            Thread other = Thread.ofPlatform().daemon().start(() -> {
                try {
                    latch.await();
                } catch (InterruptedException e) {
                    // the process ends
                }
            });
            UserAccount account = UserAccount.named(args[0]);
            if (account == null || !other.isAlive()) {
                throw new IllegalStateException(args[0]);
            }
            account.become();
            try (var threads = Files.list(Path.of("/proc/self/task"))) {
                for (Path thread : threads.toList()) {
                    for (String line : Files.readAllLines(thread.resolve("status"))) {
                        if (line.matches("(Uid|Gid|CapEff|CapPrm|CapAmb):.*")) {
                            System.out.println(line);
                        }
                    }
                }
            }
        }
    }

    /** Leaves SIGTERM to the kernel, though there is a hook. */
    static final class Restored {
        public static void main(String[] args) throws InterruptedException {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
            ProcessSignal.TERMINATE.restoreDefault();
            System.out.println("restored");
            Thread.sleep(60_000);
        }
    }

    private static Process started(Class<?> main, String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(args));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static String child(Class<?> main, String... args) throws IOException, InterruptedException {
        Process process = started(main, args);
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }
}
