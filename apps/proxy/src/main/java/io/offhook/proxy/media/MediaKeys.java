package io.offhook.proxy.media;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigType;
import io.offhook.config.ConfigTypes;
import io.offhook.config.ConfigValues;
import io.offhook.packet.Endpoint;
import io.offhook.packet.IpAddress;
import java.util.List;
import java.util.Map;

/** The keys of a {@link MediaConfig}. */
final class MediaKeys {
    private static final long MILLISECOND_NS = 1_000_000L;
    private static final long SECOND_NS = 1_000_000_000L;

    private static final ConfigType<Endpoint> CONTROL =
            ConfigTypes.scalar("address and port, such as 127.0.0.1:2223 or [::1]:2223", MediaKeys::endpoint);
    private static final ConfigType<String> WORD = ConfigTypes.scalar("word", text -> {
        if (!text.matches("[A-Za-z0-9_.=/-]{1,64}")) {
            throw new IllegalArgumentException("\"" + text + "\" is not a word of letters, digits and _.=/-");
        }
        return text;
    });

    private static final ConfigKey<Endpoint> ADDRESS =
            ConfigKey.required("address", CONTROL, "Where the engine listens for NG over UDP (`--listen-ng`).");
    private static final ConfigKey<Integer> WEIGHT = ConfigKey.of(
            "weight", ConfigTypes.integer(1, 1000), "1", "Its share of the calls beside those of the others.");
    private static final ConfigSchema<MediaConfig.Engine> ENGINE = ConfigSchema.of(
            "engine",
            "An rtpengine.",
            values -> new MediaConfig.Engine(values.get(ADDRESS), values.get(WEIGHT)),
            ADDRESS,
            WEIGHT);

    // ---- what is made of session descriptions

    private static final ConfigKey<Boolean> ORIGIN = ConfigKey.of(
            "replace-origin", ConfigTypes.bool(), "true", "Whether the address in the line o= becomes the relay's.");
    private static final ConfigKey<Boolean> CONNECTION = ConfigKey.of(
            "replace-session-connection",
            ConfigTypes.bool(),
            "true",
            "Whether the address in the session's line c= becomes the relay's.");
    private static final ConfigKey<MediaConfig.Ice> ICE =
            ConfigKey.of("ice", ConfigTypes.oneOf(MediaConfig.Ice.class), "remove", "What becomes of ICE.");
    private static final ConfigKey<MediaConfig.RtpProfile> TRANSPORT = ConfigKey.of(
            "transport",
            ConfigTypes.oneOf(MediaConfig.RtpProfile.class),
            "keep",
            "The profile of RTP that is offered.");
    private static final ConfigKey<List<String>> RTCP_MUX = ConfigKey.repeated(
            "rtcp-mux", WORD, 5, "What becomes of rtcp-mux: `offer`, `require`, `demux`, `accept`, `reject`.");
    private static final ConfigKey<List<String>> FLAGS =
            ConfigKey.repeated("flags", WORD, 32, "Further flags of the NG protocol, such as `trust-address`.");
    private static final ConfigSchema<MediaConfig.Flags> FLAGS_SECTION = ConfigSchema.of(
            "flags",
            "What is made of session descriptions that go to one side.",
            values -> new MediaConfig.Flags(
                    values.get(ORIGIN),
                    values.get(CONNECTION),
                    values.get(ICE),
                    values.get(TRANSPORT),
                    values.get(RTCP_MUX),
                    values.get(FLAGS)),
            ORIGIN,
            CONNECTION,
            ICE,
            TRANSPORT,
            RTCP_MUX,
            FLAGS);

    private static final ConfigKey<String> CALLER_INTERFACE = ConfigKey.optional(
            "caller-interface", WORD, "The relay's interface towards the caller, by its name there.");
    private static final ConfigKey<String> CALLEE_INTERFACE = ConfigKey.optional(
            "callee-interface", WORD, "The relay's interface towards the callee, by its name there.");
    private static final ConfigKey<MediaConfig.Flags> TO_CALLER =
            ConfigKey.section("to-caller", FLAGS_SECTION, "For session descriptions that go to the caller.");
    private static final ConfigKey<MediaConfig.Flags> TO_CALLEE =
            ConfigKey.section("to-callee", FLAGS_SECTION, "For session descriptions that go to the callee.");
    private static final ConfigSchema<MediaConfig.Profile> PROFILE_SECTION = ConfigSchema.of(
            "profile",
            "What is made of the session descriptions of a call.",
            MediaKeys::profile,
            CALLER_INTERFACE,
            CALLEE_INTERFACE,
            TO_CALLER,
            TO_CALLEE);

    // ---- the section

