package io.offhook.calls.join;

import java.util.List;

/**
 * Whether and by which headers the dialogs of one call are found. Names of headers are compared without case.
 *
 * @param joins whether to join at all; otherwise each Call-ID is a call
 * @param callIdHeaders headers whose value is the Call-ID of another leg
 * @param groupHeaders headers whose value is the same in all legs of a call; "Name;parameter" if only that parameter is
 */
public record JoinOptions(boolean joins, List<String> callIdHeaders, List<String> groupHeaders) {
    /** The headers that products are known to set. */
    public static final JoinOptions DEFAULT = new JoinOptions(
            true,
            List.of(
                    "X-CID",
                    "X-Call-ID",
                    "XCallID",
                    "X-CallID",
                    "Parent-Call-ID",
                    DialogEvidence.IN_REPLY_TO,
                    "X-Original-Call-ID"),
            List.of(
                    "P-Charging-Vector;icid-value",
                    "X-BroadWorks-Correlation-Info",
                    "Av-Global-Session-ID",
                    "Cisco-Guid",
                    "X-Genesys-CallUUID"));

    /** Copies the lists. */
    public JoinOptions {
        callIdHeaders = List.copyOf(callIdHeaders);
        groupHeaders = List.copyOf(groupHeaders);
    }

    /** The same options but for this one. */
    public JoinOptions withJoins(boolean joins) {
        return new JoinOptions(joins, callIdHeaders, groupHeaders);
    }

    /** The same options but for this one. */
    public JoinOptions withCallIdHeaders(List<String> callIdHeaders) {
        return new JoinOptions(joins, callIdHeaders, groupHeaders);
    }

    /** The same options but for this one. */
    public JoinOptions withGroupHeaders(List<String> groupHeaders) {
        return new JoinOptions(joins, callIdHeaders, groupHeaders);
    }
}
