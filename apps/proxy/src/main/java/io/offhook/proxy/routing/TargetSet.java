package io.offhook.proxy.routing;

import java.util.List;

/**
 * Targets that are tried at the same time (RFC 3261, 16.6).
 *
 * @param targets at least one
 */
public record TargetSet(List<Target> targets) {
    /** Checks that there is a target. */
    public TargetSet {
        targets = List.copyOf(targets);
        if (targets.isEmpty()) {
            throw new IllegalArgumentException("a target set needs a target");
        }
    }

    /** A set of these targets. */
    public static TargetSet of(Target... targets) {
        return new TargetSet(List.of(targets));
    }
}
