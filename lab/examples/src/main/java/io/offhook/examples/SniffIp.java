package io.offhook.examples;

import io.offhook.live.packetsocket.IpSniffer;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/** Prints the IP packets that an interface receives and sends, for some seconds: {@code SniffIp INTERFACE SECONDS}. */
public final class SniffIp {
    private SniffIp() {}

    public static void main(String[] args) throws InterruptedException {
        try (IpSniffer sniffer = IpSniffer.on(args[0])
                .incoming((source, destination, packet) -> print("in ", source, destination, packet))
                .outgoing((source, destination, packet) -> print("out", source, destination, packet))
                .start()) {
            Thread.sleep(Long.parseLong(args[1]) * 1000);
            System.out.println(sniffer.counts());
        }
    }

    private static void print(String way, InetAddress source, InetAddress destination, ByteBuffer packet) {
        System.out.println(way + " " + source.getHostAddress() + " to " + destination.getHostAddress() + ", "
                + packet.remaining() + " bytes");
    }
}
