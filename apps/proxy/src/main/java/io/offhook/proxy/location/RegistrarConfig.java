package io.offhook.proxy.location;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;
import io.offhook.sip.registrar.RegistrarPolicy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the registrar grants, and to whom.
 *
 * @param policy expiry, limits, flow timer and service route
 * @param realm the realm of its challenges; null for the domain of the address of record
 * @param registersOthers whether a user may register the addresses of record of others too
 * @param makesGruus whether phones that support GRUUs get them
 */
public record RegistrarConfig(
        RegistrarPolicy policy, @Nullable String realm, boolean registersOthers, boolean makesGruus) {
    /** An hour at most, ten contacts, each user for itself, with GRUUs. */
    public static final RegistrarConfig DEFAULT = new RegistrarConfig(RegistrarPolicy.DEFAULT, null, false, true);

    private static final long SECOND_NS = 1_000_000_000L;

    private static final ConfigKey<Long> MIN_EXPIRES = ConfigKey.of(
                    "min-expires",
                    ConfigTypes.durationNs(SECOND_NS, 3600 * SECOND_NS),
                    "60s",
                    "Whoever asks for less is answered 423 with this as Min-Expires.")
            .whileRunning();
    private static final ConfigKey<Long> MAX_EXPIRES = ConfigKey.of(
                    "max-expires",
                    ConfigTypes.durationNs(SECOND_NS, 30L * 86_400 * SECOND_NS),
                    "1h",
                    "Whoever asks for more gets this.")
            .whileRunning();
    private static final ConfigKey<Long> DEFAULT_EXPIRES = ConfigKey.of(
                    "default-expires",
                    ConfigTypes.durationNs(SECOND_NS, 30L * 86_400 * SECOND_NS),
                    "1h",
                    "Whoever asks for nothing gets this, but never less than `min-expires` or more than `max-expires`.")
            .whileRunning();
    private static final ConfigKey<Integer> MOST_CONTACTS = ConfigKey.of(
                    "most-contacts",
                    ConfigTypes.integer(1, 1000),
                    "10",
                    "The most contacts of an address of record; above, REGISTER is answered 403.")
            .whileRunning();
    private static final ConfigKey<Long> FLOW_TIMER = ConfigKey.of(
                    "flow-timer",
                    ConfigTypes.durationNs(0, 3600 * SECOND_NS),
                    "120s",
                    "How often phones with outbound (RFC 5626) send keep-alives; 0s leaves it to them.")
            .whileRunning();
    private static final ConfigKey<List<String>> SERVICE_ROUTE = ConfigKey.repeated(
                    "service-route",
                    ConfigTypes.scalar("URI in angle brackets", RegistrarConfig::route),
                    10,
                    "The Service-Route of phones (RFC 3608), topmost first: `<sip:proxy.example.com;lr>`.")
            .whileRunning();
    private static final ConfigKey<String> REALM = ConfigKey.optional(
                    "realm",
                    ConfigTypes.text(200),
                    "The realm of its challenges; default the domain of the address of record.")
            .whileRunning();
    private static final ConfigKey<Boolean> REGISTER_OTHERS = ConfigKey.of(
                    "register-others",
                    ConfigTypes.bool(),
                    "false",
                    "Lets each user register every address of record, not only that of its name.")
            .whileRunning();
    private static final ConfigKey<Boolean> GRUU =
            ConfigKey.of("gruu", ConfigTypes.bool(), "true", "Gives GRUUs (RFC 5627) to phones that support them.");

    private static final ConfigSchema<RegistrarConfig> SCHEMA = ConfigSchema.of(
            "registrar",
            "What the registrar grants, and to whom.",
            values -> {
                int min = seconds(values.get(MIN_EXPIRES));
                int max = Math.max(min, seconds(values.get(MAX_EXPIRES)));
                int otherwise = Math.clamp(seconds(values.get(DEFAULT_EXPIRES)), min, max);
                return new RegistrarConfig(
                        new RegistrarPolicy(
                                min,
                                max,
                                otherwise,
                                values.get(MOST_CONTACTS),
                                (int) (values.get(FLOW_TIMER) / SECOND_NS),
                                values.get(SERVICE_ROUTE)),
                        values.find(REALM),
                        values.get(REGISTER_OTHERS),
                        values.get(GRUU));
            },
            MIN_EXPIRES,
            MAX_EXPIRES,
            DEFAULT_EXPIRES,
            MOST_CONTACTS,
            FLOW_TIMER,
            SERVICE_ROUTE,
            REALM,
            REGISTER_OTHERS,
            GRUU);

    private static int seconds(long ns) {
        return (int) ((ns + SECOND_NS - 1) / SECOND_NS);
    }

    private static String route(String text) {
        boolean isUri =
                text.startsWith("<sip") && text.endsWith(">") && text.chars().allMatch(c -> c > ' ' && c < 127);
        if (!isUri) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is not a URI in angle brackets, such as <sip:a.example.com;lr>");
        }
        return text;
    }

    /** The keys of the section, always the same ones. */
    public static ConfigSchema<RegistrarConfig> schema() {
        return SCHEMA;
    }
}
