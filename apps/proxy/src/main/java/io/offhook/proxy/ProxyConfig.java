package io.offhook.proxy;

import io.offhook.config.ConfigDifference;
import io.offhook.config.ConfigReader;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigSection;
import io.offhook.proxy.config.ListenerConfig;
import io.offhook.proxy.config.OperationConfig;
import io.offhook.proxy.config.SipConfig;
import io.offhook.proxy.dns.DnsConfig;
import io.offhook.proxy.limit.BanConfig;
import io.offhook.proxy.limit.LimitConfig;
import io.offhook.proxy.limit.OverloadConfig;
import io.offhook.proxy.location.LocationConfig;
import io.offhook.proxy.location.RegistrarConfig;
import io.offhook.proxy.media.MediaConfig;
import io.offhook.proxy.routing.RoutingConfig;
import io.offhook.proxy.users.DigestConfig;
import io.offhook.transport.DatagramOptions;
import java.util.List;

/**
 * A SIP proxy as described by a YAML file. docs/PROXY.md has the keys, and samples has two files.
 *
 * @param network where it receives messages, and how names become addresses
 * @param sip how requests are handled
 * @param routing where they go
 * @param registrations who may register, what is granted, and where it is kept
 * @param defence limits, bans and overload
 * @param operation how it is run and looked into
 * @param read the keys as read, to be compared with a later configuration
 */
public record ProxyConfig(
        Network network,
        SipConfig sip,
        RoutingConfig routing,
        Registrations registrations,
        Defence defence,
        OperationConfig operation,
        ConfigSection read) {
    /**
     * Where messages are received, and how names become addresses.
     *
     * @param listeners where it receives messages
     * @param lanes the threads for datagrams; 0 for one on each processor
     * @param datagrams how datagrams are received and sent
     * @param dns how names become addresses
     * @param media what relays media
     */
    public record Network(
            List<ListenerConfig> listeners,
            int lanes,
            DatagramOptions.Backend datagrams,
            DnsConfig dns,
            MediaConfig media) {}

    /**
     * Who may register, what is granted, and where it is kept.
     *
     * @param isOpen whether everybody may register and call without a password
     * @param registrar what registrations are granted
     * @param location where registrations are kept
     * @param users who must prove who they are
     */
    public record Registrations(
            boolean isOpen, RegistrarConfig registrar, LocationConfig location, DigestConfig users) {}

    /**
     * What keeps the proxy from doing too much.
     *
     * @param limits what one source and one user may ask for
     * @param ban when sources are banned
     * @param overload when new requests are refused
     */
    public record Defence(LimitConfig limits, BanConfig ban, OverloadConfig overload) {}

    /** What runs without a file: nobody else can reach it, so everybody who can may use it. */
    private static final String DEFAULTS = """
            listeners:
              - {name: udp, transport: udp, address: 127.0.0.1, port: 5060}
              - {name: tcp, transport: tcp, address: 127.0.0.1, port: 5060}
            open: true
            domains: [localhost]
            relay: {allow: [127.0.0.0/8]}
            """;

    /** Where it receives messages. */
    public List<ListenerConfig> listeners() {
        return network.listeners();
    }

    /** The threads for datagrams; 0 for one on each processor. */
    public int lanes() {
        return network.lanes();
    }

    /** Whether everybody may register and call without a password. */
    public boolean isOpen() {
        return registrations.isOpen();
    }

    /** What one source and one user may ask for. */
    public LimitConfig limits() {
        return defence.limits();
    }

    /** When sources are banned. */
    public BanConfig ban() {
        return defence.ban();
    }

    /** When new requests are refused because messages wait too long. */
    public OverloadConfig overload() {
        return defence.overload();
    }

    /** The description of all keys, from which the tables of docs/PROXY.md are written. */
    public static ConfigSchema<ProxyConfig> schema() {
        return ProxyKeys.SCHEMA;
    }

    /** A reader that checks everything except the files of this machine. */
    public static ConfigReader<ProxyConfig> reader() {
        return ConfigReader.of(schema()).check(ProxyChecks::check);
    }

    /** As {@link #reader()}, and checks that files can be read and folders exist. */
    public static ConfigReader<ProxyConfig> readerForThisMachine() {
        return reader().check(ProxyChecks::checkMachine);
    }

    /**
     * What {@code offhook proxy} runs without a file: a registrar and proxy at 127.0.0.1:5060, UDP and TCP, without passwords.
     */
    public static ProxyConfig defaults() {
        return reader().read(DEFAULTS, "defaults");
    }

    /**
     * What keeps a later configuration from being taken over while the proxy runs: the differences in keys that cannot change.
     * Empty if it can be taken over.
     */
    public List<ConfigDifference> needsRestart(ProxyConfig after) {
        return schema().differences(read, after.read).stream()
                .filter(difference -> !difference.mayChange())
                .toList();
    }
}
