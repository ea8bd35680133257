package io.offhook.cli.serve;

import io.offhook.packet.Endpoint;
import io.offhook.testkit.traffic.Ip;
import io.offhook.testkit.traffic.Transports;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;

/** A capture at a proxy: the caller's side of a call by UDP, the callee's in TLS, with other calls. */
final class ProxiedCapture {
    private ProxiedCapture() {}

    /**
     * Writes it.
     *
     * @param inTls a pcap file with call0@test in TLS
     */
    static Path write(Path inTls, Path folder) throws IOException {
        byte[] tls = Files.readAllBytes(inTls);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(tls, 0, 24);
        byte[] firstTime = Arrays.copyOfRange(tls, 24, 32);
        all.writeBytes(datagram(firstTime, true, "INVITE sip:b@192.0.2.2 SIP/2.0", ""));
        all.write(tls, 24, tls.length - 24);
        byte[] lastTime = ByteBuffer.allocate(8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(ByteBuffer.wrap(firstTime)
                                .order(ByteOrder.LITTLE_ENDIAN)
                                .getInt()
                        + 1)
                .putInt(0)
                .array();
        all.writeBytes(datagram(lastTime, false, "SIP/2.0 200 OK", ";tag=b0"));
        return Files.write(folder.resolve("proxied.pcap"), all.toByteArray());
    }

    private static byte[] datagram(byte[] time, boolean isRequest, String start, String toTag) {
        String text = start + "\r\nVia: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bKu\r\nFrom: <sip:a@127.0.0.1>;tag=a0\r\n"
                + "To: <sip:b@127.0.0.1>" + toTag
                + "\r\nCall-ID: call0@test\r\nCSeq: 1 INVITE\r\nContent-Length: 0\r\n\r\n";
        Endpoint caller = Objects.requireNonNull(Endpoint.parse("192.0.2.1:5060"));
        Endpoint proxy = Objects.requireNonNull(Endpoint.parse("192.0.2.2:5060"));
        Endpoint source = isRequest ? caller : proxy;
        Endpoint destination = isRequest ? proxy : caller;
        byte[] packet = Ip.between(source, destination)
                .packet(Ip.UDP, Transports.udp(source, destination, text.getBytes(StandardCharsets.US_ASCII)));
        byte[] ethernet = {2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0};
        int length = ethernet.length + packet.length;
        return ByteBuffer.allocate(16 + length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(time)
                .putInt(length)
                .putInt(length)
                .put(ethernet)
                .put(packet)
                .array();
    }
}
