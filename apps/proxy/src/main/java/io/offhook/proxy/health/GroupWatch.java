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
 * begins or ceases to get calls, or refuses the proxy's credentials. Each group belongs to one lane. It looks at least once a second, and so finds the groups of
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
    private long refusedBefore;
    private List<WatchedGroup> own = List.of();

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
            ProxyCore core, Supplier<List<NextHopGroup>> groups, int lane, int lanes, Log log, InstantSource clock) {
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
        own.forEach(WatchedGroup::giveUp);
        own = List.of();
    }

    private void look(long nowNs) {
        List<NextHopGroup> now = groups.get();
        if (!now.equals(known)) {
            known = now;
            change();
        }
        long next = nowNs + LOOK_NS;
        for (WatchedGroup group : own) {
            next = Math.min(next, group.ask(nowNs));
            group.report(log, clock.millis());
        }
        reportRefusals();
        core.transactions().wheel().start(timer, next);
    }

    /** A wrong password shows nowhere else: the callers of others get the challenge. */
    private void reportRefusals() {
        long refused = core.counters().challengesRefused() - refusedBefore;
        refusedBefore += refused;
        if (refused > 0 && log.isWarning()) {
            log.warning("credentials of ours were refused, or are for another realm: " + refused
                    + (refused == 1 ? " challenge was" : " challenges were") + " passed on to callers");
        }
    }

    /** Another configuration is in force: what is known of its members has been taken over, questions under way have not. */
    private void change() {
        Map<String, GroupHealth.State> reported = new HashMap<>();
        for (WatchedGroup group : own) {
            group.giveUp();
            group.reported(reported);
        }
        own = new ArrayList<>();
        for (int i = lane; i < known.size(); i += lanes) {
            own.add(new WatchedGroup(core, known.get(i), reported));
        }
    }
}
