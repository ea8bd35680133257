package io.offhook.proxy.routing;

import io.offhook.sip.SipUri;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A group of next hops at work: gives each call its order of members. Usable members come first; if there is none, those that
 * are down or backed off are tried after all, as being wrong about them costs less than refusing the call. A member is
 * never tried while its own Retry-After lasts. Thread-safe.
 */
public final class NextHopGroup {
    private final String name;
    private final GroupConfig config;
    private final GroupHealth health;
    /** For each priority, its members in turn, each as often as its weight says. */
    private final List<int[]> turns = new ArrayList<>();
    /** The members by priority, in the order of the file. */
    private final int[] byPriority;

    private final AtomicInteger turn = new AtomicInteger();
    private final LongAdder failovers = new LongAdder();
    private final LongAdder lastResorts = new LongAdder();
    private final LongAdder exhausted = new LongAdder();

    /** Creates a group of whose members nothing is known. */
    public NextHopGroup(String name, GroupConfig config) {
        this.name = name;
        this.config = config;
        health = new GroupHealth(config.health(), config.members().size(), new SplittableRandom());
        byPriority = new int[config.members().size()];
        Arrays.setAll(byPriority, i -> i);
        sortByPriority(byPriority);
        for (int from = 0, to = 0; from < byPriority.length; from = to) {
            while (to < byPriority.length && priority(byPriority[to]) == priority(byPriority[from])) {
                to++;
            }
            turns.add(turns(config.members(), Arrays.copyOfRange(byPriority, from, to)));
        }
    }

    /** The same group with another configuration; of members with the same URI, all that is known stays. */
    NextHopGroup reloaded(GroupConfig after) {
        NextHopGroup group = new NextHopGroup(name, after);
        for (int i = 0; i < after.members().size(); i++) {
            for (int j = 0; j < config.members().size(); j++) {
                if (after.members().get(i).uri().equals(config.members().get(j).uri())) {
                    group.health.inherit(i, health, j);
                }
            }
        }
        group.turn.set(turn.get());
        group.failovers.add(failovers.sum());
        group.lastResorts.add(lastResorts.sum());
        group.exhausted.add(exhausted.sum());
        return group;
    }

    /**
     * Smooth weighted round robin: at each step all members gain their weight, and the one with most is next and loses the
     * sum, so that a member's turns are spread evenly.
     */
    private static int[] turns(List<GroupConfig.Member> members, int[] of) {
        int sum = 0;
        for (int member : of) {
            sum += members.get(member).weight();
        }
        int[] credit = new int[of.length];
        int[] turns = new int[sum];
        for (int t = 0; t < sum; t++) {
            int best = 0;
            for (int i = 0; i < of.length; i++) {
                credit[i] += members.get(of[i]).weight();
                best = credit[i] > credit[best] ? i : best;
            }
            credit[best] -= sum;
            turns[t] = of[best];
        }
        return turns;
    }

    /** The attempts of one call at the members of its group. Not thread-safe. */
    public final class Attempts {
        private final int[] order;
        private final int usable;
        private final long waitMs;
        private int next;

        private Attempts(int[] order, int usable, long waitMs) {
            this.order = order;
            this.usable = usable;
            this.waitMs = waitMs;
        }

        /** The next member to be tried; -1 if there is none, or if as many as configured have been. */
        public int next() {
            if (next == Math.min(order.length, config.attempts())) {
                exhausted.increment();
                return -1;
            }
            if (next > 0) {
                failovers.increment();
            }
            if (next >= usable) {
                lastResorts.increment();
            }
            return order[next++];
        }

        /**
         * If no member could be tried at all because of their Retry-After: the time until the first one ends, in seconds, for
         * the Retry-After of the 503 to the caller. Otherwise 0.
         */
        public int retryAfterS() {
            return order.length > 0 ? 0 : (int) Math.min((waitMs + 999) / 1000, Integer.MAX_VALUE);
        }
    }

    /**
     * Begins the attempts of a call.
     *
     * @param callId its Call-ID
     * @param nowMs the time in ms
     */
    public Attempts begin(String callId, long nowMs) {
        int[] preferred = preferred(callId);
        List<Integer> usable = new ArrayList<>(preferred.length);
        List<Integer> others = new ArrayList<>();
        long firstEndMs = Long.MAX_VALUE;
        for (int member : preferred) {
            switch (health.state(member, nowMs)) {
                case USABLE -> usable.add(member);
                case DOWN, BACK_OFF -> others.add(member);
                case RETRY_AFTER -> firstEndMs = Math.min(firstEndMs, health.retryEndMs(member));
            }
        }
        int count = usable.size();
        if (count == 0) {
            usable = others;
        }
        int[] order = usable.stream().mapToInt(i -> i).toArray();
        return new Attempts(order, count, firstEndMs == Long.MAX_VALUE ? 0 : firstEndMs - nowMs);
    }

