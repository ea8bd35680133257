package io.offhook.calls;

/** Session descriptions as text. */
final class Sdp {
    private Sdp() {}

    /** With the address at the session's level; then the lines given. */
    static String of(String address, String... lines) {
        String family = address.indexOf(':') < 0 ? "IP4 " : "IP6 ";
        return "v=0\r\no=- 7 7 IN " + family + address + "\r\ns=-\r\nc=IN " + family + address + "\r\nt=0 0\r\n"
                + String.join("\r\n", lines) + "\r\n";
    }

    /** One line of audio, PCMU and PCMA. */
    static String audio(String address, int port, String... lines) {
        StringBuilder text = new StringBuilder(of(address, "m=audio " + port + " RTP/AVP 0 8"));
        for (String line : lines) {
            text.append(line).append("\r\n");
        }
        return text.toString();
    }
}
