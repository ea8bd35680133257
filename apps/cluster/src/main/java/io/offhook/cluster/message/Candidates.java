package io.offhook.cluster.message;

import io.offhook.calls.binding.BestCall;
import java.util.List;

/**
 * All that may claim one end of a stream, in the place of what was said of it before.
 *
 * @param stream which one
 * @param end which of its ends
 * @param candidates in the order in which their SDP was seen
 */
public record Candidates(StreamName stream, BestCall.End end, List<Candidate> candidates) implements OperatorMessage {
    /** Copies the list. */
    public Candidates {
        candidates = List.copyOf(candidates);
    }
}
