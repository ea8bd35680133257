package io.offhook.proxy.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.example.ScriptedRouter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Routing logic of users: answers, failures, deadlines and reloads. */
@Timeout(60)
class CustomRouterTest {
    private static final String CALLED = "sip:7@example.com";

    @TempDir
    private Path folder = Path.of(".");

    @BeforeEach
    void nothingIsClosedYet() {
        System.clearProperty(ScriptedRouter.CLOSED);
    }

    private static int closed() {
        return Integer.getInteger(ScriptedRouter.CLOSED, 0);
    }

    /** The last request closes a router, on its own thread. */
    private static void awaitClosed(int count) {
        while (closed() < count && !Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
        }
        assertThat(closed()).isEqualTo(count);
    }

    private RoutingConfig config(Path jar, String more) {
        return Queries.config("""
                routers: {r: {jar: JAR, MORE}}
                routes:
                  - {match: {prefix: "7"}, rewrite: {strip: 0, prepend: "9"}, then: {router: {name: r}}}
                  - {then: {reply: {status: 480}}}
                """.replace("JAR", jar.toString()).replace("MORE", more));
    }

    private Path jar(String name) throws IOException {
        return RouterJars.write(folder.resolve(name), ScriptedRouter.class);
    }

    private static RouteQuery doing(String script) {
        return Queries.withHeaders(Queries.invite(CALLED), _ -> List.of(script));
    }

