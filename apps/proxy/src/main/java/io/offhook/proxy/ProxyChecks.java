package io.offhook.proxy;

import io.offhook.config.ConfigFaults;
import io.offhook.config.ConfigPlace;
import io.offhook.config.ConfigTypes.Placed;
import io.offhook.packet.IpAddress;
import io.offhook.proxy.config.ListenerConfig;
import io.offhook.proxy.limit.AddressBlock;
import io.offhook.proxy.media.MediaChecks;
import io.offhook.proxy.routing.RoutingChecks;
import io.offhook.sip.SipTransport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Checks of values that are valid individually but not together. */
final class ProxyChecks {
    private final ProxyConfig config;
    private final ConfigFaults faults;

    private ProxyChecks(ProxyConfig config, ConfigFaults faults) {
        this.config = config;
        this.faults = faults;
    }

    static void check(ProxyConfig config, ConfigFaults faults) {
        ProxyChecks checks = new ProxyChecks(config, faults);
        checks.listeners();
        checks.open();
        checks.relay();
        checks.topology();
        MediaChecks.check(
                config.network().media(),
                config.routing().trunks().keySet(),
                config.routing().groups().keySet(),
                faults);
        RoutingChecks.check(
                config.routing(),
                config.listeners().stream().map(ListenerConfig::name).toList(),
                faults);
    }

    /** Checks the files of this machine. */
    static void checkMachine(ProxyConfig config, ConfigFaults faults) {
        ProxyChecks checks = new ProxyChecks(config, faults);
        for (ListenerConfig listener : config.listeners()) {
            ListenerConfig.@Nullable TlsFiles tls = listener.tls();
            if (tls != null) {
                checks.readable(tls.certificate());
                checks.readable(tls.key());
                checks.readable(tls.clientAuthorities());
            }
        }
        checks.inFolder(config.operation().statistics().callRecords());
        checks.readable(config.operation().mirror().keyFile());
        RoutingChecks.checkMachine(config.routing(), faults);
    }

    private void readable(@Nullable Placed<Path> file) {
        if (file != null && !Files.isReadable(file.value())) {
            faults.add(file.place(), file.value() + " cannot be read");
        }
    }

    private void inFolder(@Nullable String file) {
        Path folder = file == null ? null : Path.of(file).toAbsolutePath().getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            faults.add(config.read().place(), "there is no folder " + folder + " for the call records");
        }
    }

    private void listeners() {
        List<ListenerConfig> listeners = config.listeners();
        if (listeners.isEmpty() && !faults.has("listeners")) {
            faults.add(config.read().place(), "there are no listeners");
        }
        unique(ListenerConfig::name, "listener name");
        unique(
                listener -> listener.port() == 0
                        ? null
                        : (listener.transport() == SipTransport.UDP ? "UDP " : "TCP ") + text(listener),
                "address");
        for (ListenerConfig listener : listeners) {
            if (isGroup(listener.address())) {
                faults.add(listener.place(), listener.address() + " is not the address of a host");
            }
        }
    }

    private static String text(ListenerConfig listener) {
        String address = listener.address().toString();
        return (address.indexOf(':') < 0 ? address : "[" + address + "]") + ":" + listener.port();
    }

    private static boolean isGroup(IpAddress address) {
        return address.isIpv4() ? (address.low() >>> 24 & 0xff) >= 224 : address.high() >>> 56 == 0xff;
    }

    private void unique(Function<ListenerConfig, @Nullable String> key, String what) {
        Map<String, ConfigPlace> seen = new HashMap<>();
        for (ListenerConfig listener : config.listeners()) {
            String value = key.apply(listener);
            ConfigPlace before = value == null ? null : seen.putIfAbsent(value, listener.place());
            if (before != null) {
                faults.add(listener.place(), what + " " + value + " is used twice; line " + before.line() + " has it");
            }
        }
    }

    private void open() {
        if (!config.isOpen()) {
            return;
        }
        for (ListenerConfig listener : config.listeners()) {
            if (!listener.isLoopback()) {
                faults.add(
                        listener.place(),
                        "listener " + listener.name()
                                + " is not on loopback: with open, everybody who reaches it could call"
                                + " without a password");
            }
        }
    }

    /** What is hidden comes back in our Record-Route. */
    private void topology() {
        if (config.routing().hidesTopology() && !config.sip().recordsRoute()) {
            faults.add(config.read().place(), "hide-topology needs sip.record-route");
        }
    }

    /** Whoever relays for all to everywhere is found within hours, and pays for the calls. */
    private void relay() {
        boolean isToAll = config.routing().relay().allow().stream().anyMatch(ProxyChecks::isAll);
        List<AddressBlock> from = config.routing().relay().from();
        boolean isFromAll = from.isEmpty() || from.stream().anyMatch(ProxyChecks::isAll);
        for (ListenerConfig listener : config.listeners()) {
            if (isToAll && isFromAll && !listener.isLoopback()) {
                faults.add(
                        listener.place(),
                        "listener " + listener.name() + " would relay for everybody to everywhere: limit relay.allow or"
                                + " relay.from");
            }
        }
    }

    private static boolean isAll(AddressBlock block) {
        return block.length() == 0 || block.length() == 96 && block.address().isIpv4();
    }
}
