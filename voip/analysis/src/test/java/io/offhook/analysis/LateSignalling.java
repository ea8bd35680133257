package io.offhook.analysis;

import io.offhook.packet.Endpoint;
import io.offhook.testkit.traffic.Frame;
import io.offhook.testkit.traffic.Link;
import io.offhook.testkit.traffic.Rtcp;
import io.offhook.testkit.traffic.RtpPacket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Captures in which signalling comes while its media runs: each is one way in which it could matter what else is known of
 * the capture when a packet is counted.
 */
final class LateSignalling {
    private static final Endpoint A = Endpoint.ofIpv4(0x0a00_0001, 4000);
    private static final Endpoint B = Endpoint.ofIpv4(0x0a00_0002, 4000);
    private static final Endpoint C = Endpoint.ofIpv4(0x0a00_0003, 6000);
    private static final Endpoint PROXY = Endpoint.ofIpv4(0x0a00_0009, 5060);
    private static final String OPUS = "111|rtpmap:111 opus/48000/2";
    private static final String PCMU = "0";
    private static final long SECOND = 1_000_000_000L;
    private static final int PACKETS = 1200;

    private final Random random;
    private final List<Frame> frames = new ArrayList<>();
    private int identification;

    private LateSignalling(long seed) {
        random = new Random(seed);
    }

    /** The captures by name, in the order of their times. */
    static Map<String, List<Frame>> captures() {
        Map<String, Consumer<LateSignalling>> scripts = new LinkedHashMap<>();
        for (double at : new double[] {0.5, 9.8, 10.3, 14.01, 19.5}) {
            scripts.put("SDP of Opus " + at + " s after its media", script -> script.late(at, OPUS));
        }
        scripts.put("keys of a payload type that is named late", script -> script.lateKeys(4));
        scripts.put("keys of a payload type that is named too late", script -> script.lateKeys(21));
        scripts.put("a port that another call uses after a pause", script -> script.again(0.3, true, 12_000));
        scripts.put("a port that another call uses after a jump", script -> script.again(0, true, 40_000));
        scripts.put("a port that another call uses, named after its media", script -> script.again(-0.7, true, 12_000));
        scripts.put("a port that another call uses without a BYE", script -> script.again(1.5, false, 12_000));
        scripts.put("tags that the answer shortens", script -> script.tags("RTP/SAVP", 14));
        scripts.put("tags that the answer shortens late", script -> script.tags("RTP/SAVP", 17));
        scripts.put("tags by the keys of both sides", script -> script.tags("RTP/AVP", 14));
        scripts.put("a codec that a re-INVITE changes", script -> script.changed("0,111|rtpmap:111 opus/48000/2"));
        scripts.put("a payload type that a re-INVITE changes", script -> script.changed("111|rtpmap:111 AMR/8000"));
        scripts.put("an endpoint that a re-INVITE names", LateSignalling::moved);
        scripts.put("RTCP before its SDP", LateSignalling::reported);
        scripts.put("a refused call that goes on", LateSignalling::refused);
        scripts.put("legs of a B2BUA", script -> script.legs(0.4));
        scripts.put("legs of a B2BUA, set up during their media", script -> script.legs(9));
        scripts.put("a clock that is set back", LateSignalling::setBack);
        Map<String, List<Frame>> captures = new LinkedHashMap<>();
        scripts.forEach((name, script) -> {
            LateSignalling made = new LateSignalling(name.hashCode());
            script.accept(made);
            captures.put(name, made.ordered());
        });
        captures.put("a clock that is set back, in the order of capture", setBackFrames());
        captures.put("calls that give way to others", evicted());
        return captures;
    }

    private List<Frame> ordered() {
        frames.sort(Comparator.comparingLong(Frame::timestampNs));
        return frames;
    }

    private void late(double at, String formats) {
        media(A, B, 1, 111, 960, 0, PACKETS);
        media(B, A, 2, 111, 960, 0, PACKETS);
        call("late", at, A, B, formats);
        end("late", 24.5);
    }

    private void lateKeys(double at) {
        String formats = "0,101|rtpmap:101 telephone-event/8000";
        media(A, B, 1, 0, 160, 0, PACKETS);
        media(B, A, 2, 0, 160, 0, PACKETS);
        for (int key = 0; key < 60; key++) {
            long timestamp = 160L * 20 * key;
            for (int i = 0; i < 9; i++) {
                byte[] event = RtpPacket.telephoneEvent(key % 10, i > 5, 160 * (i + 1));
                rtp(A, B, 0.4 * key + 0.02 * i + 0.001, 1, 101, PACKETS + 9 * key + i, timestamp, event);
            }
        }
        call("keys", at, A, B, formats);
        end("keys", 24.5);
    }

