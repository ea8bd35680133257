package io.offhook.proxy.config;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;

/**
 * How requests are handled.
 *
 * @param recordsRoute whether the proxy stays on the way of dialogs (Record-Route; RFC 3261, 16.6, step 4)
 * @param maxForwards what a request without Max-Forwards gets, 1 to 255
 * @param server the Server and User-Agent of the proxy's own messages; "" for none
 * @param timers the timers
 * @param forking how requests are sent to several targets
 */
public record SipConfig(boolean recordsRoute, int maxForwards, String server, Timers timers, Forking forking) {
    /**
     * The timers (RFC 3261, 17 and 16.6, step 11), in ms.
     *
     * @param t1Ms the estimated round-trip time
     * @param t2Ms the longest interval between retransmissions of requests other than INVITE, and of responses to INVITE
     * @param t4Ms how long a message stays in the network
     * @param cMs how long an INVITE may ring after its last provisional response
     */
    public record Timers(int t1Ms, int t2Ms, int t4Ms, int cMs) {}

    /**
     * How requests are sent to several targets.
     *
     * @param branches the most branches of a request, redirections included, 1 to 64
     * @param recurses whether the Contacts of a 3xx are tried in the order of their q instead of being passed on
     */
    public record Forking(int branches, boolean recurses) {}

    private static final long MS_NS = 1_000_000;

    private static final ConfigKey<Boolean> RECORD_ROUTE = ConfigKey.of(
                    "record-route",
                    ConfigTypes.bool(),
                    "true",
                    "Whether the proxy stays on the way of dialogs. Requests in dialogs follow their Route in any case (loose"
                            + " routing).")
            .whileRunning();
    private static final ConfigKey<Integer> MAX_FORWARDS = ConfigKey.of(
                    "max-forwards",
                    ConfigTypes.integer(1, 255),
                    "70",
                    "What a request without Max-Forwards gets. One that arrives with 0 is answered 483.")
            .whileRunning();
    private static final ConfigKey<String> SERVER = ConfigKey.of(
                    "server",
                    ConfigTypes.scalar("text of up to 100 characters, or none", text -> {
                        if (!text.matches("[!-~]([ -~]{0,98}[!-~])?")) {
                            throw new IllegalArgumentException("is not 1 to 100 printable characters of ASCII");
                        }
                        return text.equals("none") ? "" : text;
                    }),
                    "Offhook",
                    "Server and User-Agent of the proxy's own messages; `none` for none.")
            .whileRunning();
    private static final ConfigKey<Long> T1 = timer("t1", 10, 10_000, "500ms", "The estimated round-trip time.");
    private static final ConfigKey<Long> T2 =
            timer("t2", 10, 60_000, "4s", "The longest interval between retransmissions.");
    private static final ConfigKey<Long> T4 = timer("t4", 10, 60_000, "5s", "How long a message stays in the network.");
    private static final ConfigKey<Long> C = timer(
            "c",
            1000,
            24 * 3_600_000,
            "185s",
            "How long an INVITE may ring after its last provisional response; RFC 3261 asks for more than three minutes.");
    private static final ConfigSchema<Timers> TIMERS_SECTION = ConfigSchema.of(
            "timers",
            "The timers of RFC 3261, for transactions that begin after a change.",
            values -> {
                if (values.get(T1) > values.get(T2)) {
                    values.fault(T1, "is longer than t2");
                }
                return new Timers(ms(values.get(T1)), ms(values.get(T2)), ms(values.get(T4)), ms(values.get(C)));
            },
            T1,
            T2,
            T4,
            C);
    private static final ConfigKey<Timers> TIMERS = ConfigKey.section(
                    "timers", TIMERS_SECTION, "The timers of RFC 3261.")
            .whileRunning();

    private static final ConfigKey<Integer> BRANCHES = ConfigKey.of(
            "branches",
            ConfigTypes.integer(1, 64),
            "16",
            "The most branches of a request, redirections included; further targets are left out and counted.");
    private static final ConfigKey<Boolean> RECURSES = ConfigKey.of(
            "recurse",
            ConfigTypes.bool(),
            "false",
            "Whether the Contacts of a 3xx are tried in the order of their q, instead of being passed on to the caller.");
    private static final ConfigSchema<Forking> FORKING_SECTION = ConfigSchema.of(
            "forking",
            "How requests are sent to several targets.",
            values -> new Forking(values.get(BRANCHES), values.get(RECURSES)),
            BRANCHES,
            RECURSES);
    private static final ConfigKey<Forking> FORKING = ConfigKey.section(
                    "forking", FORKING_SECTION, "How requests are sent to several targets.")
            .whileRunning();

    private static final ConfigSchema<SipConfig> SCHEMA = ConfigSchema.of(
            "sip",
            "How requests are handled.",
            values -> new SipConfig(
                    values.get(RECORD_ROUTE),
                    values.get(MAX_FORWARDS),
                    values.get(SERVER),
                    values.get(TIMERS),
                    values.get(FORKING)),
            RECORD_ROUTE,
            MAX_FORWARDS,
            SERVER,
            TIMERS,
            FORKING);

    private static ConfigKey<Long> timer(String name, long leastMs, long mostMs, String text, String description) {
        return ConfigKey.of(name, ConfigTypes.durationNs(leastMs * MS_NS, mostMs * MS_NS), text, description);
    }

    private static int ms(long ns) {
        return (int) (ns / MS_NS);
    }

    /** The keys. */
    public static ConfigSchema<SipConfig> schema() {
        return SCHEMA;
    }
}
