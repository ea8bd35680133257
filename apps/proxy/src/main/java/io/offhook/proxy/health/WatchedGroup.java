package io.offhook.proxy.health;

import io.offhook.proxy.log.Log;
import io.offhook.proxy.routing.GroupHealth;
import io.offhook.proxy.routing.NextHopGroup;
import io.offhook.sip.SipUri;
import io.offhook.sip.proxy.OptionsRequests.Question;
import io.offhook.sip.proxy.ProxyCore;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A group that a lane watches: the OPTIONS under way, at most one to each member, and what was last reported. Of one lane. */
final class WatchedGroup {
    private static final long MS = 1_000_000;

    private final ProxyCore core;
    private final NextHopGroup group;
    private final GroupHealth health;
    private final String[] uris;
    private final @Nullable Question[] asked;
    private final long[] endMs;
    private final GroupHealth.State[] reported;
    private long nowNs;

    /** @param before what was last reported of members, by {@link #key} */
    WatchedGroup(ProxyCore core, NextHopGroup group, Map<String, GroupHealth.State> before) {
        this.core = core;
        this.group = group;
        health = group.health();
        int members = group.config().members().size();
        asked = new Question[members];
        endMs = new long[members];
        uris = new String[members];
        reported = new GroupHealth.State[members];
        Arrays.setAll(reported, i -> before.getOrDefault(key(i), GroupHealth.State.USABLE));
        for (int i = 0; i < members; i++) {
            SipUri uri = group.config().members().get(i).uri();
            uris[i] = new SipUri(uri.scheme(), uri.user(), "", uri.host(), uri.port(), uri.parameters(), "").toString();
        }
    }

    private String key(int member) {
        return group.name() + " " + group.config().members().get(member).uri();
    }

    /** Adds what was last reported of each member, for a later configuration. */
    void reported(Map<String, GroupHealth.State> to) {
        for (int i = 0; i < reported.length; i++) {
            to.put(key(i), reported[i]);
        }
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
        endMs[member] =
                Math.floorDiv(nowNs, MS) + group.config().health().options().timeoutMs();
        asked[member] =
                core.options().ask(uris[member], nowNs, (status, _) -> health.answered(member, attempt, status));
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

    /** Reports to the log what has changed since the last time. */
    void report(Log log, long nowMs) {
        for (int i = 0; i < reported.length; i++) {
            GroupHealth.State now = health.state(i, nowMs);
            if (now != reported[i]) {
                reported[i] = now;
                report(log, i, now, nowMs);
            }
        }
    }

    private void report(Log log, int member, GroupHealth.State state, long nowMs) {
        if (state == GroupHealth.State.USABLE ? !log.isInfo() : !log.isWarning()) {
            return;
        }
        String name = "group " + group.name() + ": member "
                + group.config().members().get(member).uri();
        int status = health.questions(member).lastStatus();
        long leftS = Math.max(0, health.endMs(member, nowMs) - nowMs + 999) / 1000;
        switch (state) {
            case USABLE -> log.info(name + " gets calls again");
            case DOWN -> log.warning(name + " is down: " + (status == 0 ? "no answer" : status) + " to OPTIONS");
            case BACK_OFF -> log.warning(name + " gets no calls for " + leftS + " s: calls to it have failed");
            case RETRY_AFTER -> log.warning(name + " gets no calls for " + leftS + " s: its Retry-After");
        }
    }
}
