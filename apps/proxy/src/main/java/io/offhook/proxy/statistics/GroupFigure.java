package io.offhook.proxy.statistics;

import java.util.List;

/**
 * A group of next hops.
 *
 * @param name its name
 * @param failovers members tried after another one had failed for the same call
 * @param lastResorts members tried although they were not usable, because none was
 * @param exhausted calls for which no member was left
 * @param members its members, in the order of the configuration
 */
public record GroupFigure(String name, long failovers, long lastResorts, long exhausted, List<MemberFigure> members) {
    /** Copies the members. */
    public GroupFigure {
        members = List.copyOf(members);
    }
}
