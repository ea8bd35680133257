package io.offhook.proxy.routing;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.packet.IpAddress;
import io.offhook.proxy.limit.AddressBlock;
import java.util.List;

/**
 * Which requests are sent on by their request URI. Whoever relays for all to everywhere pays for the calls of others, so
 * nothing is allowed that is not listed.
 *
 * @param allow addresses that requests may be sent to, after names have been resolved
 * @param from addresses that such requests may come from; empty for all
 */
public record RelayConfig(List<AddressBlock> allow, List<AddressBlock> from) {
    private static final ConfigKey<List<AddressBlock>> ALLOW = ConfigKey.repeated(
            "allow",
            AddressBlock.TYPE,
            1000,
            "Addresses that requests may be sent to by their request URI; others are answered 403. By default, nothing is"
                    + " relayed.");
    private static final ConfigKey<List<AddressBlock>> FROM = ConfigKey.repeated(
            "from", AddressBlock.TYPE, 1000, "Addresses that such requests may come from; default all.");

    private static final ConfigSchema<RelayConfig> SCHEMA = ConfigSchema.of(
            "relay",
            "Which requests to foreign domains are sent on by their request URI.",
            values -> {
                if (!values.get(FROM).isEmpty() && values.get(ALLOW).isEmpty()) {
                    values.fault(FROM, "has no effect without allow");
                }
                return new RelayConfig(values.get(ALLOW), values.get(FROM));
            },
            ALLOW,
            FROM);

    /** The keys. */
    public static ConfigSchema<RelayConfig> schema() {
        return SCHEMA;
    }

    /** Whether a request may be sent on to an address, into which its URI was resolved. */
    public boolean allows(IpAddress destination) {
        return AddressBlock.isInOne(allow, destination.high(), destination.low());
    }

    /** Whether requests of a source may be sent on at all. */
    public boolean allowsFrom(IpAddress source) {
        return !allow.isEmpty() && (from.isEmpty() || AddressBlock.isInOne(from, source.high(), source.low()));
    }
}
