package io.offhook.proxy.health;

import io.offhook.proxy.log.Log;
import io.offhook.proxy.routing.GroupHealth;
import io.offhook.proxy.routing.NextHopGroup;
import io.offhook.sip.proxy.ProxyCore;
import io.offhook.sip.transaction.Timer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Watches a lane's share of the groups: asks their members by OPTIONS when these are due, and reports to the log when a member
 * begins or ceases to get calls. Each group belongs to one lane. It looks at least once a second, and so finds the groups of
 * another configuration by itself. For the thread of its lane.
 */
public final class GroupWatch {
    private static final long MS = 1_000_000;
    private static final long LOOK_NS = 1000 * MS;

    private final ProxyCore core;
    private final Supplier<List<NextHopGroup>> groups;
    private final int lane;
    private final int lanes;
    private final Log log;
    private final InstantSource clock;
    private final Timer timer = new Timer((_, nowNs) -> look(nowNs));

    private List<NextHopGroup> known = List.of();
    private List<MemberQuestions> own = List.of();
    /** What was last reported of each member, by group and URI; it outlives a reload. */
    private Map<String, GroupHealth.State> reported = new HashMap<>();

    /**
     * Creates a watch that does nothing yet.
     *
     * @param core of the lane
     * @param groups all groups that are in force: another list when they have changed
     * @param lane the number of the lane
     * @param lanes the number of lanes
     * @param log receives changes
     * @param clock the time of day
     */
    public GroupWatch(
            ProxyCore core,
            Supplier<List<NextHopGroup>> groups,
            int lane,
            int lanes,
            Log log,
            InstantSource clock) {
        this.core = core;
        this.groups = groups;
        this.lane = lane;
        this.lanes = lanes;
        this.log = log;
        this.clock = clock;
    }

    /** Begins to watch. */
    public void start(long nowNs) {
        look(nowNs);
    }

    /** Asks nobody any more. */
    public void stop() {
        core.transactions().wheel().stop(timer);
        own.forEach(MemberQuestions::giveUp);
        own = List.of();
    }

    private void look(long nowNs) {
        List<NextHopGroup> now = groups.get();
        if (now != known) {
            known = now;
            change();
        }
        long next = nowNs + LOOK_NS;
        for (MemberQuestions questions : own) {
            next = Math.min(next, questions.ask(nowNs));
            report(questions.group());
        }
        core.transactions().wheel().start(timer, next);
    }

    /** Another configuration is in force: what is known of its members has been taken over, questions under way have not. */
    private void change() {
        own.forEach(MemberQuestions::giveUp);
        own = new ArrayList<>();
        Map<String, GroupHealth.State> before = reported;
        reported = new HashMap<>();
        for (int i = lane; i < known.size(); i += lanes) {
            NextHopGroup group = known.get(i);
            own.add(new MemberQuestions(core, group));
            for (int member = 0; member < group.config().members().size(); member++) {
                String key = key(group, member);
                reported.put(key, before.getOrDefault(key, GroupHealth.State.USABLE));
            }
        }
    }

    private static String key(NextHopGroup group, int member) {
        return group.name() + " " + group.config().members().get(member).uri();
    }

    private void report(NextHopGroup group) {
        long nowMs = clock.millis();
        for (int member = 0; member < group.config().members().size(); member++) {
            GroupHealth.State now = group.health().state(member, nowMs);
            GroupHealth.State before = reported.put(key(group, member), now);
            if (before != now) {
                report(group, member, now, nowMs);
            }
        }
    }

    private void report(NextHopGroup group, int member, GroupHealth.State state, long nowMs) {
        if (state == GroupHealth.State.USABLE ? !log.isInfo() : !log.isWarning()) {
            return;
        }
        String name = "group " + group.name() + ": member "
                + group.config().members().get(member).uri();
        int status = group.health().questions(member).lastStatus();
        long leftS = Math.max(0, group.health().endMs(member, nowMs) - nowMs + 999) / 1000;
        switch (state) {
            case USABLE -> log.info(name + " gets calls again");
            case DOWN -> log.warning(name + " is down: " + (status == 0 ? "no answer" : status) + " to OPTIONS");
            case BACK_OFF -> log.warning(name + " gets no calls for " + leftS + " s: calls to it have failed");
            case RETRY_AFTER -> log.warning(name + " gets no calls for " + leftS + " s: its Retry-After");
        }
    }
}
