package io.offhook.testkit.traffic;

import io.offhook.packet.Endpoint;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Writes session descriptions (RFC 8866). Mutable, single-threaded. */
public final class Sdp {
    static final String STANDARD_NAME = "offhook";

    private final StringBuilder session = new StringBuilder();
    private final List<StringBuilder> media = new ArrayList<>();

    /**
     * @param origin session id
     * @param version grows with each offer or answer of one end
     * @param address of the c= line at session level
     */
    public Sdp(long origin, int version, Endpoint address) {
        this(origin, version, address, STANDARD_NAME);
    }

    /** As {@link #Sdp(long, int, Endpoint)}, with the name of the session, of any text in one line. */
    Sdp(long origin, int version, Endpoint address, String name) {
        line(session, "v=0");
        line(session, "o=- " + origin + " " + version + " IN " + family(address));
        line(session, "s=" + name);
        line(session, "c=IN " + family(address));
        line(session, "t=0 0");
    }

    /** An attribute of the session, or of the medium that was last begun. */
    public Sdp attribute(String value) {
        line(media.isEmpty() ? session : media.getLast(), "a=" + value);
        return this;
    }

    /** Begins a medium. */
    public Sdp media(String kind, int port, String profile, String formats) {
        media.add(new StringBuilder());
        line(media.getLast(), "m=" + kind + " " + port + " " + profile + " " + formats);
        return this;
    }

    /** A c= line of the medium that was last begun, which goes before that of the session. */
    public Sdp connection(Endpoint address) {
        StringBuilder text = media.getLast();
        // it stands between the m= line and the attributes
        text.insert(text.indexOf("\r\n") + 2, "c=IN " + family(address) + "\r\n");
        return this;
    }

    /** Begins a medium of these formats, each with its a=rtpmap. */
    public Sdp media(String kind, int port, String profile, List<SentCodec> codecs) {
        StringBuilder formats = new StringBuilder();
        codecs.forEach(codec -> formats.append(formats.isEmpty() ? "" : " ").append(codec.payloadType()));
        media(kind, port, profile, formats.toString());
        for (SentCodec codec : codecs) {
            attribute("rtpmap:" + codec.rtpmap());
            if (codec.name().equals(SentCodec.TELEPHONE_EVENT.name())) {
                attribute("fmtp:" + codec.payloadType() + " 0-15");
            }
        }
        return this;
    }

    public byte[] bytes() {
        return toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        StringBuilder all = new StringBuilder(session);
        media.forEach(all::append);
        return all.toString();
    }

    private static String family(Endpoint address) {
        return (address.isIpv4() ? "IP4 " : "IP6 ") + Addresses.text(address);
    }

    private static void line(StringBuilder to, String text) {
        to.append(text).append("\r\n");
    }
}
