package io.offhook.live.libpcap;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.offhook.linux.Capabilities;
import io.offhook.linux.raw.NativeLibrary;
import io.offhook.live.Availability;
import io.offhook.live.CaptureRemedy;
import io.offhook.live.packetsocket.PacketSocketBackend;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A source of packets for libpcap: a network interface, or one of the other devices that it supports on this system
 * ({@code any}, {@code bluetooth0}, {@code usbmon1}).
 *
 * @param name the name by which it is opened
 * @param description its description by the system; empty if there is none
 * @param addresses its IPv4 and IPv6 addresses, as text
 * @param isUp whether it is administratively up
 * @param isLoopback whether it is a loopback interface
 * @param isWireless whether it is wireless, of any kind
 */
public record LibpcapInterface(
        String name, String description, List<String> addresses, boolean isUp, boolean isLoopback, boolean isWireless) {
    private static final int AF_INET = 2;
    /** AF_INET6 of Linux, FreeBSD and NetBSD, macOS, OpenBSD and DragonFly. */
    private static final List<Integer> AF_INET6 = List.of(10, 28, 30, 24);

    private static final boolean IS_LINUX = System.getProperty("os.name").equals("Linux");
    /**
     * struct sockaddr_in: family, port, then the address; struct sockaddr_in6: family, port, flow, then the address.
     */
    private static final int ADDRESS_4 = 4;

    private static final int ADDRESS_6 = 8;
    private static final int MAX_SOCKET_ADDRESS = 28;

    /**
     * Returns everything that libpcap lists for this process: possibly nothing without permission to capture.
     *
     * @throws LibpcapException if it is not installed or cannot list them
     */
    public static List<LibpcapInterface> all() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment first = arena.allocate(ADDRESS);
            MemorySegment errors = arena.allocate(Pcap.PCAP_ERRBUF_SIZE);
            if (Pcap.findAll(first, errors) != 0) {
                throw new LibpcapException("libpcap cannot list interfaces: " + errors.getString(0));
            }
            List<LibpcapInterface> all = new ArrayList<>();
            MemorySegment device = first.get(ADDRESS, 0);
            try {
                for (long at = device.address(); at != 0; ) {
                    MemorySegment one = NativeLibrary.memory(at, Pcap.DEVICE_BYTES);
                    all.add(read(one));
                    at = one.get(ADDRESS, 0).address();
                }
            } finally {
                Pcap.freeAll(device);
            }
            return List.copyOf(all);
        }
    }

    /**
     * Returns whether this process may capture from it, if it is not one of the kernel's interfaces. It is not opened
     * to find out: some devices (a netfilter queue) would be taken from their owner, and only opening shows whether
     * Bluetooth or D-Bus exists.
     */
    Availability availability() {
        if (name.startsWith("nf")) {
            return Capabilities.has(Capabilities.NET_ADMIN)
                    ? Availability.USABLE
                    : Availability.without(
                            "capability CAP_NET_ADMIN is missing",
                            new CaptureRemedy.Capabilities(List.of("CAP_NET_RAW", "CAP_NET_ADMIN")));
        }
        if (name.startsWith("usbmon")) {
            Path device = Path.of("/dev", name);
            if (!Files.exists(device)) {
                return Availability.without(
                        device + " is not there", new CaptureRemedy.Command("sudo modprobe usbmon"));
            }
            return Files.isReadable(device)
                    ? Availability.USABLE
                    : Availability.without(
                            device + " may not be read",
                            new CaptureRemedy.Command("sudo setfacl -m u:$(id -u):r " + device));
        }
        return name.startsWith("dbus") ? Availability.USABLE : PacketSocketBackend.sockets();
    }

    private static LibpcapInterface read(MemorySegment device) {
        int flags = device.get(JAVA_INT, Pcap.DEVICE_FLAGS);
        List<String> addresses = new ArrayList<>();
        for (long at = device.get(ADDRESS, Pcap.DEVICE_ADDRESSES).address(); at != 0; ) {
            MemorySegment one = NativeLibrary.memory(at, Pcap.ADDRESS_BYTES);
            addAddress(one.get(ADDRESS, Pcap.ADDRESS_VALUE).address(), addresses);
            at = one.get(ADDRESS, 0).address();
        }
        return new LibpcapInterface(
                Pcap.text(device.get(ADDRESS, Pcap.DEVICE_NAME)),
                Pcap.text(device.get(ADDRESS, Pcap.DEVICE_DESCRIPTION)),
                List.copyOf(addresses),
                (flags & Pcap.PCAP_IF_UP) != 0,
                (flags & Pcap.PCAP_IF_LOOPBACK) != 0,
                (flags & Pcap.PCAP_IF_WIRELESS) != 0);
    }

    private static void addAddress(long at, List<String> addresses) {
        if (at == 0) {
            return;
        }
        // others are as short as a sockaddr: only what the family implies is read
        MemorySegment bytes = NativeLibrary.memory(at, MAX_SOCKET_ADDRESS);
        // on other systems a length byte comes first
        int family = IS_LINUX ? bytes.get(JAVA_SHORT, 0) : bytes.get(JAVA_BYTE, 1);
        boolean isIpv6 = AF_INET6.contains(family);
        if (family == AF_INET || isIpv6) {
            byte[] address = new byte[isIpv6 ? 16 : 4];
            MemorySegment.copy(bytes, JAVA_BYTE, isIpv6 ? ADDRESS_6 : ADDRESS_4, address, 0, address.length);
            try {
                addresses.add(InetAddress.getByAddress(address).getHostAddress());
            } catch (UnknownHostException e) {
                throw new AssertionError("an address of " + address.length + " bytes", e);
            }
        }
    }
}
