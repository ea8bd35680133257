package io.offhook.testkit.traffic;

import io.offhook.packet.Endpoint;
import io.offhook.packet.LinkType;
import io.offhook.testkit.truth.Party;
import io.offhook.testkit.truth.RegistrationTruth;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Traffic that is no call: registrations, other SIP, media without signalling, and what else is on a network. */
final class Background {
    private static final long MS = 1_000_000;

    private final Random random;
    private final Tap tap;
    private final Recorder recorder;
    private final StreamLedgers streams;
    private final Tallies tallies;

    Background(Random random, Recorder recorder, StreamLedgers streams, Tallies tallies) {
        this.random = random;
        this.recorder = recorder;
        this.streams = streams;
        this.tallies = tallies;
        tap = new Tap(recorder, random);
    }

    /** One client's requests to a server, all with one Call-ID. */
    private final class Exchange {
        final Endpoint client;
        final Endpoint server;
        final String user;
        final String callId;
        final String tag = Integer.toHexString(random.nextInt());
        int sequence;
        long now;
        int messages;

        Exchange(long startNs, int number, String user) {
            this.user = user;
            client = CallParts.address(false, 7, number, 5060, 0);
            server = CallParts.address(false, 8, 0, 5060, 0);
            callId = Integer.toHexString(random.nextInt()) + "-bg" + number;
            now = startNs;
        }

        String contact() {
            return "sip:" + user + "@" + Addresses.inUri(client) + ":5060";
        }

        /** A request and, unless {@code status} is 0, its response; returns the time of the request. */
        long exchange(
                String method,
                int status,
                String reason,
                List<String> requestHeaders,
                List<String> responseHeaders,
                byte @Nullable [] body) {
            sequence++;
            String branch = "z9hG4bK" + Integer.toHexString(random.nextInt());
            SipMessage request = common(
                            SipMessage.request(method, "sip:example.com"),
                            branch,
                            "<sip:" + user + "@example.com>",
                            method)
                    .header("Max-Forwards", "70")
                    .header("Contact", "<" + contact() + ">");
            add(request, requestHeaders);
            if (body != null) {
                request.body("text/plain", body);
            }
            long sent = tap.udp(now, true, client, server, request.bytes());
            messages++;
            tallies.sipRequests++;
            now += 12 * MS;
            if (status != 0) {
                String to = "<sip:" + user + "@example.com>;tag=server-" + sequence;
                SipMessage response = common(SipMessage.response(status, reason), branch, to, method);
                add(response, responseHeaders);
                tap.udp(now, false, server, client, response.bytes());
                messages++;
                tallies.sipResponses++;
            }
            tallies.callIds.add(callId);
            return sent;
        }

        private SipMessage common(SipMessage message, String branch, String to, String method) {
            return message.header("Via", "SIP/2.0/UDP " + Addresses.inUri(client) + ":5060;rport;branch=" + branch)
                    .header("From", "<sip:" + user + "@example.com>;tag=" + tag)
                    .header("To", to)
                    .header("Call-ID", callId)
                    .header("CSeq", sequence + " " + method);
        }

        private static void add(SipMessage message, List<String> headers) {
            for (int i = 0; i < headers.size(); i += 2) {
                message.header(headers.get(i), headers.get(i + 1));
            }
        }
    }

    RegistrationTruth registration(long startNs, int number, String user, int status, @Nullable String software) {
        Exchange exchange = new Exchange(startNs, number, user);
        List<String> expires =
                software == null ? List.of("Expires", "3600") : List.of("Expires", "3600", "User-Agent", software);
        long started = exchange.exchange(
                "REGISTER",
                401,
                "Unauthorized",
                expires,
                List.of("WWW-Authenticate", "Digest realm=\"example.com\", nonce=\"n" + number + "\", algorithm=MD5"),
                null);
        exchange.now += 15 * MS;
        String credentials = "Digest username=\"" + user + "\", realm=\"example.com\", nonce=\"n" + number
                + "\", uri=\"sip:example.com\", response=\"0123456789abcdef0123456789abcdef\", algorithm=MD5";
        boolean accepted = status == 200;
        List<String> authorized = new ArrayList<>(expires);
        authorized.addAll(List.of("Authorization", credentials));
        exchange.exchange(
                "REGISTER",
                status,
                accepted ? "OK" : status == 403 ? "Forbidden" : "Not Now",
                authorized,
                accepted ? List.of("Contact", "<" + exchange.contact() + ">;expires=1800") : List.of(),
                null);
        return new RegistrationTruth(
                exchange.callId,
                user,
                status == 0 ? null : status,
                1,
                exchange.contact(),
                accepted ? 1800 : 0,
                started,
                recorder.quantize(status == 0 ? started + 12 * MS : exchange.now),
                exchange.messages);
    }