    /** Two calls between the same endpoints, with the same SSRC; the second one is named {@code pause} after the first ends. */
    private void again(double pause, boolean hasEnd, int jump) {
        call("first", 0.01, A, B, PCMU);
        media(A, B, 1, 0, 160, 0.05, 400);
        media(B, A, 2, 0, 160, 0.05, 400);
        double end = 0.05 + 8.02;
        if (hasEnd) {
            end("first", end);
        }
        double begin = end + Math.abs(pause);
        call("second", pause < 0 ? begin + 0.35 : begin - 0.01, A, B, pause < 0 ? OPUS : PCMU);
        for (int i = 0; i < 400; i++) {
            double at = begin + 0.02 * i + (pause < 0 && i > 5 ? 0.2 : 0);
            rtp(A, B, at, 1, pause < 0 ? 111 : 0, jump + i, 960L * i, new byte[120]);
            rtp(B, A, at, 2, pause < 0 ? 111 : 0, jump + i, 960L * i, new byte[120]);
        }
        end("second", begin + 9);
    }

    /** SRTP; both suites are offered, and the answer chooses the one with the shorter tag. */
    private void tags(String profile, double answerAt) {
        String key = " inline:WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz";
        String longer = "|crypto:1 AES_CM_128_HMAC_SHA1_80" + key;
        String shorter = "|crypto:1 AES_CM_128_HMAC_SHA1_32" + key;
        sip(0.1, A, B, invite("tags", 1, A, B, sdp(A, profile, "0" + longer)));
        for (int i = 0; i < PACKETS; i++) {
            int length = i % 7 == 0 ? 4 : i % 11 == 0 ? 10 : 164;
            int packet = i + i / 200 * 3;
            rtp(A, B, 0.2 + 0.02 * packet + jitter(), 1, 0, i, 160L * packet, new byte[length]);
            rtp(B, A, 0.2 + 0.02 * packet + jitter(), 2, 0, i, 160L * packet, new byte[length]);
        }
        sip(answerAt, B, A, answer("tags", 1, A, sdp(B, profile, "0" + shorter)));
        end("tags", 26);
    }

    private void changed(String formats) {
        call("changed", 0.1, A, B, "111|rtpmap:111 opus/48000/2");
        media(A, B, 1, 111, 960, 0.2, 500);
        media(B, A, 2, 111, 960, 0.2, 500);
        boolean isOther = formats.startsWith("0");
        for (int i = 500; i < PACKETS; i++) {
            double pause = i > 600 ? 0.15 : 0;
            rtp(A, B, 0.2 + 0.02 * i + pause + jitter(), 1, isOther ? 0 : 111, i, 960L * i, new byte[40]);
            rtp(B, A, 0.2 + 0.02 * i + pause + jitter(), 2, isOther ? 0 : 111, i, 960L * i, new byte[40]);
        }
        sip(
                11.9,
                A,
                B,
                invite("changed", 2, A, B, sdp(A, "RTP/AVP", formats)).replace("To: <sip:b@b>", "To: <sip:b@b>;tag=2"));
        sip(11.95, B, A, answer("changed", 2, A, sdp(B, "RTP/AVP", formats)));
        end("changed", 26);
    }

    private void moved() {
        call("moved", 0.1, A, B, OPUS);
        media(C, B, 1, 111, 960, 0.2, PACKETS);
        media(B, C, 2, 111, 960, 0.2, PACKETS);
        sip(
                11,
                A,
                B,
                invite("moved", 2, A, B, sdp(C, "RTP/AVP", OPUS)).replace("To: <sip:b@b>", "To: <sip:b@b>;tag=2"));
        sip(11.5, B, A, answer("moved", 2, A, sdp(B, "RTP/AVP", OPUS)));
        end("moved", 26);
    }

