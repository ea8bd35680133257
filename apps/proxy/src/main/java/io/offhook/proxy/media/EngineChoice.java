package io.offhook.proxy.media;

import java.util.BitSet;
import java.util.List;

/**
 * Which engine a call goes to: by a hash of its Call-ID, in proportion to the weights. Of the calls of an engine that
 * fails, and of no others, each gets another one (weighted rendezvous hashing).
 */
final class EngineChoice {
    private EngineChoice() {}

    /**
     * Chooses one of the engines that may be.
     *
     * @return the index of the engine; -1 if none may
     */
    static int of(String callId, List<MediaConfig.Engine> engines, BitSet may) {
        int chosen = -1;
        double best = Double.NEGATIVE_INFINITY;
        for (int i = may.nextSetBit(0); i >= 0 && i < engines.size(); i = may.nextSetBit(i + 1)) {
            // by the engine's address rather than its place, so that adding one to the list moves few calls
            long hash = mixed(callId.hashCode() * 0x9e3779b97f4a7c15L
                    + engines.get(i).control().hashCode());
            double drawn = ((hash >>> 11) + 0.5) * 0x1p-53; // between 0 and 1, neither included
            double score = -engines.get(i).weight() / Math.log(drawn);
            if (score > best) {
                best = score;
                chosen = i;
            }
        }
        return chosen;
    }

    /** The finalizer of splitmix64. */
    private static long mixed(long value) {
        long mixed = (value ^ value >>> 30) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
        return mixed ^ mixed >>> 31;
    }
}
