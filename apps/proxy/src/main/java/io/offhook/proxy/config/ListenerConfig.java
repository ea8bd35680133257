package io.offhook.proxy.config;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigPlace;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigType;
import io.offhook.config.ConfigTypes;
import io.offhook.config.ConfigTypes.Placed;
import io.offhook.packet.IpAddress;
import io.offhook.sip.SipTransport;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An address at which the proxy receives messages.
 *
 * @param name the name by which rules and trunks refer to it
 * @param transport what carries messages
 * @param address the address; unspecified for all of the host, then {@code advertised} is needed
 * @param port the port, 1 to 65535; 0 for any free one
 * @param advertised the host and port in Via, Record-Route and Path, if other than address and port; "" for these
 * @param tls certificate and key, for TLS and WSS; null for others
 * @param receiveBytes the socket's receive buffer, in bytes; 0 for that of the system
 * @param place its place in the file
 */
public record ListenerConfig(
        String name,
        SipTransport transport,
        IpAddress address,
        int port,
        String advertised,
        @Nullable TlsFiles tls,
        int receiveBytes,
        ConfigPlace place) {
    /**
     * The files of TLS, in PEM; they are read again at a reload.
     *
     * @param certificate the certificates, the listener's first
     * @param key the private key
     * @param clientAuthorities the authorities of which clients must have a certificate; null if they need none
     */
    public record TlsFiles(
            Placed<Path> certificate,
            Placed<Path> key,
            @Nullable Placed<Path> clientAuthorities) {}

    private static final ConfigType<IpAddress> ADDRESS_TYPE = ConfigTypes.scalar("IPv4 or IPv6 address", text -> {
        IpAddress address = IpAddress.parse(text);
        if (address == null) {
            throw new IllegalArgumentException("\"" + text + "\" is not an IPv4 or IPv6 address");
        }
        return address;
    });
    private static final ConfigType<String> HOST_PORT =
            ConfigTypes.scalar("host and port, such as sip.example.org:5060", text -> {
                if (!text.matches(
                        "([A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|\\[[0-9A-Fa-f:.]{2,45}])(:[0-9]{1,5})?")) {
                    throw new IllegalArgumentException("\"" + text + "\" is not a host with a port, such as"
                            + " sip.example.org:5060, 203.0.113.1 or [2001:db8::1]:5060");
                }
                return text;
            });

    private static final ConfigKey<String> NAME = ConfigKey.required(
            "name",
            ConfigTypes.scalar("name, letters, digits, - and _", text -> {
                if (!text.matches("[A-Za-z0-9_-]{1,32}")) {
                    throw new IllegalArgumentException(
                            "\"" + text + "\" is not a name of 1 to 32 letters, digits, - and _");
                }
                return text;
            }),
            "The name by which rules and trunks refer to it.");
    private static final ConfigKey<SipTransport> TRANSPORT = ConfigKey.of(
            "transport",
            ConfigTypes.oneOf(transports()),
            "udp",
            "What carries messages; `ws` and `wss` are WebSocket and secure WebSocket (RFC 7118).");
    private static final ConfigKey<IpAddress> ADDRESS = ConfigKey.required(
            "address", ADDRESS_TYPE, "The address; `0.0.0.0` or `\"::\"` for all, which needs `advertise`.");
    private static final ConfigKey<Integer> PORT = ConfigKey.optional(
            "port",
            ConfigTypes.integer(0, 65_535),
            "The port; default 5060, for `tls` and `wss` 5061. 0 is any free one.");
    private static final ConfigKey<String> ADVERTISE = ConfigKey.optional(
            "advertise",
            HOST_PORT,
            "The host and port in Via, Record-Route and Path, if peers reach it at another one; it counts as ours.");
    private static final ConfigKey<Placed<String>> CERTIFICATE = ConfigKey.optional(
                    "certificate",
                    ConfigTypes.placed(ConfigTypes.text(4096)),
                    "The file with its certificates, in PEM, its own first. Read again at each reload.")
            .whileRunning();
    private static final ConfigKey<Placed<String>> KEY = ConfigKey.optional(
                    "key", ConfigTypes.placed(ConfigTypes.text(4096)), "The file with its private key, in PEM.")
            .whileRunning();
    private static final ConfigKey<Placed<String>> AUTHORITIES = ConfigKey.optional(
            "client-authorities",
            ConfigTypes.placed(ConfigTypes.text(4096)),
            "The file with authorities of which clients must have a certificate; default none is asked for. Read again"
                    + " at each reload.");
    private static final ConfigKey<Long> RECEIVE = ConfigKey.of(
            "receive-buffer",
            ConfigTypes.bytes(0, 1 << 30),
            "4MiB",
            "The receive buffer that the socket asks for (SO_RCVBUF); 0B for that of the system.");

    private static final ConfigSchema<ListenerConfig> SCHEMA = ConfigSchema.of(
            "listener",
            "An address at which the proxy receives messages.",
            values -> {
                SipTransport transport = values.get(TRANSPORT);
                @Nullable Placed<String> certificate = values.find(CERTIFICATE);
                @Nullable Placed<String> key = values.find(KEY);
                @Nullable Placed<String> authorities = values.find(AUTHORITIES);
                if (transport.isSecure()) {
                    if (certificate == null) {
                        values.fault(CERTIFICATE, "is missing; " + lower(transport) + " needs it");
                    }
                    if (key == null) {
                        values.fault(KEY, "is missing; " + lower(transport) + " needs it");
                    }
                } else {
                    for (ConfigKey<?> unused : new ConfigKey<?>[] {CERTIFICATE, KEY, AUTHORITIES}) {
                        if (values.isGiven(unused)) {
                            values.fault(unused, "has no effect with " + lower(transport) + "; tls and wss use it");
                        }
                    }
                }
                @Nullable String advertised = values.find(ADVERTISE);
                if (values.get(ADDRESS).isUnspecified() && !values.isGiven(ADVERTISE)) {
                    values.fault(ADDRESS, "is all addresses of the host: peers need advertise to know one of them");
                }
                @Nullable Integer port = values.find(PORT);
                return new ListenerConfig(
                        values.get(NAME),
                        transport,
                        values.get(ADDRESS),
                        port == null ? transport.defaultPort() : port,
                        advertised == null ? "" : advertised,
                        certificate == null || key == null
                                ? null
                                : new TlsFiles(
                                        file(certificate), file(key), authorities == null ? null : file(authorities)),
                        values.get(RECEIVE).intValue(),
                        values.place());
            },
            NAME,
            TRANSPORT,
            ADDRESS,
            PORT,
            ADVERTISE,
            CERTIFICATE,
            KEY,
            AUTHORITIES,
            RECEIVE);

    private static Map<String, SipTransport> transports() {
        Map<String, SipTransport> transports = new LinkedHashMap<>();
        for (SipTransport transport : SipTransport.values()) {
            if (transport != SipTransport.SCTP) {
                transports.put(lower(transport), transport);
            }
        }
        return transports;
    }

    private static String lower(SipTransport transport) {
        return transport.name().toLowerCase(Locale.ROOT);
    }

    private static Placed<Path> file(Placed<String> name) {
        return new Placed<>(Path.of(name.value()), name.place());
    }

    /** The keys. */
    public static ConfigSchema<ListenerConfig> schema() {
        return SCHEMA;
    }

    /** Whether only processes of this host reach it: 127.0.0.0/8 and ::1. */
    public boolean isLoopback() {
        return address.isLoopback();
    }
}
