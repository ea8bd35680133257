package io.offhook.sip;

import static io.offhook.sip.SdpParser.LIST_LIMIT;
import static io.offhook.sip.SdpParser.number;
import static io.offhook.sip.SdpParser.words;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Collects the attributes of one media section, or of the session level. */
final class SdpMediaLines {
    private static final int FORMAT_LIMIT = 128;

    private String type = "";
    private int port;
    private int portCount = 1;
    private String protocol = "";
    private List<String> formats = List.of();
    private final String[] rtpmap = new String[128];
    private final String[] fmtp = new String[128];
    private SdpAddress address = SdpAddress.NONE;
    private @Nullable MediaDirection direction;
    private int packetTimeMs = -1;
    private int rtcpPort = -1;
    private SdpAddress rtcpAddress = SdpAddress.NONE;
    private boolean rtcpMux;
    private boolean bundleOnly;
    private String mid = "";
    private String iceUfrag = "";
    private final List<IceCandidate> candidates = new ArrayList<>(0);
    private final List<String> cryptoSuites = new ArrayList<>(0);
    private String fingerprint = "";
    private String setup = "";
    private final List<SdpSource> sources = new ArrayList<>(0);

    /** {@code audio 49170/2 RTP/AVP 0 8 101} */
    void media(String value) {
        String[] word = words(value, FORMAT_LIMIT + 3);
        if (word.length > 0) {
            type = word[0].toLowerCase(Locale.ROOT);
        }
        if (word.length > 1) {
            int slash = word[1].indexOf('/');
            port = (int) Math.max(0, number(word[1], 0xffff));
            portCount = slash < 0 ? 1 : (int) Math.max(1, number(word[1].substring(slash + 1), 0xffff));
        }
        if (word.length > 2) {
            protocol = word[2].toUpperCase(Locale.ROOT);
            formats = Arrays.asList(word).subList(3, word.length);
        }
    }

    void connection(SdpAddress parsed) {
        address = address.isPresent() ? address : parsed;
    }

    void attribute(String key, String value) {
        switch (key) {
            case "sendrecv" -> direction = MediaDirection.SENDRECV;
            case "sendonly" -> direction = MediaDirection.SENDONLY;
            case "recvonly" -> direction = MediaDirection.RECVONLY;
            case "inactive" -> direction = MediaDirection.INACTIVE;
            case "rtpmap" -> perPayloadType(rtpmap, value);
            case "fmtp" -> perPayloadType(fmtp, value);
            case "ptime" -> packetTimeMs = (int) number(value, 100_000);
            case "rtcp" -> rtcp(value);
            case "rtcp-mux" -> rtcpMux = true;
            case "bundle-only" -> bundleOnly = true;
            case "mid" -> mid = value;
            case "ice-ufrag" -> iceUfrag = value;
            case "candidate" -> candidate(value);
            case "crypto" -> crypto(value);
            case "fingerprint" -> fingerprint = value;
            case "setup" -> setup = value.toLowerCase(Locale.ROOT);
            case "ssrc" -> source(value);
            default -> {
                // the many other attributes do not bind media
            }
        }
    }

    MediaDirection directionOr(MediaDirection otherwise) {
        return direction == null ? otherwise : direction;
    }

    /** Builds the media description, with the attributes inherited from the session level. */
    MediaDescription build(SdpMediaLines session, SdpAddress sessionAddress) {
        return new MediaDescription(
                type,
                port,
                portCount,
                protocol,
                formats,
                codecs(),
                address.isPresent() ? address : sessionAddress,
                directionOr(session.directionOr(MediaDirection.SENDRECV)),
                packetTimeMs < 0 ? session.packetTimeMs : packetTimeMs,
                new MediaDescription.Rtcp(rtcpPort, rtcpAddress, rtcpMux || session.rtcpMux),
                bundleOnly,
                mid,
                new MediaDescription.Ice(iceUfrag.isEmpty() ? session.iceUfrag : iceUfrag, candidates),
                new MediaSecurity(
                        cryptoSuites,
                        fingerprint.isEmpty() ? session.fingerprint : fingerprint,
                        setup.isEmpty() ? session.setup : setup),
                sources);
    }

