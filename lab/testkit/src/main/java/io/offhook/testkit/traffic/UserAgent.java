package io.offhook.testkit.traffic;

import io.offhook.packet.Endpoint;
import io.offhook.testkit.truth.Party;

/** One end of a call: who it is, where it is, and what it says of itself. Mutable. */
final class UserAgent {
    final Party party;
    String user;
    String displayName = "";
    /** Where its SIP comes from, as the tap sees it. */
    Endpoint signalling;
    /** What it writes into Via and Contact: its own idea of its address. */
    Endpoint contact;
    /** What it writes into its SDP. */
    Endpoint media;
    /** Where its RTP comes from and goes to, as the tap sees it. */
    Endpoint mediaSeen;

    String tag;
    boolean behindNat;

    UserAgent(Party party, String user, Endpoint signalling, Endpoint media, String tag) {
        this.party = party;
        this.user = user;
        this.signalling = signalling;
        this.contact = signalling;
        this.media = media;
        this.mediaSeen = media;
        this.tag = tag;
    }

    /** Sends and receives media elsewhere from now on. */
    void moveMedia(Endpoint said, Endpoint seen) {
        media = said;
        mediaSeen = seen;
    }

    String uri(String host) {
        return "sip:" + user + "@" + host;
    }
}
