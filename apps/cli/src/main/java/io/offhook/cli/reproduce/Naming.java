package io.offhook.cli.reproduce;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What stands for tags, branches and variables of a leg. A tag that its owner sends first is made anew at each run, and learned by
 * the other side; one that the other side knew before the capture began stays as it was, on both sides.
 */
final class Naming {
    private record Owned(boolean isOfCaller, String text) {}

    private final Map<Owned, Integer> tags = new HashMap<>();
    private final Set<Owned> known = new HashSet<>();
    private final Map<Owned, Integer> branches = new HashMap<>();
    private final Map<LegMessage, Integer> numbers = new HashMap<>();

    Naming(List<LegMessage> messages) {
        for (LegMessage message : messages) {
            numbers.put(message, numbers.size() + 1);
            boolean isCaller = message.isOfCaller();
            Owned mine = new Owned(isCaller, message.ownTag());
            Owned theirs = new Owned(!isCaller, message.peerTag());
            if (!message.peerTag().isEmpty() && !tags.containsKey(theirs)) {
                known.add(theirs);
            }
            if (!message.ownTag().isEmpty() && !known.contains(mine)) {
                tags.putIfAbsent(mine, tags.size() + 1);
            }
            if (message.isRequest()) {
                branches.putIfAbsent(branchKey(message), branches.size() + 1);
            }
        }
    }

    private static Owned branchKey(LegMessage message) {
        // without a branch, ACK and CANCEL have that of the INVITE of their number
        String text = message.branch().isEmpty() ? " " + message.kept().cseqNumber() : message.branch();
        return new Owned(message.isOfCaller(), text);
    }

    /** The number of a message, from 1 on. */
    int number(LegMessage message) {
        return numbers.getOrDefault(message, 0);
    }

    /** The branch of a request: the same for an INVITE, its CANCEL and its ACK if they had the same. */
    String branch(LegMessage request) {
        return "z9hG4bK-[pid]-[call_number]-" + branches.getOrDefault(branchKey(request), 0);
    }

    /**
     * The parameter {@code ;tag=...} as a side writes it; "" without a tag.
     *
     * @param isOfCaller whether the tag is the caller's
     * @param isWriter whether its owner writes it
     */
    String tag(boolean isOfCaller, String tag, boolean isWriter) {
        if (tag.isEmpty()) {
            return "";
        }
        Integer number = tags.get(new Owned(isOfCaller, tag));
        if (number == null) {
            return ";tag=" + SippText.escaped(tag);
        }
        return isWriter
                ? ";tag=" + (isOfCaller ? "caller" : "callee") + number + "-[pid]-[call_number]"
                : "[$" + tagVariable(isOfCaller, tag) + "]";
    }

    /** The variable in which the other side keeps a tag; "" if it is not learned. */
    String tagVariable(boolean isOfCaller, String tag) {
        Integer number = tags.get(new Owned(isOfCaller, tag));
        return number == null ? "" : "tag" + number;
    }
}