    private List<SdpCodec> codecs() {
        if (!protocol.contains("RTP/")) {
            return List.of();
        }
        List<SdpCodec> codecs = new ArrayList<>(formats.size());
        for (String format : formats) {
            int payloadType = payloadType(format);
            if (payloadType >= 0) {
                codecs.add(codec(payloadType));
            }
        }
        return codecs;
    }

    /** {@code opus/48000/2} */
    private SdpCodec codec(int payloadType) {
        String map = rtpmap[payloadType];
        String parameters = fmtp[payloadType] == null ? "" : fmtp[payloadType];
        if (map == null) {
            return new SdpCodec(payloadType, "", 0, 1, parameters);
        }
        int first = map.indexOf('/');
        int second = first < 0 ? -1 : map.indexOf('/', first + 1);
        String encodingName = (first < 0 ? map : map.substring(0, first)).strip();
        long clockRate = first < 0 ? 0 : number(map.substring(first + 1).strip(), Integer.MAX_VALUE);
        long channels = second < 0 ? 1 : number(map.substring(second + 1).strip(), 255);
        return new SdpCodec(
                payloadType, encodingName, (int) Math.max(0, clockRate), (int) Math.max(1, channels), parameters);
    }

    /** {@code 101 telephone-event/8000}; the first line of a payload type counts. */
    private static void perPayloadType(String[] table, String value) {
        int blank = 0;
        while (blank < value.length() && !SipLexer.isBlank(value.charAt(blank))) {
            blank++;
        }
        int payloadType = payloadType(value.substring(0, blank));
        if (payloadType >= 0 && table[payloadType] == null) {
            table[payloadType] = value.substring(blank).strip();
        }
    }

    private static int payloadType(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!SipLexer.isDigit(text.charAt(i))) {
                return -1;
            }
        }
        return (int) number(text, 127);
    }

    /** {@code 53020 IN IP4 126.16.64.4} */
    private void rtcp(String value) {
        String[] word = words(value, 4);
        if (word.length > 0) {
            rtcpPort = (int) number(word[0], 0xffff);
        }
        if (word.length > 3) {
            rtcpAddress = SdpAddress.of(word[3]);
        }
    }

    /** {@code 1 1 UDP 2130706431 203.0.113.141 8998 typ host} */
    private void candidate(String value) {
        String[] word = words(value, 8);
        if (candidates.size() >= LIST_LIMIT || word.length < 8 || !word[6].equalsIgnoreCase("typ")) {
            return;
        }
        long component = number(word[1], 256);
        long candidatePort = number(word[5], 0xffff);
        if (component < 1 || candidatePort < 0) {
            return;
        }
        candidates.add(new IceCandidate(
                word[0],
                (int) component,
                word[2].toLowerCase(Locale.ROOT),
                number(word[3], Integer.MAX_VALUE),
                SdpAddress.of(word[4]),
                (int) candidatePort,
                word[7].toLowerCase(Locale.ROOT)));
    }

    /** {@code 1 AES_CM_128_HMAC_SHA1_80 inline:...} */
    private void crypto(String value) {
        String[] word = words(value, 2);
        if (word.length == 2 && cryptoSuites.size() < LIST_LIMIT) {
            cryptoSuites.add(word[1]);
        }
    }

    /** {@code 314159 cname:user@example.com}; lines with other attributes of the SSRC are ignored. */
    private void source(String value) {
        String[] word = words(value, 2);
        long ssrc = word.length == 0 ? -1 : number(word[0], 0xffff_ffffL);
        if (ssrc < 0) {
            return;
        }
        String attribute = word.length > 1 ? word[1] : "";
        String cname = attribute.startsWith("cname:") ? attribute.substring(6) : "";
        for (int i = 0; i < sources.size(); i++) {
            if (sources.get(i).ssrc() == ssrc) {
                if (!cname.isEmpty()) {
                    sources.set(i, new SdpSource(ssrc, cname));
                }
                return;
            }
        }
        if (sources.size() < LIST_LIMIT) {
            sources.add(new SdpSource(ssrc, cname));
        }
    }
}
