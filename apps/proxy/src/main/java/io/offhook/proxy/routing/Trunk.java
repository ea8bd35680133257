package io.offhook.proxy.routing;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigPlace;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;
import io.offhook.config.ConfigTypes.Placed;
import io.offhook.proxy.limit.AddressBlock;
import io.offhook.proxy.limit.Rates;
import java.util.List;

/**
 * A peer that is trusted by its address: its requests are not challenged, and its addresses are never banned.
 *
 * @param sources the addresses that it sends from
 * @param listeners the names of listeners at which it is trusted; empty for all
 * @param rates what it may ask for, in the place of the limits of a source
 * @param place its place in the file
 */
public record Trunk(
        List<Placed<AddressBlock>> sources, List<Placed<String>> listeners, Rates rates, ConfigPlace place) {
    private static final ConfigKey<List<Placed<AddressBlock>>> SOURCES = ConfigKey.required(
            "sources",
            ConfigTypes.list(ConfigTypes.placed(AddressBlock.TYPE), 256),
            "The addresses that it sends from.");
    private static final ConfigKey<List<Placed<String>>> LISTENERS = ConfigKey.repeated(
            "listeners",
            ConfigTypes.placed(RoutingTypes.NAME),
            64,
            "The listeners at which it is trusted, by name; default all. Over UDP, sources can be forged: name listeners that"
                    + " only the trunk can reach.");
    private static final ConfigKey<Rates> RATES =
            ConfigKey.section("limits", Rates.schema(), "What it may ask for, in the place of the limits of a source.");

    private static final ConfigSchema<Trunk> SCHEMA = ConfigSchema.of(
            "trunk",
            "A peer that is trusted by its address: its requests are not challenged, and it is never banned.",
            values -> {
                if (values.get(SOURCES).isEmpty()) {
                    values.fault(SOURCES, "has no address");
                }
                return new Trunk(values.get(SOURCES), values.get(LISTENERS), values.get(RATES), values.place());
            },
            SOURCES,
            LISTENERS,
            RATES);

    /** The keys. */
    public static ConfigSchema<Trunk> schema() {
        return SCHEMA;
    }

    boolean isTrustedAt(String listener) {
        return listeners.isEmpty()
                || listeners.stream().anyMatch(placed -> placed.value().equals(listener));
    }
}
