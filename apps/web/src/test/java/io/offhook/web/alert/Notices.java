package io.offhook.web.alert;

/** Notices with what an attacker would put into them. */
final class Notices {
    /** A user name as it may come from the network. */
    static final String HOSTILE = "x\"}\r\nBcc: all@example.com\r\n\r\n<script>\u2028\u0007";

    private Notices() {}

    static Notice hostile() {
        return new Notice(
                Notice.State.RAISED,
                new Alert(
                        "brute force",
                        AlertKind.BRUTE_FORCE,
                        1_795_000_000_000_000_000L,
                        80,
                        "192.0.2.9: 80; mostly " + HOSTILE),
                1_795_000_001_000_000_000L,
                3);
    }
}
