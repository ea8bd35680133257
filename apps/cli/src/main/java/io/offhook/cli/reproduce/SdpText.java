package io.offhook.cli.reproduce;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A session description with the addresses and ports of sipp in the place of those captured; all else as captured. */
final class SdpText {
    private static final Pattern ORIGIN = Pattern.compile("(o=\\S+ \\S+ \\S+) IN IP[46] \\S+(.*)");
    private static final Pattern CONNECTION = Pattern.compile("c=IN IP[46] ([^\\s/]+)(.*)");
    private static final Pattern MEDIA = Pattern.compile("(m=[A-Za-z0-9_-]+) (\\d{1,5})(/\\d+)? (.*)");
    private static final Pattern RTCP = Pattern.compile("(a=rtcp:)(\\d{1,5})( IN IP[46] \\S+)?(.*)");
    private static final Pattern CANDIDATE = Pattern.compile(
            "(a=candidate:\\S+ (\\d{1,3}) \\S+ \\d+) \\S+ \\d+( typ \\S+)(?: raddr \\S+)?(?: rport \\d+)?(.*)");
    private static final String MEDIA_ADDRESS = " IN IP[media_ip_type] [media_ip]";

    private final MediaLines media;
    private int line = -1;
    /** The port of the line at hand, as captured. */
    private String port = "";

    private SdpText(MediaLines media) {
        this.media = media;
    }

    /** @param sdp octets as text; its line ends become CRLF */
    static String of(String sdp, MediaLines media) {
        SdpText text = new SdpText(media);
        StringBuilder all = new StringBuilder();
        String[] lines = sdp.split("\r\n|\n|\r", -1);
        int count = lines.length;
        while (count > 0 && lines[count - 1].isEmpty()) {
            count--;
        }
        for (int i = 0; i < count; i++) {
            all.append(text.line(lines[i])).append(i == count - 1 ? "\\x0D\\x0A" : "\n");
        }
        return all.toString();
    }

    private String line(String captured) {
        if (captured.isEmpty()) {
            return "";
        }
        return switch (captured.charAt(0)) {
            case 'o' -> origin(captured);
            case 'c' -> connection(captured);
            case 'm' -> media(captured);
            case 'a' -> attribute(captured);
            default -> SippText.lines(captured);
        };
    }

    private static String origin(String captured) {
        Matcher origin = ORIGIN.matcher(captured);
        return origin.matches()
                ? SippText.lines(origin.group(1)) + " IN IP[local_ip_type] [local_ip]" + SippText.lines(origin.group(2))
                : SippText.lines(captured);
    }

    private static String connection(String captured) {
        Matcher connection = CONNECTION.matcher(captured);
        if (!connection.matches()) {
            return SippText.lines(captured);
        }
        String address = connection.group(1);
        boolean isHold = address.equals("0.0.0.0") || address.equals("::");
        return isHold ? SippText.lines(captured) : "c=IN IP[media_ip_type] [media_ip]";
    }

    private String media(String captured) {
        line++;
        Matcher matcher = MEDIA.matcher(captured);
        if (!matcher.matches()) {
            port = "";
            return SippText.lines(captured);
        }
        port = matcher.group(2);
        boolean isRejected = Integer.parseInt(port) == 0;
        return SippText.lines(matcher.group(1)) + " " + (isRejected ? "0" : media.port(line, matcher.group(1))) + " "
                + SippText.lines(matcher.group(4));
    }

    private String attribute(String captured) {
        Matcher rtcp = RTCP.matcher(captured);
        if (rtcp.matches()) {
            return "a=rtcp:" + beside(rtcp.group(2).equals(port) ? 0 : 1)
                    + (rtcp.group(3) == null ? "" : MEDIA_ADDRESS)
                    + SippText.lines(rtcp.group(4));
        }
        Matcher candidate = CANDIDATE.matcher(captured);
        if (candidate.matches()) {
            return SippText.lines(candidate.group(1)) + " [media_ip] "
                    + beside(candidate.group(2).equals("2") ? 1 : 0)
                    + SippText.lines(candidate.group(3))
                    + SippText.lines(candidate.group(4));
        }
        return SippText.lines(captured);
    }

    /** The port of the line at hand, or the next one. */
    private String beside(int more) {
        return media.key(line < 0 ? media.primary() : line, more);
    }
}
