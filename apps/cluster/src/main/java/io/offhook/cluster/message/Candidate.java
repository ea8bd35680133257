package io.offhook.cluster.message;

import io.offhook.calls.binding.Naming;
import io.offhook.calls.binding.Taking;
import java.util.List;

/**
 * What may claim an end of a stream.
 *
 * @param naming of the end
 * @param takings who took over from its call there
 */
public record Candidate(Naming naming, List<Taking> takings) {
    /** Copies the list. */
    public Candidate {
        takings = List.copyOf(takings);
    }
}