    private void reported() {
        media(A, B, 1, 111, 960, 0, PACKETS);
        media(B, A, 2, 111, 960, 0, PACKETS);
        for (int i = 1; i < 6; i++) {
            long at = Frames.START_NS + (long) (i * 4.01 * SECOND);
            byte[] report = new Rtcp()
                    .senderReport(1, at, 192_000L * i, 200L * i, 12_000L * i)
                    .bytes();
            frame(at / 1e9 - Frames.START_NS / 1e9, A.withPort(4001), B.withPort(4001), report);
            byte[] back = new Rtcp()
                    .senderReport(2, at + 1000, 192_000L * i, 200L * i, 12_000L * i)
                    .bytes();
            frame(at / 1e9 - Frames.START_NS / 1e9, B.withPort(4001), A.withPort(4001), back);
        }
        call("reported", 12.5, A, B, OPUS);
        end("reported", 24.5);
    }

    /** A final response, after which the same call is invited again; media pauses now and then. */
    private void refused() {
        sip(0.1, A, B, invite("refused", 1, A, B, sdp(A, "RTP/AVP", PCMU)));
        sip(0.4, B, A, answer("refused", 1, A, "").replace("200 OK", "486 Busy Here"));
        sip(0.41, A, B, invite("refused", 1, A, B, "").replace("INVITE", "ACK"));
        call("other", 0.5, C, B, PCMU);
        for (int i = 0; i < PACKETS; i++) {
            double at = 0.3 + 0.02 * i + 0.13 * Math.floorDiv(i, 9);
            rtp(B, A, at, 2, 0, i, 160L * i, new byte[160]);
            rtp(A, B, at, 1, 0, i, 160L * i, new byte[160]);
        }
        sip(0.9, A, B, invite("refused", 2, A, B, sdp(A, "RTP/AVP", PCMU)));
        sip(1.9, B, A, answer("refused", 2, A, sdp(B, "RTP/AVP", PCMU)));
        end("other", 3);
        end("refused", 20);
        call("again", 21, A, B, PCMU);
    }

    private void legs(double at) {
        sip(at, A, PROXY, invite("leg-1", 1, A, PROXY, sdp(A, "RTP/AVP", PCMU)));
        sip(at + 0.05, PROXY, B, invite("leg-2", 1, PROXY, B, sdp(C, "RTP/AVP", PCMU)));
        sip(at + 0.5, B, PROXY, answer("leg-2", 1, PROXY, sdp(B, "RTP/AVP", PCMU)));
        sip(at + 0.55, PROXY, A, answer("leg-1", 1, A, sdp(C.withPort(6002), "RTP/AVP", PCMU)));
        for (int i = 0; i < PACKETS; i++) {
            byte[] there = octets();
            byte[] back = octets();
            double talk = 0.5 + 0.02 * i;
            rtp(A, C.withPort(6002), talk, 1, 0, i, 160L * i, there);
            rtp(C, B, talk + 0.003, 3, 0, i + 77, 160L * i, there);
            rtp(B, C, talk, 2, 0, i, 160L * i, back);
            rtp(C.withPort(6002), A, talk + 0.003, 4, 0, i + 99, 160L * i, back);
        }
        end("leg-1", 26);
        end("leg-2", 26.02);
    }

    private void setBack() {
        late(10.3, OPUS);
        call("next", 24.6, A, B, OPUS);
    }

    /** The clock goes back by 5 s after two thirds of the frames. */
    private static List<Frame> setBackFrames() {
        LateSignalling made = new LateSignalling(5);
        made.setBack();
        List<Frame> all = new ArrayList<>(made.ordered());
        for (int i = all.size() * 2 / 3; i < all.size(); i++) {
            Frame frame = all.get(i);
            all.set(
                    i,
                    new Frame(frame.timestampNs() - 5 * SECOND, frame.linkType(), frame.bytes(), frame.wireLength()));
        }
        return all;
    }

    /** More calls than the least number that is kept, one after another on few ports. */
    private static List<Frame> evicted() {
        LateSignalling made = new LateSignalling(6);
        for (int i = 0; i < 1200; i++) {
            Endpoint a = A.withPort(4000 + i % 40 * 2);
            Endpoint b = B.withPort(4000 + i % 40 * 2);
            double at = 0.05 * i;
            made.call("call-" + i, at, a, b, i % 3 == 0 ? PCMU : OPUS);
            for (int j = 0; j < 12; j++) {
                made.rtp(
                        a,
                        b,
                        at + 0.1 * j + made.jitter(),
                        i % 40,
                        i % 3 == 0 ? 0 : 111,
                        i * 12 + j,
                        4800L * j,
                        new byte[50]);
            }
            made.end("call-" + i, at + 1.7);
        }
        return made.ordered();
    }