    void otherSip(long startNs, int number) {
        String user = Numbers.any(random, Party.CALLER);
        Exchange exchange = new Exchange(startNs, number, user);
        List<String> presence = List.of("Event", "presence");
        switch (random.nextInt(4)) {
            case 0 -> exchange.exchange("OPTIONS", 200, "OK", List.of(), List.of("Allow", "INVITE, ACK, BYE"), null);
            case 1 -> {
                exchange.exchange(
                        "SUBSCRIBE", 200, "OK", List.of("Event", "presence", "Expires", "600"), presence, null);
                exchange.now += 10 * MS;
                exchange.exchange(
                        "NOTIFY",
                        200,
                        "OK",
                        List.of("Event", "presence", "Subscription-State", "active"),
                        List.of(),
                        null);
            }
            case 2 -> exchange.exchange("PUBLISH", 200, "OK", presence, List.of("SIP-ETag", "x" + number), null);
            default ->
                exchange.exchange(
                        "MESSAGE",
                        202,
                        "Accepted",
                        List.of(),
                        List.of(),
                        // a text that quotes SIP must not be taken for it
                        "INVITE sip:bob@example.com SIP/2.0".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }
    }

    void mediaOnly(long startNs, int number, SentCodec codec, long milliseconds) {
        Endpoint one = CallParts.address(false, 11, number, 30_000, 0);
        Endpoint two = CallParts.address(false, 12, number, 40_000, 0);
        for (boolean forward : new boolean[] {true, false}) {
            RtpSender sender = new RtpSender(random, new RtpShape(), codec, 101, false, this::capture);
            sender.path(List.of(new RtpSender.Leg(forward ? one : two, forward ? two : one, 0, forward)));
            while (sender.dueNs(startNs) < startNs + milliseconds * MS) {
                sender.tick();
            }
        }
    }

    private void capture(
            RtpSender sender, RtpSender.Leg leg, long ssrc, long timeNs, long index, SentCodec codec, byte[] bytes) {
        long at = tap.udp(timeNs, leg.forward(), leg.source(), leg.destination(), bytes);
        streams.of(leg.source(), leg.destination(), sender.ssrc(), null, null, codec.isVideo(), false)
                .note(at, index, codec, false);
        tallies.rtpPackets++;
    }

    void encryptedSignalling(long startNs, int number) {
        Endpoint client = CallParts.address(false, 13, number, 33_000 + number % 20_000, 0);
        SentConnection connection = new SentConnection(tap, client, CallParts.address(false, 8, 0, 5061, 0), true);
        connection.startingAt(random.nextInt() & 0xffff_ffffL, random.nextInt() & 0xffff_ffffL);
        long now = connection.open(startNs);
        for (int i = 0; i < 6; i++) {
            byte[] sealed = new byte[300 + random.nextInt(500)];
            random.nextBytes(sealed);
            byte[] record = new Octets()
                    .u8(23)
                    .u16(0x0303)
                    .u16(sealed.length)
                    .bytes(sealed)
                    .toArray();
            connection.send(now, i % 2 == 0, record, Segmentation.whole());
            now += 60 * MS;
        }
        connection.close(now, true);
        tallies.encryptedSignalling++;
    }

    void noise(long startNs, int packets, long durationMs) {
        for (int i = 0; i < packets; i++) {
            long time = startNs + (long) (random.nextDouble() * durationMs * MS);
            boolean out = random.nextBoolean();
            Endpoint inside =
                    Addresses.endpoint("192.168.7." + (1 + random.nextInt(250)), 40_000 + random.nextInt(9_000));
            Endpoint outside = Addresses.endpoint("198.18." + random.nextInt(4) + ".7", 443);
            Endpoint source = out ? inside : outside;
            Endpoint destination = out ? outside : inside;
            switch (random.nextInt(10)) {
                case 0 -> tap.udp(time, true, inside, outside.withPort(53), dnsQuery());
                case 1 -> tap.udp(time, true, inside.withPort(123), outside.withPort(123), ntpRequest());
                case 2 ->
                    tap.ip(
                            time,
                            out,
                            Ip.between(source, destination)
                                    .packet(Ip.ICMP, Transports.icmpEcho(!out, 7, i & 0xffff, blob(56))));
                case 3 -> arp(time, inside, outside);
                case 4 -> {
                    // a QUIC short header: neither version 2 of RTP nor text
                    byte[] quic = blob(200 + random.nextInt(1000));
                    quic[0] = (byte) (0x40 | quic[0] & 0x3f);
                    tap.udp(time, out, source, destination, quic);
                }
                case 5 ->
                    tap.ip(
                            time,
                            out,
                            Ip.between(source, destination)
                                    .packet(
                                            Ip.SCTP,
                                            Transports.sctp(
                                                    source.withPort(30_001),
                                                    destination.withPort(30_002),
                                                    random.nextInt() & 0xffff_ffffL,
                                                    i,
                                                    1,
                                                    0,
                                                    blob(40))));
                default ->
                    tap.tcp(
                            time,
                            out,
                            source,
                            destination,
                            random.nextInt() & 0xffff_ffffL,
                            random.nextInt() & 0xffff_ffffL,
                            Transports.ACK,
                            blob(random.nextInt(3) == 0 ? 0 : random.nextInt(1400)));
            }
        }
    }

    private void arp(long time, Endpoint asker, Endpoint asked) {
        byte[] frame = new Octets()
                .bytes((byte) -1, (byte) -1, (byte) -1, (byte) -1, (byte) -1, (byte) -1)
                .bytes((byte) 2, (byte) 0, (byte) 0, (byte) 0, (byte) 0, (byte) 1)
                .u16(0x0806)
                .u16(1)
                .u16(0x0800)
                .u8(6)
                .u8(4)
                .u16(1)
                .bytes((byte) 2, (byte) 0, (byte) 0, (byte) 0, (byte) 0, (byte) 1)
                .bytes(Addresses.bytes(asker))
                .zeros(6)
                .bytes(Addresses.bytes(asked))
                .toArray();
        recorder.add(time, LinkType.ETHERNET, frame);
    }

    private byte[] dnsQuery() {
        return new Octets()
                .u16(random.nextInt(0x10000))
                .u16(0x0100)
                .u16(1)
                .zeros(6)
                .u8(7)
                .text("example")
                .u8(3)
                .text("com")
                .u8(0)
                .u16(1)
                .u16(1)
                .toArray();
    }

    private static byte[] ntpRequest() {
        return new Octets().u8(0x23).zeros(39).u64(0xe8c0_0000_0000_0000L).toArray();
    }

    private byte[] blob(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