    /** All members in the order for a call, by priority and then as {@code select} says. */
    private int[] preferred(String callId) {
        return switch (config.select()) {
            case FIRST -> byPriority;
            case WEIGHTED -> inTurn(turn.getAndIncrement());
            case HASH -> {
                int[] order = byHash(callId);
                sortByPriority(order);
                yield order;
            }
        };
    }

    private int[] inTurn(int step) {
        int[] order = new int[byPriority.length];
        long seen = 0;
        int count = 0;
        for (int[] ofPriority : turns) {
            int from = Math.floorMod(step, ofPriority.length);
            for (int t = 0; t < ofPriority.length; t++) {
                int member = ofPriority[(from + t) % ofPriority.length];
                if ((seen >>> member & 1) == 0) {
                    seen |= 1L << member;
                    order[count++] = member;
                }
            }
        }
        return order;
    }

    /** Rendezvous hashing with weights (Thaler and Ravishankar, 1998; Mosko, 2001): the highest score first. */
    private int[] byHash(String callId) {
        int[] order = new int[config.members().size()];
        double[] score = new double[order.length];
        long call = mixed(hash(callId));
        for (int i = 0; i < order.length; i++) {
            GroupConfig.Member member = config.members().get(i);
            double unit = ((mixed(call ^ hash(member.uri().toString())) >>> 11) + 1) * 0x1.0p-53;
            score[i] = -member.weight() / Math.log(unit);
            int at = i;
            while (at > 0 && score[order[at - 1]] < score[i]) {
                order[at] = order[at - 1];
                at--;
            }
            order[at] = i;
        }
        return order;
    }

    /** Insertion sort, which leaves members of the same priority in their order. */
    private void sortByPriority(int[] order) {
        for (int i = 1; i < order.length; i++) {
            int member = order[i];
            int at = i;
            while (at > 0 && priority(order[at - 1]) > priority(member)) {
                order[at] = order[at - 1];
                at--;
            }
            order[at] = member;
        }
    }

    private int priority(int member) {
        return config.members().get(member).priority();
    }

    private static long hash(String text) {
        long hash = text.length();
        for (int i = 0; i < text.length(); i++) {
            hash = mixed(hash ^ text.charAt(i));
        }
        return hash;
    }

    private static long mixed(long value) {
        long mixed = (value + 0x9e37_79b9_7f4a_7c15L ^ value >>> 30) * 0xbf58_476d_1ce4_e5b9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94d0_49bb_1331_11ebL;
        return mixed ^ mixed >>> 31;
    }

    /** Whether an answer of a member is a reason to try the next one; 0 is a transport error or silence. */
    public boolean failsOver(int status) {
        return status == 0 || config.failoverOn().contains(status);
    }

    /**
     * The request URI for a member.
     *
     * @param uri the request URI
     * @param member the index of the member
     */
    public SipUri uriFor(SipUri uri, int member) {
        SipUri hop = config.members().get(member).uri();
        return config.rewritesHost()
                ? new SipUri(
                        uri.scheme(),
                        uri.user(),
                        uri.password(),
                        hop.host(),
                        hop.port(),
                        uri.parameters(),
                        uri.headers())
                : uri;
    }

    /** The credentials with which challenges of members are answered; null for none. */
    public @Nullable String credentials() {
        return config.credentials() == null ? null : config.credentials().value();
    }

    /** The name of the group. */
    public String name() {
        return name;
    }

    /** The configuration of the group. */
    public GroupConfig config() {
        return config;
    }

    /** What is known of the members, by their index in the configuration. */
    public GroupHealth health() {
        return health;
    }

    /** Members tried after another one had failed for the same call. */
    public long failovers() {
        return failovers.sum();
    }

    /** Members tried although they were not usable, because none was. */
    public long lastResorts() {
        return lastResorts.sum();
    }

    /** Calls for which no member was left. */
    public long exhausted() {
        return exhausted.sum();
    }
}
