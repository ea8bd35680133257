package io.offhook.sip.proxy;

import static io.offhook.sip.proxy.Draft.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.sip.proxy.ProxyScene.Received;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Targets that know another way: the members of a group. */
class FallbackTest {
    private static final String FIRST = Draft.BOB;
    private static final String SECOND = Draft.CAROL;

    private final ProxyScene scene = new ProxyScene();
    private final List<String> seen = new ArrayList<>();

    /** A target at the first place, which falls back to the second one on 503 and on silence. */
    private ForkTarget target(String place, @Nullable String other) {
        return new ForkTarget(
                "sip:bob@example.com", List.of(), "sip:" + place, null, HeaderChanges.NONE, new TargetFallback() {
                    @Override
                    public @Nullable ForkTarget after(int status, boolean isLocal, long retryAfterS, long nowNs) {
                        seen.add(status + (isLocal ? " local " : " ") + retryAfterS);
                        return other != null && (isLocal || status == 503) ? target(other, null) : null;
                    }

                    @Override
                    public void responded(int status, long nowNs) {
                        seen.add("responded " + status);
                    }
                });
    }

    private void invite() {
        scene.decision = (context, request) -> context.fork(List.of(List.of(target(FIRST, SECOND))), scene.nowNs);
        scene.send(ALICE, Draft.invite().uri("sip:bob@example.com").text());
    }

    @Test
    void triesTheNextMemberAfter503AndAddsNoRoute() {
        invite();
        Received first = scene.take(FIRST);
        assertThat(first.startLine()).isEqualTo("INVITE sip:bob@example.com SIP/2.0");
        assertThat(first.values(io.offhook.sip.SipHeader.ROUTE)).isEmpty();
        scene.send(FIRST, first.answer(503, "x", "Retry-After: 7"));
        assertThat(scene.take(FIRST).startLine()).startsWith("ACK ");
        Received second = scene.take(SECOND);
        assertThat(second.values(io.offhook.sip.SipHeader.VIA).getFirst())
                .isNotEqualTo(first.values(io.offhook.sip.SipHeader.VIA).getFirst());
        scene.send(SECOND, second.answer(180, "y"));
        scene.send(SECOND, second.answer(200, "y"));
        assertThat(scene.take(ALICE).startLine()).isEqualTo("SIP/2.0 180 Reason");
        assertThat(scene.take(ALICE).startLine()).isEqualTo("SIP/2.0 200 Reason");
        assertThat(seen).containsExactly("503 7", "responded 180", "responded 200");
    }

    @Test
    void triesTheNextMemberWhenNobodyAnswers() {
        invite();
        scene.pass(33 * ProxyScene.SECOND);
        assertThat(scene.take(SECOND).startLine()).startsWith("INVITE ");
        assertThat(seen).containsExactly("408 local -1");
    }

    @Test
    void triesTheNextMemberWhenOneCannotBeReached() {
        scene.broken.add(FIRST);
        invite();
        assertThat(scene.take(SECOND).startLine()).startsWith("INVITE ");
        assertThat(seen).containsExactly("503 local -1");
    }

    @Test
    void passesOnWhatTheFallbackAccepts() {
        invite();
        Received first = scene.take(FIRST);
        scene.send(FIRST, first.answer(486, "x"));
        assertThat(scene.take(ALICE).startLine()).isEqualTo("SIP/2.0 486 Reason");
        assertThat(scene.isQuiet(SECOND)).isTrue();
    }

    @Test
    void asksNoFallbackAfterACancel() {
        invite();
        Received first = scene.take(FIRST);
        scene.send(FIRST, first.answer(180, "x"));
        scene.send(ALICE, Draft.of("CANCEL").uri("sip:bob@example.com").text());
        scene.send(FIRST, first.answer(503, "x"));
        assertThat(scene.isQuiet(SECOND)).isTrue();
    }
}
