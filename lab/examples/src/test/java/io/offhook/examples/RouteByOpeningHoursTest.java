package io.offhook.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.IpAddress;
import io.offhook.proxy.ProxyConfig;
import io.offhook.proxy.routing.CallRouter;
import io.offhook.proxy.routing.RouteDecision;
import io.offhook.proxy.routing.RouteQuery;
import io.offhook.proxy.routing.RouterCounts;
import io.offhook.proxy.routing.Routing;
import io.offhook.sip.SipTransport;
import io.offhook.sip.SipUri;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Routing logic of one's own, by itself and in a jar. */
class RouteByOpeningHoursTest {
    private static final RouteQuery QUERY = new RouteQuery(
            "INVITE",
            SipUri.parse("sip:support@example.org"),
            SipUri.parse("sip:alice@example.com"),
            SipUri.parse("sip:support@example.org"),
            "call-1",
            new RouteQuery.Source(IpAddress.ofIpv4(0x0a00_0001), 5060, SipTransport.UDP, "udp", "", ""),
            RouteQuery.Headers.NONE);
    private static final RouteDecision VOICEMAIL = RouteDecision.Fork.to(
            io.offhook.proxy.routing.Target.of(SipUri.parse("sip:support@voicemail.example.org")));

    private static @Nullable RouteDecision at(String time) {
        return new RouteByOpeningHours(Clock.fixed(Instant.parse(time), ZoneOffset.UTC)).route(QUERY);
    }

    @Test
    void leavesCallsToTheNextRuleWhileSomebodyIsThere() {
        assertThat(at("2026-03-02T09:00:00Z")).isNull();
        assertThat(at("2026-03-06T16:59:59Z")).isNull();
        assertThat(at("2026-03-02T08:59:59Z")).isEqualTo(VOICEMAIL);
        assertThat(at("2026-03-06T17:00:00Z")).isEqualTo(VOICEMAIL);
        assertThat(at("2026-03-07T12:00:00Z")).as("a Saturday").isEqualTo(VOICEMAIL);
    }

    @Test
    void worksFromAJar(@TempDir Path folder) throws Exception {
        ProxyConfig config =
                ProxyConfig.reader().read("""
                listeners: [{name: udp, address: 127.0.0.1}]
                routers:
                  hours: {jar: JAR, deadline: 20s}
                routes:
                  - match: {user: support}
                    then: {router: {name: hours}}
                  - then: {reply: {status: 480}}
                """.replace("JAR", jar(folder).toString()), "proxy.yaml");
        try (Routing routing = new Routing(config.routing(), List.of())) {
            CompletableFuture<RouteDecision> decision = new CompletableFuture<>();
            routing.route(QUERY, decision::complete);
            assertThat(decision.get(20, TimeUnit.SECONDS)).isIn(VOICEMAIL, RouteDecision.Reply.of(480));
            RouterCounts counts = Objects.requireNonNull(routing.routers().get("hours"));
            assertThat(counts.answered() + counts.empty()).isEqualTo(1);
        }
    }

    private static Path jar(Path folder) throws IOException {
        Path jar = folder.resolve("opening-hours.jar");
        String name = RouteByOpeningHours.class.getName();
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                InputStream bytes = Objects.requireNonNull(
                        RouteByOpeningHours.class.getResourceAsStream("RouteByOpeningHours.class"))) {
            out.putNextEntry(new JarEntry(name.replace('.', '/') + ".class"));
            bytes.transferTo(out);
            out.putNextEntry(new JarEntry("META-INF/services/" + CallRouter.class.getName()));
            out.write(name.getBytes(StandardCharsets.UTF_8));
        }
        return jar;
    }
}
