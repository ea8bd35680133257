package io.offhook.calls.join;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which dialogs are legs of which, by their indexes in the list that was compared. */
public final class JoinedDialogs {
    /** The most dialogs that are joined to one call. */
    public static final int MOST_DIALOGS = 32;

    /** The most joins from a dialog up to the first one of its call. */
    public static final int DEEPEST = 8;

    /** The most possible joins that are reported of a dialog. */
    private static final int MOST_POSSIBLE = 8;

    /**
     * A pair of dialogs, and what speaks for it.
     *
     * @param other the index of the other dialog
     * @param score the sum of the weights, 100 or more for a join
     * @param reasons what speaks for it, each with its weight
     */
    public record Link(int other, int score, List<String> reasons) {}

    private final @Nullable Link[] parents;
    private final int[] roots;
    private final Map<Integer, List<Link>> possible = new HashMap<>();
    private final List<Integer> refused = new ArrayList<>(0);

    JoinedDialogs(@Nullable Link[] parents) {
        this.parents = parents;
        roots = new int[parents.length];
        limit();
    }

    /** Cuts what exceeds the limits, from the first dialogs downwards. */
    private void limit() {
        List<List<Integer>> children = new ArrayList<>(parents.length);
        for (int i = 0; i < parents.length; i++) {
            children.add(List.of());
        }
        for (int i = 0; i < parents.length; i++) {
            Link link = parents[i];
            if (link != null) {
                if (children.get(link.other()).isEmpty()) {
                    children.set(link.other(), new ArrayList<>(1));
                }
                children.get(link.other()).add(i);
            }
        }
        int[] depths = new int[parents.length];
        int[] sizes = new int[parents.length];
        int[] queue = new int[parents.length];
        int end = 0;
        for (int i = 0; i < parents.length; i++) {
            if (parents[i] == null) {
                queue[end++] = i;
            }
        }
        for (int at = 0; at < end; at++) { // parents before their children
            int dialog = queue[at];
            Link link = parents[dialog];
            int root = link == null ? dialog : roots[link.other()];
            if (link != null && (sizes[root] == MOST_DIALOGS || depths[link.other()] == DEEPEST)) {
                parents[dialog] = null;
                root = dialog;
                refused.add(dialog);
            }
            Link kept = parents[dialog];
            depths[dialog] = kept == null ? 0 : depths[kept.other()] + 1;
            roots[dialog] = root;
            sizes[root]++;
            for (int child : children.get(dialog)) {
                queue[end++] = child;
            }
        }
    }

    /** Notes a pair that is no join, unless other joins have made it one call. */
    void addPossible(int parent, int child, int score, List<String> reasons) {
        if (roots[parent] != roots[child]) {
            addPossible(child, new Link(parent, score, reasons));
            addPossible(parent, new Link(child, score, reasons));
        }
    }

    private void addPossible(int dialog, Link link) {
        List<Link> links = possible.computeIfAbsent(dialog, _ -> new ArrayList<>(1));
        if (links.size() < MOST_POSSIBLE) {
            links.add(link);
        }
    }

    /** The parent of a dialog and why; null for the first one of a call. */
    public @Nullable Link parent(int dialog) {
        return parents[dialog];
    }

    /** The first dialog of the call that a dialog belongs to; itself if it was not joined. */
    public int root(int dialog) {
        return roots[dialog];
    }

    /** Dialogs of other calls that may be legs of the same one, but were not joined. */
    public List<Link> possible(int dialog) {
        return possible.getOrDefault(dialog, List.of());
    }

    /** The dialogs beyond {@value #MOST_DIALOGS} of a call, or {@value #DEEPEST} one below the other. */
    public List<Integer> refused() {
        return refused;
    }

    @Override
    public String toString() {
        return Arrays.toString(roots);
    }
}
