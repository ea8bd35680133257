package io.offhook.forward.application;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigType;
import io.offhook.config.ConfigTypes;
import io.offhook.config.ConfigTypes.Placed;
import io.offhook.filter.FilterCompiler;
import io.offhook.filter.FilterException;
import io.offhook.forward.EthernetFrames;
import io.offhook.forward.Forwarder;
import io.offhook.forward.IpPrefix;
import io.offhook.packet.LinkType;
import io.offhook.packet.MacAddress;
import java.util.List;
import java.util.Locale;

/** The types of values in a {@link ForwardConfig}, also for the stages and backends of users. */
public final class ForwardTypes {
    /** A name that the file assigns. */
    public static final ConfigType<String> NAME = ConfigTypes.scalar("name, letters, digits, - and _", text -> {
        if (!text.matches("[A-Za-z0-9_-]{1,32}")) {
            throw new IllegalArgumentException("\"" + text + "\" is not a name of 1 to 32 letters, digits, - and _");
        }
        return text;
    });
    /** The name of a port, with its place; {@link StageChecks#known} checks that the port exists. */
    public static final ConfigType<Placed<String>> PORT_NAME = ConfigTypes.placed(NAME);
    /** A prefix, or an address with the length of its network. */
    public static final ConfigType<IpPrefix> PREFIX =
            ConfigTypes.scalar("prefix, such as 192.0.2.0/24 or 2001:db8::/32", IpPrefix::parse);
    /** An IPv4 or IPv6 address. */
    public static final ConfigType<IpPrefix> ADDRESS = ConfigTypes.scalar("IPv4 or IPv6 address", text -> {
        if (text.indexOf('/') >= 0) {
            throw new IllegalArgumentException("\"" + text + "\" is a prefix; expected is an address");
        }
        return IpPrefix.parse(text);
    });
    /** An IPv4 address, as 32 bits. */
    public static final ConfigType<Integer> IPV4 = ConfigTypes.scalar("IPv4 address", text -> {
        IpPrefix address = IpPrefix.parse(text);
        if (!address.isIpv4() || address.length() != 32 || text.indexOf('/') >= 0) {
            throw new IllegalArgumentException("\"" + text + "\" is not an IPv4 address");
        }
        return (int) (address.high() >>> 32);
    });
    /** A unicast MAC address, as 48 bits. */
    public static final ConfigType<Long> MAC = ConfigTypes.scalar("MAC address", text -> {
        long address;
        try {
            address = MacAddress.parse(text.toLowerCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("\"" + text + "\" is not a MAC address such as 02:00:5e:10:00:01", e);
        }
        if (address == 0 || EthernetFrames.isMulticast(address)) {
            throw new IllegalArgumentException("\"" + text + "\" is not a unicast MAC address");
        }
        return address;
    });
    /** An expression of pcap-filter(7) that compiles for Ethernet. */
    public static final ConfigType<String> EXPRESSION = ConfigTypes.scalar("filter expression", text -> {
        try {
            FilterCompiler.compile(text, LinkType.ETHERNET, FilterCompiler.DEFAULT_SNAP_LENGTH);
        } catch (FilterException e) {
            String where = e.offset() < 0 ? "" : ", at character " + (e.offset() + 1);
            throw new IllegalArgumentException("\"" + text + "\": " + e.reason() + where, e);
        }
        return text;
    });

    private ForwardTypes() {}

    /**
     * A key with a list of port names, empty by default.
     *
     * @param name the key
     */
    public static ConfigKey<List<Placed<String>>> ports(String name, String description) {
        return ConfigKey.repeated(name, PORT_NAME, Forwarder.MAX_PORTS, description);
    }

    /** The key {@code ports} of a stage that applies to some ports, or to all. */
    public static ConfigKey<List<Placed<String>>> ports() {
        return ports("ports", "The ports that it applies to; default all.");
    }
}
