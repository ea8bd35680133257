package io.offhook.proxy.policy;

import io.offhook.proxy.routing.HeaderChange;
import io.offhook.proxy.routing.HeaderRule;
import io.offhook.sip.proxy.HeaderChanges;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Changes of header fields, from the words of a configuration to those of the core. */
final class ChangedHeaders {
    private ChangedHeaders() {}

    /** The changes that a target itself and the rules for all messages make to a request. */
    static HeaderChanges ofRequest(
            List<HeaderRule> rules, String method, String trunk, String group, List<HeaderChange> ofTarget) {
        List<HeaderChange> general = HeaderRule.changes(rules, HeaderRule.Messages.REQUESTS, method, trunk, group);
        return of(general, ofTarget);
    }

    /** The changes that the rules make to the responses to a request. */
    static HeaderChanges ofResponses(List<HeaderRule> rules, String method, String trunk, String group) {
        return of(HeaderRule.changes(rules, HeaderRule.Messages.RESPONSES, method, trunk, group), List.of());
    }

    private static HeaderChanges of(List<HeaderChange> first, List<HeaderChange> second) {
        if (first.isEmpty() && second.isEmpty()) {
            return HeaderChanges.NONE;
        }
        Set<String> removed = new HashSet<>();
        StringBuilder added = new StringBuilder();
        for (List<HeaderChange> changes : List.of(first, second)) {
            for (HeaderChange change : changes) {
                if (change.kind() != HeaderChange.Kind.ADD) {
                    removed.add(change.name());
                }
                if (change.kind() != HeaderChange.Kind.REMOVE) {
                    added.append(change.name())
                            .append(": ")
                            .append(change.value())
                            .append("\r\n");
                }
            }
        }
        return new HeaderChanges(removed, added.toString());
    }
}
