package io.offhook.proxy.media;

/** The commands of the NG protocol that are used. */
public enum MediaCommand {
    /** Asks whether the engine is there. */
    PING("ping"),
    /** Has ports opened for an offer. */
    OFFER("offer"),
    /** Completes an offer. */
    ANSWER("answer"),
    /** Ends a call, or a branch of it. */
    DELETE("delete"),
    /** Asks what the engine knows about a call. */
    QUERY("query");

    private final String text;

    MediaCommand(String text) {
        this.text = text;
    }

    /** As it is sent. */
    String text() {
        return text;
    }
}
