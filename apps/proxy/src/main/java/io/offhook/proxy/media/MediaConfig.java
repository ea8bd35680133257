package io.offhook.proxy.media;

import io.offhook.config.ConfigSchema;
import io.offhook.packet.Endpoint;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Media relays, and what they make of session descriptions.
 *
 * @param engines the relays; empty if media is not relayed
 * @param limits time and number of commands
 * @param onFailure what becomes of a call if no relay answers
 * @param isByBranch whether each branch of a forked call has ports of its own; else all share those of the first
 * @param calls which calls have their media relayed; empty for all
 * @param profile what is made of session descriptions unless a rule names another profile
 * @param profiles by name, for rules to choose from
 */
public record MediaConfig(
        List<Engine> engines,
        Limits limits,
        FailurePolicy onFailure,
        boolean isByBranch,
        List<MediaRule> calls,
        Profile profile,
        Map<String, Profile> profiles) {

    /** What becomes of a call if no relay answers. */
    public enum FailurePolicy {
        /** It fails: 503. */
        REFUSE,
        /** Its session descriptions pass unchanged. */
        PASS
    }

    /**
     * A relay.
     *
     * @param control where it listens for commands, over UDP
     * @param weight its share of the calls beside those of the others, 1 to 1000
     */
    public record Engine(Endpoint control, int weight) {}

    /**
     * Time and number of commands.
     *
     * @param retryMs after which time without an answer a command is sent again, in milliseconds
     * @param tries how often it is sent, at least 1
     * @param pingMs how often a silent engine is asked whether it is back, in milliseconds
     * @param openCommands the most commands that wait for an answer; further ones are refused
     * @param calls the most calls whose engine is remembered
     */
    public record Limits(int retryMs, int tries, int pingMs, int openCommands, int calls) {}

    /** What becomes of ICE. */
    public enum Ice {
        /** Relayed candidates are added where ICE is offered. */
        DEFAULT,
        /** It is taken out. */
        REMOVE,
        /** It is offered, with the relay's candidates alone. */
        FORCE,
        /** The relay is the only candidate that is left. */
        FORCE_RELAY
    }

    /** The profile of RTP that is offered. */
    public enum RtpProfile {
        /** That of the offer. */
        KEEP(""),
        /** Plain. */
        RTP_AVP("RTP/AVP"),
        /** With keys in the session description. */
        RTP_SAVP("RTP/SAVP"),
        /** Plain, with early feedback. */
        RTP_AVPF("RTP/AVPF"),
        /** With keys in the session description and early feedback. */
        RTP_SAVPF("RTP/SAVPF"),
        /** With keys by DTLS. */
        UDP_TLS_RTP_SAVP("UDP/TLS/RTP/SAVP"),
        /** With keys by DTLS and early feedback: WebRTC. */
        UDP_TLS_RTP_SAVPF("UDP/TLS/RTP/SAVPF");

        private final String text;

        RtpProfile(String text) {
            this.text = text;
        }

        /** As in a session description; "" for {@link #KEEP}. */
        public String text() {
            return text;
        }
    }

    /**
     * What is made of session descriptions that go to one side.
     *
     * @param isOriginReplaced whether the address in the line o= becomes the relay's
     * @param isConnectionReplaced whether the address of the session's line c= becomes the relay's
     * @param ice what becomes of ICE
     * @param transport the profile of RTP that is offered
     * @param rtcpMux what becomes of rtcp-mux: offer, require, demux, accept, reject
     * @param flags further flags of the NG protocol, as they are sent: trust-address, symmetric, asymmetric...
     */
    public record Flags(
            boolean isOriginReplaced,
            boolean isConnectionReplaced,
            Ice ice,
            RtpProfile transport,
            List<String> rtcpMux,
            List<String> flags) {
        /** Copies what is given. */
        public Flags {
            rtcpMux = List.copyOf(rtcpMux);
            flags = List.copyOf(flags);
        }
    }

    /**
     * What is made of the session descriptions of a call.
     *
     * @param callerInterface the name of the relay's interface towards the caller; "" for its usual one
     * @param calleeInterface the name of the relay's interface towards the callee; "" for its usual one
     * @param toCaller for what goes to the caller
     * @param toCallee for what goes to the callee
     */
    public record Profile(String callerInterface, String calleeInterface, Flags toCaller, Flags toCallee) {}

    /** Copies what is given. */
    public MediaConfig {
        engines = List.copyOf(engines);
        calls = List.copyOf(calls);
        profiles = Map.copyOf(profiles);
    }

    /**
     * The profile of a call; null if its media are not relayed.
     *
     * @param trunk the trunk that it came from; "" for none
     * @param group the group that it goes to; "" for none
     * @param isBehindNat whether it is from or to a phone behind NAT
     */
    public @Nullable Profile profile(String trunk, String group, boolean isBehindNat) {
        for (MediaRule rule : calls) {
            if (rule.isFor(trunk, group, isBehindNat)) {
                return rule.profile() == null
                        ? profile
                        : profiles.getOrDefault(rule.profile().value(), profile);
            }
        }
        return calls.isEmpty() ? profile : null;
    }

    /** The keys of the section, always the same. */
    public static ConfigSchema<MediaConfig> schema() {
        return MediaKeys.SCHEMA;
    }
}