    /** A request that stays in the router until the latch opens. */
    private static RouteQuery waiting(CountDownLatch isInside, CountDownLatch goOn) {
        return Queries.withHeaders(Queries.invite(CALLED), _ -> {
            isInside.countDown();
            boolean isInterrupted = false;
            while (true) {
                try {
                    goOn.await();
                    return List.of(isInterrupted ? "interrupted" : "fork");
                } catch (InterruptedException e) {
                    isInterrupted = true; // as a router that does not care
                }
            }
        });
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void decidesOnTheRewrittenUri() throws Exception {
        try (Routing routing = new Routing(config(jar("a.jar"), "deadline: 20s"), Queries.OWN)) {
            assertThat(Queries.text(Queries.decide(routing, doing("fork")))).isEqualTo("sip:97@192.0.2.9");
            assertThat(Queries.text(Queries.decide(routing, doing("")))).isEqualTo("reply 404");
            assertThat(routing.routers()).containsEntry("r", new RouterCounts(2, 0, 0, 0, 0));
        }
    }

    @Test
    void theNextRuleAppliesWhenItFails() throws Exception {
        try (Routing routing = new Routing(config(jar("a.jar"), "deadline: 20s"), Queries.OWN)) {
            for (String script : List.of("nothing", "fail", "invalid", "deep")) {
                assertThat(Queries.text(Queries.decide(routing, doing(script))))
                        .as(script)
                        .isEqualTo("reply 480");
            }
            assertThat(routing.routers()).containsEntry("r", new RouterCounts(0, 0, 3, 1, 0));
            assertThat(Queries.text(Queries.decide(routing, doing("no-such-group"))))
                    .isEqualTo("reply 500");
        }
    }

    @Test
    void errorIsAnsweredInsteadWhereConfigured() throws Exception {
        try (Routing routing = new Routing(config(jar("a.jar"), "deadline: 20s, otherwise: error"), Queries.OWN)) {
            assertThat(Queries.text(Queries.decide(routing, doing("fail")))).isEqualTo("reply 500");
        }
    }

    @Test
    void aLateAnswerDoesNotCount() throws Exception {
        CountDownLatch isInside = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        try (Routing routing = new Routing(config(jar("a.jar"), "deadline: 10ms, concurrent: 1"), Queries.OWN)) {
            assertThat(Queries.text(Queries.decide(routing, waiting(isInside, goOn))))
                    .isEqualTo("reply 480");
            await(isInside);
            assertThat(Queries.text(Queries.decide(routing, doing("fork"))))
                    .as("the first one is still inside")
                    .isEqualTo("reply 480");
            assertThat(routing.routers()).containsEntry("r", new RouterCounts(0, 1, 0, 0, 1));
            goOn.countDown();
        }
    }

    @Test
    void routersThatComputeForeverDelayNoAnswer() throws Exception {
        AtomicBoolean isOver = new AtomicBoolean();
        RouteQuery computing = Queries.withHeaders(Queries.invite(CALLED), _ -> {
            while (!isOver.get()) {
                Thread.onSpinWait();
            }
            return List.of("fork");
        });
        try (Routing routing = new Routing(config(jar("a.jar"), "deadline: 10ms"), Queries.OWN)) {
            List<CompletableFuture<RouteDecision>> decisions = new ArrayList<>();
            for (int i = 0; i < Runtime.getRuntime().availableProcessors() + 1; i++) {
                decisions.add(Queries.begin(routing, computing)); // more than there are carriers
            }
            for (CompletableFuture<RouteDecision> decision : decisions) {
                assertThat(Queries.text(decision.get(20, TimeUnit.SECONDS))).isEqualTo("reply 480");
            }
        } finally {
            isOver.set(true);
        }
    }

    @Test
    void requestsInFlightKeepTheirRouterOverAReload() throws Exception {
        Path jar = jar("a.jar");
        CountDownLatch isInside = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        try (Routing routing = new Routing(config(jar, "deadline: 20s"), Queries.OWN)) {
            CompletableFuture<RouteDecision> before = Queries.begin(routing, waiting(isInside, goOn));
            await(isInside);
            Files.writeString(jar, "overwritten while it is in use");
            jar("a.jar");
            routing.reload(config(jar, "deadline: 20s"));
            assertThat(closed()).as("in use").isZero();
            assertThat(Queries.text(Queries.decide(routing, doing("fork")))).isEqualTo("sip:97@192.0.2.9");
            goOn.countDown();
            assertThat(Queries.text(before.get(20, TimeUnit.SECONDS))).isEqualTo("sip:97@192.0.2.9");
            awaitClosed(1);
        }
        awaitClosed(2);
    }

    @Test
    void aWrongJarLeavesTheOldRouterAtWork() throws Exception {
        try (Routing routing = new Routing(config(jar("a.jar"), "deadline: 20s"), Queries.OWN)) {
            Path wrong = Files.writeString(folder.resolve("wrong.jar"), "no jar");
            assertThatThrownBy(() -> routing.reload(config(wrong, "deadline: 20s")))
                    .isInstanceOf(RouterException.class)
                    .hasMessageContaining("wrong.jar")
                    .hasMessageContaining("exactly one is needed");
            assertThatThrownBy(() -> routing.reload(config(folder.resolve("none.jar"), "deadline: 20s")))
                    .isInstanceOf(RouterException.class)
                    .hasMessageContaining("cannot be read");
            Path incomplete = folder.resolve("incomplete.jar");
            try (var out = new java.util.jar.JarOutputStream(Files.newOutputStream(incomplete))) {
                out.putNextEntry(new java.util.jar.JarEntry("META-INF/services/" + CallRouter.class.getName()));
                out.write("org.example.Missing\n".getBytes(java.nio.charset.StandardCharsets.UTF_8));
            }
            assertThatThrownBy(() -> routing.reload(config(incomplete, "deadline: 20s")))
                    .isInstanceOf(RouterException.class)
                    .hasMessageContaining("cannot be loaded");
            assertThat(Queries.text(Queries.decide(routing, doing("fork")))).isEqualTo("sip:97@192.0.2.9");
            assertThat(closed()).isZero();
        }
        awaitClosed(1);
    }

    @Test
    void leavesNoCopyBehind() throws Exception {
        Path temporary = Objects.requireNonNull(Path.of(System.getProperty("java.io.tmpdir")));
        List<String> before = copies(temporary);
        try (Routing routing = new Routing(config(jar("a.jar"), "deadline: 20s"), Queries.OWN)) {
            assertThat(copies(temporary)).hasSizeGreaterThan(before.size());
            routing.reload(config(jar("a.jar"), "deadline: 20s"));
        }
        assertThat(copies(temporary)).isEqualTo(before);
    }

    private static List<String> copies(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("offhook-router-"))
                    .sorted()
                    .toList();
        }
    }
}
