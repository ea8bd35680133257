package io.offhook.cli.reproduce;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Where on loopback a scenario is played, beside what others do there.
 *
 * @param environment of the script: addresses and ports
 * @param filter of the capture, which sees nothing else
 */
record PlayedPlace(Map<String, String> environment, String filter) {
    /** Below the ports that the kernel gives away itself. */
    private static final int LOWEST_PORT = 10_000;

    private static final int HIGHEST_PORT = 30_000;
    private static final int TRIES = 100;

    /** ::1. */
    private static final byte[] LOOPBACK = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};

    /** Behind the two ports of SIP. */
    private static final int MEDIA = 10;

    /** Two random addresses, whose ports are all free. */
    static PlayedPlace ipv4() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        String network = "127." + random.nextInt(16, 240) + "." + random.nextInt(256) + ".";
        return new PlayedPlace(
                Map.of("CALLER_IP", network + "1", "CALLEE_IP", network + "2"),
                "host " + network + "1 or host " + network + "2");
    }

    /**
     * The one address that IPv6 has on loopback, with random ports.
     *
     * @param media whose ports are taken
     * @throws IOException if there is no IPv6 on loopback, or no port is free
     */
    static PlayedPlace ipv6(MediaLines media) throws IOException {
        int span = 4;
        for (int offset : media.offsets()) {
            span = Math.max(span, offset + 4);
        }
        int length = MEDIA + 2 * span;
        for (int i = 0; i < TRIES; i++) {
            int first = ThreadLocalRandom.current().nextInt(LOWEST_PORT, HIGHEST_PORT - length) & ~1;
            if (areFree(first, length)) {
                Map<String, String> environment = new TreeMap<>();
                environment.put("CALLER_IP", Reproduction.LOOPBACK6);
                environment.put("CALLEE_IP", Reproduction.LOOPBACK6);
                environment.put("CALLER_PORT", Integer.toString(first));
                environment.put("CALLEE_PORT", Integer.toString(first + 2));
                environment.put("CALLER_MEDIA_PORT", Integer.toString(first + MEDIA));
                environment.put("CALLEE_MEDIA_PORT", Integer.toString(first + MEDIA + span));
                return new PlayedPlace(
                        environment,
                        "host " + Reproduction.LOOPBACK6 + " and portrange " + first + '-' + (first + length - 1));
            }
        }
        throw new IOException("to be played, a call over IPv6 needs IPv6 on loopback, and " + length + " free ports of "
                + Reproduction.LOOPBACK6 + "; sysctl net.ipv6.conf.lo.disable_ipv6 says whether it is off");
    }

    /** Whether nobody has any of the ports for UDP. */
    private static boolean areFree(int first, int count) throws IOException {
        InetAddress loopback = InetAddress.getByAddress(LOOPBACK);
        for (int port = first; port < first + count; port++) {
            try (DatagramSocket probe = new DatagramSocket(null)) {
                probe.bind(new InetSocketAddress(loopback, port));
            } catch (IOException e) {
                return false;
            }
        }
        return true;
    }
}