    private static final ConfigKey<List<MediaConfig.Engine>> ENGINES =
            ConfigKey.repeated("engines", ENGINE, 64, "The relays; without one, media is not relayed.");
    private static final ConfigKey<Long> RETRY = ConfigKey.of(
            "retry-after",
            ConfigTypes.durationNs(10 * MILLISECOND_NS, 30 * SECOND_NS),
            "300ms",
            "After which time without an answer a command is sent again.");
    private static final ConfigKey<Integer> TRIES =
            ConfigKey.of("tries", ConfigTypes.integer(1, 10), "3", "How often a command is sent to one engine.");
    private static final ConfigKey<Long> PING = ConfigKey.of(
            "ping-every",
            ConfigTypes.durationNs(100 * MILLISECOND_NS, 3600 * SECOND_NS),
            "5s",
            "How often a silent engine is asked whether it is back.");
    private static final ConfigKey<Integer> OPEN = ConfigKey.of(
            "max-open-commands",
            ConfigTypes.integer(1, 1_000_000),
            "10000",
            "Commands that wait for an answer; further ones fail at once.");
    private static final ConfigKey<Integer> CALLS = ConfigKey.of(
            "max-calls",
            ConfigTypes.integer(1, 10_000_000),
            "200000",
            "Calls whose engine is remembered; beyond it the one that was silent for longest is forgotten.");
    private static final ConfigKey<MediaConfig.FailurePolicy> ON_FAILURE = ConfigKey.of(
                    "on-failure",
                    ConfigTypes.oneOf(MediaConfig.FailurePolicy.class),
                    "refuse",
                    "What becomes of requests with an offer if no engine answers: they are answered 503 (`refuse`), or passed on"
                            + " as they came (`pass`). Responses and ACKs are always passed on.")
            .whileRunning();
    private static final ConfigKey<Boolean> BY_BRANCH = ConfigKey.of(
                    "by-branch",
                    ConfigTypes.bool(),
                    "false",
                    "Whether each branch of a forked call has ports of its own at the relay.")
            .whileRunning();
    private static final ConfigKey<List<MediaRule>> CALLS_RELAYED = ConfigKey.repeated(
                    "calls", MediaRule.schema(), 100, "Which calls have their media relayed; default all.")
            .whileRunning();
    private static final ConfigKey<MediaConfig.Profile> PROFILE = ConfigKey.section(
                    "profile", PROFILE_SECTION, "What is made of session descriptions unless a rule says otherwise.")
            .whileRunning();
    private static final ConfigKey<Map<String, MediaConfig.Profile>> PROFILES = ConfigKey.optional(
                    "profiles", ConfigTypes.map(PROFILE_SECTION, 100), "Further profiles by name, for rules.")
            .whileRunning();

    static final ConfigSchema<MediaConfig> SCHEMA = ConfigSchema.of(
            "media",
            "Relays media by rtpengine.",
            MediaKeys::config,
            ENGINES,
            RETRY,
            TRIES,
            PING,
            OPEN,
            CALLS,
            ON_FAILURE,
            BY_BRANCH,
            CALLS_RELAYED,
            PROFILE,
            PROFILES);

    private MediaKeys() {}

    private static MediaConfig.Profile profile(ConfigValues values) {
        String caller = values.find(CALLER_INTERFACE);
        String callee = values.find(CALLEE_INTERFACE);
        if ((caller == null) != (callee == null)) {
            values.fault(
                    caller == null ? CALLER_INTERFACE : CALLEE_INTERFACE,
                    "is missing; the engine needs the interfaces of both sides or of none");
        }
        return new MediaConfig.Profile(
                caller == null ? "" : caller,
                callee == null ? "" : callee,
                values.get(TO_CALLER),
                values.get(TO_CALLEE));
    }

    private static MediaConfig config(ConfigValues values) {
        Map<String, MediaConfig.Profile> profiles = values.find(PROFILES);
        return new MediaConfig(
                values.get(ENGINES),
                new MediaConfig.Limits(
                        (int) (values.get(RETRY) / MILLISECOND_NS),
                        values.get(TRIES),
                        (int) (values.get(PING) / MILLISECOND_NS),
                        values.get(OPEN),
                        values.get(CALLS)),
                values.get(ON_FAILURE),
                values.get(BY_BRANCH),
                values.get(CALLS_RELAYED),
                values.get(PROFILE),
                profiles == null ? Map.of() : profiles);
    }

    private static Endpoint endpoint(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon);
        boolean isBracketed = host.startsWith("[") && host.endsWith("]");
        IpAddress address = IpAddress.parse(isBracketed ? host.substring(1, host.length() - 1) : host);
        String port = text.substring(colon + 1);
        boolean isPort = port.matches("[0-9]{1,5}") && Integer.parseInt(port) >= 1 && Integer.parseInt(port) <= 65_535;
        if (address == null || !isPort || address.isIpv4() == isBracketed) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is not an address with a port, such as 127.0.0.1:2223 or [::1]:2223");
        }
        return Endpoint.of(address, Integer.parseInt(port));
    }
}
