package io.offhook.proxy;

import io.offhook.packet.Endpoint;
import io.offhook.packet.IpAddress;
import io.offhook.proxy.config.ListenerConfig;
import io.offhook.sip.SipTransport;
import io.offhook.sip.proxy.ProxyIdentity;
import io.offhook.sip.proxy.ProxyListener;
import io.offhook.transport.DatagramListener;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The listeners of a configuration as sockets, as messages name them, and as the addresses at which the proxy is reached. */
final class ListenerSet {
    private final List<ListenerConfig> configs;
    private final List<ProxyListener> listeners = new ArrayList<>();
    private final Set<IpAddress> addresses = new LinkedHashSet<>();
    private final Set<String> names = new LinkedHashSet<>();
    private final List<Endpoint> endpoints = new ArrayList<>();
    private final List<Endpoint> locals = new ArrayList<>();

    /**
     * Creates the set.
     *
     * @param configs the listeners
     * @param ports the port of each, which may have been 0 in its configuration
     */
    ListenerSet(List<ListenerConfig> configs, int[] ports) {
        this.configs = configs;
        for (int i = 0; i < ports.length; i++) {
            add(configs.get(i), ports[i]);
        }
    }

    /** The sockets for the listeners with UDP. */
    static List<DatagramListener> datagrams(List<ListenerConfig> configs) {
        return configs.stream()
                .filter(config -> config.transport() == SipTransport.UDP)
                .map(config -> new DatagramListener(
                        new InetSocketAddress(config.address().toInetAddress(), config.port()),
                        config.receiveBytes(),
                        config.receiveBytes(),
                        0))
                .toList();
    }

    private void add(ListenerConfig config, int port) {
        locals.add(Endpoint.of(config.address(), port));
        boolean isIpv6 = !config.address().isIpv4();
        String advertised = config.advertised();
        if (advertised.isEmpty()) {
            listeners.add(ProxyListener.of(config.transport(), config.address(), port));
        } else {
            int colon = advertised.startsWith("[")
                    ? advertised.indexOf(':', advertised.indexOf(']'))
                    : advertised.indexOf(':');
            String host = colon < 0 ? advertised : advertised.substring(0, colon);
            int shown = colon < 0 ? port : Integer.parseInt(advertised.substring(colon + 1));
            listeners.add(new ProxyListener(config.transport(), host, shown, isIpv6));
            IpAddress address = IpAddress.parse(host.startsWith("[") ? host.substring(1, host.length() - 1) : host);
            if (address == null) {
                names.add(host);
            } else {
                addresses.add(address);
                endpoints.add(Endpoint.of(address, shown));
                if (config.address().isUnspecified()) {
                    locals.set(locals.size() - 1, Endpoint.of(address, port));
                }
            }
        }
        for (IpAddress address : config.address().isUnspecified() ? local(isIpv6) : Set.of(config.address())) {
            addresses.add(address);
            endpoints.add(Endpoint.of(address, port));
        }
    }

    /** The addresses of this host in one family. */
    private static Set<IpAddress> local(boolean isIpv6) {
        Set<IpAddress> found = new LinkedHashSet<>();
        try {
            Enumeration<NetworkInterface> interfaces = NetworkInterface.getNetworkInterfaces();
            while (interfaces.hasMoreElements()) {
                Enumeration<InetAddress> of = interfaces.nextElement().getInetAddresses();
                while (of.hasMoreElements()) {
                    IpAddress address = IpAddress.of(of.nextElement());
                    if (address.isIpv4() != isIpv6) {
                        found.add(address);
                    }
                }
            }
        } catch (SocketException e) {
            // then only what is advertised is known to be ours
            return found;
        }
        return found;
    }

    /** The identity for one lane. */
    ProxyIdentity identity() {
        return new ProxyIdentity(listeners, addresses, names);
    }

    /** Addresses and ports at which the proxy is reached. */
    List<Endpoint> endpoints() {
        return List.copyOf(endpoints);
    }

    /** The address and port of each listener; of one at all addresses, the advertised address if it is not a name. */
    List<Endpoint> locals() {
        return List.copyOf(locals);
    }

    /** The names of the listeners. */
    List<String> names() {
        return configs.stream().map(ListenerConfig::name).toList();
    }

    /** The transports that can be sent by, UDP first. */
    List<SipTransport> transports() {
        return configs.stream()
                .map(ListenerConfig::transport)
                .distinct()
                .sorted()
                .toList();
    }
}
