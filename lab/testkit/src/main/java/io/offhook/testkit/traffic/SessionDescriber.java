package io.offhook.testkit.traffic;

import io.offhook.packet.Endpoint;
import io.offhook.testkit.truth.Party;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Writes the offers and answers of one call, as each hop sees them. */
final class SessionDescriber {
    private final CallPlan plan;
    private final UserAgent caller;
    private final UserAgent callee;
    private final MediaSession.@Nullable Relay relay;
    private final long origin;
    private int version;

    SessionDescriber(
            CallPlan plan, UserAgent caller, UserAgent callee, MediaSession.@Nullable Relay relay, long origin) {
        this.plan = plan;
        this.caller = caller;
        this.callee = callee;
        this.relay = relay;
        this.origin = origin;
    }

    /**
     * A description for a message's bodies by hop.
     *
     * @param direction sendrecv, sendonly, recvonly or inactive
     * @param codecs in order of preference
     * @param hold whether to write 0.0.0.0 as the address (RFC 2543's hold)
     */
    IntFunction<byte[]> describe(Party from, String direction, List<SentCodec> codecs, boolean hold) {
        version++;
        int current = version;
        return hop -> {
            Endpoint media = shown(from, hop);
            Endpoint address = hold ? Addresses.endpoint(media.isIpv4() ? "0.0.0.0" : "::", media.port()) : media;
            Sdp sdp =
                    new Sdp(origin(from), current, plan.connectionInMedia ? decoy(address) : address, plan.sessionName);
            if (plan.bundled) {
                sdp.attribute("group:BUNDLE audio video");
            }
            List<SentCodec> formats = new ArrayList<>(codecs);
            formats.add(new SentCodec(
                    SentCodec.TELEPHONE_EVENT.name(), 101, codecs.getFirst().clockRate(), 1, 4, 20));
            medium(sdp, "audio", address, formats, from, direction);
            sdp.attribute("ptime:" + codecs.getFirst().ptimeMs());
            if (plan.video) {
                Endpoint picture = address.withPort(address.port() + (plan.bundled ? 0 : 2));
                medium(sdp, "video", picture, List.of(SentCodec.H264), from, direction);
            }
            return sdp.bytes();
        };
    }

    /** A description of T.38 over UDPTL on the audio's port. */
    IntFunction<byte[]> describeFax(Party from) {
        version++;
        int current = version;
        return hop -> {
            Endpoint media = shown(from, hop);
            return new Sdp(origin(from), current, media)
                    .media("image", media.port(), "udptl", "t38")
                    .attribute("T38FaxVersion:0")
                    .attribute("T38MaxBitRate:14400")
                    .attribute("T38FaxRateManagement:transferredTCF")
                    .attribute("T38FaxUdpEC:t38UDPRedundancy")
                    .bytes();
        };
    }

    private long origin(Party from) {
        return from == Party.CALLER ? origin : origin + 1;
    }

    private void medium(Sdp sdp, String kind, Endpoint media, List<SentCodec> formats, Party from, String direction) {
        sdp.media(kind, media.port(), plan.security.profile(), formats);
        if (plan.connectionInMedia) {
            sdp.connection(media);
        }
        sdp.attribute(direction);
        if (plan.rtcp != null && plan.rtcp.multiplexed) {
            sdp.attribute("rtcp-mux");
        } else if (plan.rtcp != null && plan.rtcp.announcesPort()) {
            sdp.attribute("rtcp:" + (media.port() + plan.rtcp.portOffset()));
        }
        if (plan.bundled) {
            sdp.attribute("mid:" + kind);
        }
        if (plan.ice) {
            ice(sdp, media, from);
        }
        switch (plan.security) {
            case NONE -> {}
            case SDES ->
                sdp.attribute("crypto:1 AES_CM_128_HMAC_SHA1_80 inline:WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz");
            case DTLS ->
                sdp.attribute("fingerprint:sha-256 " + "4A:AD:B9:B1:3F:82:18:3B:54:02:12:DF:3E:5D:49:6B:"
                                + "19:E5:7C:AB:4A:AD:B9:B1:3F:82:18:3B:54:02:12:DF")
                        .attribute("setup:" + (from == Party.CALLER ? "actpass" : "active"));
        }
    }

    private void ice(Sdp sdp, Endpoint media, Party from) {
        Endpoint seen = (from == Party.CALLER ? caller : callee).mediaSeen;
        String name = from.label().toLowerCase(Locale.ROOT);
        sdp.attribute("ice-ufrag:" + (from == Party.CALLER ? "clr1" : "clee"))
                .attribute("ice-pwd:" + name + "-password-000000")
                .attribute("candidate:1 1 UDP 2130706431 " + Addresses.text(media) + " " + media.port() + " typ host")
                .attribute("candidate:2 1 UDP 1694498815 " + Addresses.text(seen) + " " + seen.port()
                        + " typ srflx raddr " + Addresses.text(media) + " rport " + media.port());
    }

    /** Returns the media address of an end, or of the relay that represents it on this hop. */
    private Endpoint shown(Party from, int hop) {
        if (relay != null && from == Party.CALLER && hop >= 1) {
            return relay.towardsCallee();
        }
        if (relay != null && from == Party.CALLEE && hop == 0) {
            return relay.towardsCaller();
        }
        return from == Party.CALLER ? caller.media : callee.media;
    }

    /** An address at session level that is not the media's, where each medium says its own. */
    private static Endpoint decoy(Endpoint of) {
        return Addresses.endpoint(of.isIpv4() ? "192.0.2.99" : "2001:db8:ffff::99", of.port());
    }
}
