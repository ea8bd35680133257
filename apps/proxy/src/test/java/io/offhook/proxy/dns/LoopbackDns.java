package io.offhook.proxy.dns;

import io.offhook.packet.Endpoint;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiFunction;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/**
 * A DNS server of a test on a loopback port, over UDP and TCP: a zone in the format of master files, and answers that
 * lie, are late, or do not come.
 */
public final class LoopbackDns implements AutoCloseable {
    /** What is sent for a query over UDP: any number of datagrams. */
    interface Answering extends BiFunction<LoopbackDns, Message, List<byte[]>> {}

    private final DatagramSocket udp;
    private final ServerSocket tcp;
    private final List<Record> zone = new ArrayList<>();
    private final Map<String, Answering> answering = new ConcurrentHashMap<>();
    private final Map<String, CountDownLatch> held = new ConcurrentHashMap<>();
    /** Names and types in the order of asking; those over TCP with "tcp " before them. */
    final ConcurrentLinkedQueue<String> asked = new ConcurrentLinkedQueue<>();

    public LoopbackDns(String... lines) throws IOException {
        for (String line : lines) {
            String[] parts = line.trim().split("\\s+", 4); // name ttl type data
            Name owner = Name.fromString(parts[0], Name.root);
            zone.add(Record.fromString(
                    owner, Type.value(parts[2]), DClass.IN, Long.parseLong(parts[1]), parts[3], Name.root));
        }
        InetAddress loopback = InetAddress.getLoopbackAddress();
        tcp = new ServerSocket(0, 50, loopback);
        udp = new DatagramSocket(new InetSocketAddress(loopback, tcp.getLocalPort()));
        Thread.ofVirtual().start(this::serveUdp);
        Thread.ofVirtual().start(this::serveTcp);
    }

    public Endpoint endpoint() {
        return Endpoint.of("127.0.0.1", tcp.getLocalPort());
    }

    /** Answers queries for a name over UDP in another way. */
    LoopbackDns on(String name, Answering how) {
        answering.put(name, how);
        return this;
    }

    /** Holds back answers about a name until the latch is counted down. */
    CountDownLatch hold(String name) {
        CountDownLatch latch = new CountDownLatch(1);
        held.put(name, latch);
        return latch;
    }

    void release(String name) {
        CountDownLatch latch = held.remove(name);
        if (latch != null) {
            latch.countDown();
        }
    }

    void remove(String name) {
        synchronized (zone) {
            zone.removeIf(record -> record.getName().toString(true).equals(name));
        }
    }

    static Answering silence() {
        return (_, _) -> List.of();
    }

    static Answering code(int rcode) {
        return (dns, query) -> {
            Message answer = dns.empty(query);
            answer.getHeader().setRcode(rcode);
            return List.of(answer.toWire());
        };
    }

    static Answering truncated() {
        return (dns, query) -> {
            Message answer = dns.empty(query);
            answer.getHeader().setFlag(Flags.TC);
            return List.of(answer.toWire());
        };
    }

    Message empty(Message query) {
        Message answer = new Message(query.getHeader().getID());
        answer.getHeader().setFlag(Flags.QR);
        answer.addRecord(query.getQuestion(), Section.QUESTION);
        return answer;
    }

    /** What the zone says, aliases followed; NXDOMAIN with the SOA record, if there is one, for what it has not. */
    Message truth(Message query) {
        Message answer = empty(query);
        Record question = query.getQuestion();
        Name at = question.getName();
        boolean isKnown = false;
        synchronized (zone) {
            for (int i = 0; i < 20 && at != null; i++) {
                Name owner = at;
                at = null;
                for (Record record : zone) {
                    if (record.getName().equals(owner)) {
                        isKnown = true;
                        boolean isAlias = record.getType() == Type.CNAME;
                        if (record.getType() == question.getType() || isAlias) {
                            answer.addRecord(record, Section.ANSWER);
                        }
                        if (isAlias) {
                            at = ((org.xbill.DNS.CNAMERecord) record).getTarget();
                        }
                    }
                }
            }
            if (answer.getSection(Section.ANSWER).isEmpty()) {
                answer.getHeader().setRcode(isKnown ? Rcode.NOERROR : Rcode.NXDOMAIN);
                zone.stream()
                        .filter(record -> record.getType() == Type.SOA)
                        .findFirst()
                        .ifPresent(soa -> answer.addRecord(soa, Section.AUTHORITY));
            }
        }
        return answer;
    }

    private void serveUdp() {
        byte[] buffer = new byte[4096];
        while (!udp.isClosed()) {
            try {
                DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
                udp.receive(packet);
                Message query = new Message(Arrays.copyOf(packet.getData(), packet.getLength()));
                java.net.SocketAddress from = packet.getSocketAddress();
                Thread.ofVirtual().start(() -> answerUdp(query, from));
            } catch (IOException _) {
                return;
            }
        }
    }

    private static String name(Message query) {
        return query.getQuestion().getName().toString(true);
    }

    private void answerUdp(Message query, java.net.SocketAddress from) {
        String name = name(query);
        asked.add(name + " " + Type.string(query.getQuestion().getType()));
        try {
            CountDownLatch latch = held.get(name);
            if (latch != null) {
                latch.await();
            }
            Answering how = answering.get(name);
            List<byte[]> datagrams = how == null
                    ? List.of(truth(query).toWire(1232)) // truncates
                    : how.apply(this, query);
            for (byte[] datagram : datagrams) {
                udp.send(new DatagramPacket(datagram, datagram.length, from));
            }
        } catch (IOException _) {
            // who asked has gone
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void serveTcp() {
        while (!tcp.isClosed()) {
            try (Socket socket = tcp.accept()) {
                DataInputStream in = new DataInputStream(socket.getInputStream());
                byte[] octets = new byte[in.readUnsignedShort()];
                in.readFully(octets);
                Message query = new Message(octets);
                asked.add("tcp " + name(query) + " "
                        + Type.string(query.getQuestion().getType()));
                byte[] answer = truth(query).toWire(65_535);
                byte[] framed = new byte[answer.length + 2];
                framed[0] = (byte) (answer.length >>> 8);
                framed[1] = (byte) answer.length;
                System.arraycopy(answer, 0, framed, 2, answer.length);
                socket.getOutputStream().write(framed);
            } catch (IOException _) {
                // the next one
            }
        }
    }

    @Override
    public void close() throws IOException {
        held.values().forEach(CountDownLatch::countDown);
        udp.close();
        tcp.close();
    }
}
