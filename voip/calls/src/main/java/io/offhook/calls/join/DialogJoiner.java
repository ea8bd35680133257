package io.offhook.calls.join;

import io.offhook.calls.relay.SharedMedia;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Joins dialogs to calls: scores the pairs that share a key, gives each dialog the parent with the highest score, and
 * cuts cycles. Docs: what speaks for a pair, and what against, is in docs/decisions/0029-legs-of-a-call.md.
 */
public final class DialogJoiner {
    /** Pairs without a proof whose scores are that close tell nothing. */
    private static final int CLOSE = 20;

    /** The most possible parents that are reported of a dialog. */
    private static final int MOST_POSSIBLE = 3;

    /** A parent and its signs. */
    private record Pair(int parent, int child, int signs, int score) {}

    private final List<DialogFacts> dialogs;
    private final PairScorer scorer;
    private final SharedMedia packets;
    private final @Nullable Pair[] best;
    private final Map<Integer, List<Pair>> others = new HashMap<>();
    /** Most pairs have the same few signs. */
    private final Map<Integer, List<String>> words = new HashMap<>();

    private DialogJoiner(List<DialogFacts> dialogs, PairScorer scorer, SharedMedia packets) {
        this.dialogs = dialogs;
        this.scorer = scorer;
        this.packets = packets;
        best = new Pair[dialogs.size()];
    }

    /**
     * Joins dialogs.
     *
     * @param dialogs in the order of their INVITEs, at most 2^19
     * @param packets which of them, by their indexes in the list, carry packets or payloads of one stream
     */
    public static JoinedDialogs join(List<DialogFacts> dialogs, SharedMedia packets) {
        Map<String, Integer> byCallId = HashMap.newHashMap(dialogs.size());
        for (int i = 0; i < dialogs.size(); i++) {
            byCallId.putIfAbsent(dialogs.get(i).callId(), i);
        }
        var telling = PairScorer.tellingOrigins(dialogs);
        Candidates candidates = new Candidates(dialogs, byCallId, telling, packets);
        DialogJoiner joiner =
                new DialogJoiner(dialogs, new PairScorer(byCallId, telling, candidates.shared()), packets);
        candidates.forEach(joiner::compare);
        return joiner.result();
    }

    private void compare(int earlier, int later) {
        DialogFacts first = dialogs.get(earlier);
        DialogFacts second = dialogs.get(later);
        Pair pair = pair(earlier, later);
        long apartNs = second.course().invitedNs() - first.course().invitedNs();
        if (apartNs <= PairScorer.REORDERED_NS) {
            Pair reverse = pair(later, earlier);
            boolean isNamed = pair.score == reverse.score && names(first, second) && !names(second, first);
            pair = reverse.score > pair.score || isNamed ? reverse : pair;
        }
        if (pair.score >= PairScorer.POSSIBLE) {
            others.computeIfAbsent(pair.child, _ -> new ArrayList<>(1)).add(pair);
        }
    }

    private static boolean names(DialogFacts one, DialogFacts other) {
        for (DialogEvidence.Named named : one.evidence().callIds()) {
            if (named.value().equals(other.callId())) {
                return true;
            }
        }
        return false;
    }

    private Pair pair(int parent, int child) {
        int media = packets.isShared(parent, child)
                ? Sign.PACKETS.bit()
                : packets.isRewritten(parent, child) ? Sign.REWRITTEN.bit() : 0;
        int signs = scorer.signs(dialogs.get(parent), dialogs.get(child), media);
        return new Pair(parent, child, signs, Sign.score(signs));
    }

    private JoinedDialogs result() {
        others.forEach((child, pairs) -> best[child] = best(pairs));
        cutCycles();
        JoinedDialogs.@Nullable Link[] parents = new JoinedDialogs.Link[best.length];
        for (int i = 0; i < best.length; i++) {
            Pair pair = best[i];
            parents[i] = pair == null ? null : new JoinedDialogs.Link(pair.parent, pair.score, reasons(pair));
        }
        JoinedDialogs joined = new JoinedDialogs(parents);
        for (int i = 0; i < best.length; i++) {
            for (Pair pair : possible(others.getOrDefault(i, List.of()))) {
                joined.addPossible(pair.parent, pair.child, pair.score, reasons(pair));
            }
        }
        return joined;
    }

    /** The join with the highest score; of several the latest; null if there is none, or two are alike. */
    private @Nullable Pair best(List<Pair> pairs) {
        Pair chosen = null;
        boolean isTied = false;
        for (Pair pair : pairs) {
            if (!PairScorer.isJoin(pair.signs)) {
                continue;
            }
            int order = chosen == null ? 1 : Integer.compare(pair.score, chosen.score);
            if (order == 0 && chosen != null) {
                order = Long.compare(invitedNs(pair.parent), invitedNs(chosen.parent));
            }
            isTied = order == 0 || order < 0 && isTied;
            chosen = order > 0 ? pair : chosen;
        }
        return isTied ? null : chosen;
    }

    private long invitedNs(int dialog) {
        return dialogs.get(dialog).course().invitedNs();
    }

    /** A cycle, which packets out of order can make, is cut at its weakest join. */
    private void cutCycles() {
        int[] visits = new int[best.length];
        for (int start = 0; start < best.length; start++) {
            int at = start;
            while (visits[at] == 0) {
                visits[at] = start + 1;
                Pair up = best[at];
                if (up == null) {
                    break;
                }
                at = up.parent;
            }
            if (best[at] != null && visits[at] == start + 1) {
                best[weakest(at)] = null;
            }
        }
    }

    private int weakest(int start) {
        int weakest = start;
        int least = Integer.MAX_VALUE;
        int at = start;
        do {
            Pair up = best[at];
            if (up == null) {
                return weakest;
            }
            if (up.score < least) {
                least = up.score;
                weakest = at;
            }
            at = up.parent;
        } while (at != start);
        return weakest;
    }

    /** Those worth mentioning, the best first. Of several without a proof that are close, none is. */
    private static List<Pair> possible(List<Pair> pairs) {
        if (pairs.isEmpty()) {
            return pairs;
        }
        List<Pair> sorted = new ArrayList<>(pairs);
        sorted.sort((a, b) -> Integer.compare(b.score, a.score));
        List<Pair> worth = new ArrayList<>();
        for (Pair pair : sorted) {
            boolean hasProof = (pair.signs & Sign.PROOFS) != 0;
            if (worth.size() < MOST_POSSIBLE && (hasProof || !isOneOfMany(pair, sorted))) {
                worth.add(pair);
            }
        }
        return worth;
    }

    private static boolean isOneOfMany(Pair pair, List<Pair> sorted) {
        for (Pair other : sorted) {
            if (other.parent != pair.parent && other.score >= pair.score - CLOSE) {
                return true;
            }
        }
        return false;
    }

    private List<String> reasons(Pair pair) {
        DialogFacts parent = dialogs.get(pair.parent);
        DialogFacts child = dialogs.get(pair.child);
        if (Sign.NAMED.isIn(pair.signs) || Sign.GROUP.isIn(pair.signs)) {
            return scorer.reasons(parent, child, pair.signs);
        }
        return words.computeIfAbsent(pair.signs, signs -> scorer.reasons(parent, child, signs));
    }
}
