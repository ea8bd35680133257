package io.offhook.proxy.health;

import io.offhook.proxy.routing.GroupHealth;
import io.offhook.proxy.routing.NextHopGroup;
import io.offhook.sip.SipUri;
import io.offhook.sip.proxy.OptionsRequests.Question;
import io.offhook.sip.proxy.ProxyCore;
import org.jspecify.annotations.Nullable;

/** The OPTIONS to the members of one group that are under way: at most one for each. Of one lane. */
final class MemberQuestions {
    private static final long MS = 1_000_000;

    private final ProxyCore core;
    private final NextHopGroup group;
    private final GroupHealth health;
    private final String[] uris;
    private final @Nullable Question[] asked;
    private final long[] endMs;
    private long nowNs;

    MemberQuestions(ProxyCore core, NextHopGroup group) {
        this.core = core;
        this.group = group;
        health = group.health();
        int members = group.config().members().size();
        asked = new Question[members];
        endMs = new long[members];
        uris = new String[members];
        for (int i = 0; i < members; i++) {
            SipUri uri = group.config().members().get(i).uri();
            uris[i] = new SipUri(uri.scheme(), uri.user(), "", uri.host(), uri.port(), uri.parameters(), "").toString();
        }
    }

    NextHopGroup group() {
        return group;
    }

    /** Sends what is due. @return when to call again at the latest; {@link Long#MAX_VALUE} for never */
    long ask(long now) {
        nowNs = now;
        long nowMs = Math.floorDiv(now, MS);
        for (int i = 0; i < asked.length; i++) {
            if (asked[i] != null && nowMs >= endMs[i]) {
                giveUp(i);
            }
        }
        long nextMs = health.tick(nowMs, this::send);
        return nextMs == Long.MAX_VALUE ? nextMs : nextMs * MS;
    }

    private void send(int member, int attempt) {
        giveUp(member);
        endMs[member] = Math.floorDiv(nowNs, MS) + group.config().health().options().timeoutMs();
        asked[member] = core.options()
                .ask(uris[member], nowNs, (status, _) -> health.answered(member, attempt, status));
    }

    private void giveUp(int member) {
        Question question = asked[member];
        if (question != null) {
            asked[member] = null;
            question.giveUp();
        }
    }

    /** Gives up all that are under way. */
    void giveUp() {
        for (int i = 0; i < asked.length; i++) {
            giveUp(i);
        }
    }
}