    private byte[] octets() {
        byte[] octets = new byte[160];
        random.nextBytes(octets);
        return octets;
    }

    private double jitter() {
        return random.nextDouble() * 0.008;
    }

    private void media(Endpoint from, Endpoint to, long ssrc, int type, long step, double at, int packets) {
        for (int i = 0; i < packets; i++) {
            rtp(from, to, at + 0.02 * i + jitter(), ssrc, type, i, step * i, new byte[60]);
        }
    }

    private void rtp(
            Endpoint from, Endpoint to, double at, long ssrc, int type, long number, long timestamp, byte[] payload) {
        byte[] packet = new RtpPacket()
                .payloadType(type)
                .sequence(number & 0xffff)
                .timestamp(timestamp & 0xffff_ffffL)
                .ssrc(ssrc)
                .bytes(payload);
        frame(at, from, to, packet);
    }

    private void call(String id, double at, Endpoint caller, Endpoint callee, String formats) {
        sip(at, caller, callee, invite(id, 1, caller, callee, sdp(caller, "RTP/AVP", formats)));
        sip(at + 0.0005, callee, caller, answer(id, 1, caller, "").replace("200 OK", "180 Ringing"));
        sip(at + 0.001, callee, caller, answer(id, 1, caller, sdp(callee, "RTP/AVP", formats)));
        sip(at + 0.002, caller, callee, invite(id, 1, caller, callee, "").replace("INVITE", "ACK"));
    }

    private void end(String id, double at) {
        sip(at, A, B, invite(id, 7, A, B, "").replace("INVITE", "BYE").replace("To: <sip:b@b>", "To: <sip:b@b>;tag=2"));
        sip(at + 0.01, B, A, answer(id, 7, A, "").replace("INVITE", "BYE"));
    }

    private static String invite(String id, int cseq, Endpoint from, Endpoint to, String sdp) {
        return "INVITE sip:b@" + host(to) + " SIP/2.0\r\n" + headers(id, cseq, from, "") + body(sdp);
    }

    private static String answer(String id, int cseq, Endpoint caller, String sdp) {
        return "SIP/2.0 200 OK\r\n" + headers(id, cseq, caller, ";tag=2") + body(sdp);
    }

    private static String headers(String id, int cseq, Endpoint caller, String toTag) {
        return "Via: SIP/2.0/UDP " + host(caller) + ":5060;branch=z9hG4bK" + id + cseq + "\r\nFrom: <sip:a@a>;tag=1"
                + id
                + "\r\nTo: <sip:b@b>" + toTag + "\r\nCall-ID: " + id + "@x\r\nCSeq: " + cseq
                + " INVITE\r\nContact: <sip:a@"
                + host(caller) + ">\r\n";
    }

    private static String body(String sdp) {
        return (sdp.isEmpty() ? "" : "Content-Type: application/sdp\r\n") + "Content-Length: " + sdp.length()
                + "\r\n\r\n" + sdp;
    }

    /** @param formats payload types by commas, then attributes, each behind a bar */
    private static String sdp(Endpoint at, String profile, String formats) {
        String[] parts = formats.split("\\|", -1);
        StringBuilder text = new StringBuilder("v=0\r\no=- 1 1 IN IP4 ")
                .append(host(at))
                .append("\r\ns=-\r\nc=IN IP4 ")
                .append(host(at))
                .append("\r\nt=0 0\r\nm=audio ")
                .append(at.port())
                .append(' ')
                .append(profile)
                .append(' ')
                .append(parts[0].replace(',', ' '))
                .append("\r\n");
        for (int i = 1; i < parts.length; i++) {
            text.append("a=").append(parts[i]).append("\r\n");
        }
        return text.toString();
    }

    private static String host(Endpoint endpoint) {
        String text = endpoint.toString();
        return text.substring(0, text.lastIndexOf(':'));
    }

    private void sip(double at, Endpoint from, Endpoint to, String text) {
        frame(at, from.withPort(5060), to.withPort(5060), text.getBytes(StandardCharsets.US_ASCII));
    }

    private void frame(double at, Endpoint from, Endpoint to, byte[] payload) {
        byte[] packet = Link.ethernet().frame(Frames.udp(from, to, ++identification, payload), true);
        long timeNs = Frames.START_NS + Math.round(at * 1e6) * 1000;
        frames.add(new Frame(timeNs, Link.ethernet().linkType(), packet, packet.length));
    }
}
