package io.offhook.calls.join;

import io.offhook.packet.Endpoint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Weighs the evidence that one dialog is a leg of another's call: a join needs one proof, or several signs besides one
 * that few calls share.
 */
final class PairScorer {
    /** From this score on, a pair with a proof is joined. */
    static final int JOINED = 100;

    /** From this score on, a pair is worth mentioning. */
    static final int POSSIBLE = 60;

    /** Two interfaces of one host may show a packet that much earlier than the one that caused it. */
    static final long REORDERED_NS = 50_000_000L;

    /** The time in which signs that are no proof count. */
    static final long NEAR_NS = 5_000_000_000L;

    private static final long SECOND_NS = 1_000_000_000L;

    private static final String[] SUFFIXES = {"_b2b", "-b2b_", "_pbx-", "_xfer-"};

    private final Map<String, Integer> byCallId;
    /** Origins of exactly two dialogs. */
    private final Set<Long> telling;
    /** Media addresses that a caller uses for several calls at a time, as generators of load do. */
    private final Set<Endpoint> shared;

    /**
     * Prepares the comparison.
     *
     * @param byCallId the dialogs by Call-ID
     * @param telling origins of session descriptions that exactly two dialogs have
     * @param shared media addresses that tell nothing
     */
    PairScorer(Map<String, Integer> byCallId, Set<Long> telling, Set<Endpoint> shared) {
        this.byCallId = byCallId;
        this.telling = telling;
        this.shared = shared;
    }

    /** Origins that exactly two dialogs have: with a third one, an origin is a habit of its sender. */
    static Set<Long> tellingOrigins(List<DialogFacts> dialogs) {
        Map<Long, Integer> counts = new HashMap<>();
        for (DialogFacts dialog : dialogs) {
            long[] caller = dialog.evidence().callerOrigins();
            for (long origin : caller) {
                counts.merge(origin, 1, Integer::sum);
            }
            for (long origin : dialog.evidence().calleeOrigins()) {
                if (!DialogEvidence.contains(caller, origin)) {
                    counts.merge(origin, 1, Integer::sum);
                }
            }
        }
        Set<Long> telling = new HashSet<>();
        counts.forEach((origin, count) -> {
            if (count == 2) {
                telling.add(origin);
            }
        });
        return telling;
    }

    /**
     * What speaks for a child of this parent, as bits of {@link Sign}; 0 if something speaks against it.
     *
     * @param media {@link Sign#PACKETS} if packets of one stream pass both, {@link Sign#REWRITTEN} if payloads of one do;
     *     as bits
     */
    int signs(DialogFacts parent, DialogFacts child, int media) {
        if (!parent.overlaps(child) || namesAnother(child, parent)) {
            return 0;
        }
        boolean leads = parent.leadsTo(child);
        int signs = proofs(parent, child, leads) | coincidences(parent, child, leads);
        signs |= media;
        if (child.course().invitedNs() < parent.course().invitedNs() - REORDERED_NS) {
            signs &= Sign.TIMELESS;
        }
        if (parent.runsAs(child)) {
            signs &= Sign.mask(Sign.NAMED, Sign.SESSION_ID, Sign.SUFFIX, Sign.PACKETS);
        } else if (!leads && parent.isFromHostOf(child) && !parent.evidence().isOfferless()) {
            // two calls of one client, which has the same description for all
            signs &= ~Sign.mask(Sign.ORIGIN, Sign.MEDIA);
        }
        if (hasOtherSession(parent, child)) {
            signs &= ~Sign.COINCIDENCES;
        }
        return signs;
    }

    /** Whether these signs are enough for a join. */
    static boolean isJoin(int signs) {
        if ((signs & Sign.PROOFS) == 0) {
            return false;
        }
        // a group may outlive transfers and conferences, so that the hop has to confirm it
        boolean isGroupConfirmed = !Sign.GROUP.isIn(signs) || Sign.HOP.isIn(signs);
        int counted = isGroupConfirmed ? signs : signs & ~Sign.GROUP.bit();
        // two who hear one recording at one time have the same payloads, so that more than the time has to be the same
        boolean isMediaConfirmed = (signs & Sign.mask(Sign.HOP, Sign.CALLED, Sign.CALLING)) != 0;
        counted = isMediaConfirmed ? counted : counted & ~Sign.REWRITTEN.bit();
        return (counted & Sign.PROOFS) != 0 && Sign.score(counted) >= JOINED;
    }

    /** Whether a dialog names another captured Call-ID as its parent. */
    private boolean namesAnother(DialogFacts child, DialogFacts parent) {
        boolean another = false;
        for (DialogEvidence.Named named : child.evidence().callIds()) {
            if (named.value().equals(parent.callId())) {
                return false;
            }
            boolean isOwn = named.value().equals(child.callId());
            boolean replies = named.header().equalsIgnoreCase(DialogEvidence.IN_REPLY_TO);
            another |= !isOwn && !replies && byCallId.containsKey(named.value());
        }
        return another;
    }

    private int proofs(DialogFacts parent, DialogFacts child, boolean leads) {
        int signs = 0;
        if (isNamed(parent, child, leads)) {
            signs |= Sign.NAMED.bit();
        }
        if (isSameSession(parent, child)) {
            signs |= Sign.SESSION_ID.bit();
        }
        if (extendedCallId(child.callId(), parent.callId())) {
            signs |= Sign.SUFFIX.bit();
        }
        if (sharesGroup(parent, child) != null) {
            signs |= Sign.GROUP.bit();
        }
        if (sharesOrigin(parent, child)) {
            signs |= Sign.ORIGIN.bit();
        }
        if (sharesMedia(parent, child)) {
            signs |= Sign.MEDIA.bit();
        }
        return signs;
    }

    /** A Call-ID in In-Reply-To means a call back (RFC 3261, 20.21), unless the INVITE came that way. */
    private static boolean isNamed(DialogFacts parent, DialogFacts child, boolean leads) {
        return namingHeader(parent, child, leads) != null;
    }

    private static @Nullable String namingHeader(DialogFacts parent, DialogFacts child, boolean leads) {
        for (DialogEvidence.Named named : child.evidence().callIds()) {
            boolean counts = leads || !named.header().equalsIgnoreCase(DialogEvidence.IN_REPLY_TO);
            if (counts && named.value().equals(parent.callId())) {
                return named.header();
            }
        }
        for (DialogEvidence.Named named : parent.evidence().callIds()) {
            boolean counts = leads || !named.header().equalsIgnoreCase(DialogEvidence.IN_REPLY_TO);
            if (counts && named.value().equals(child.callId())) {
                return named.header();
            }
        }
        return null;
    }

    private static boolean isSameSession(DialogFacts one, DialogFacts other) {
        for (SessionIds ids : one.evidence().sessionIds()) {
            for (SessionIds others : other.evidence().sessionIds()) {
                if (ids.isOf(others)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean hasOtherSession(DialogFacts one, DialogFacts other) {
        if (one.evidence().sessionIds().isEmpty()
                || other.evidence().sessionIds().isEmpty()) {
            return false;
        }
        for (SessionIds ids : one.evidence().sessionIds()) {
            for (SessionIds others : other.evidence().sessionIds()) {
                if (ids.shares(others)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Whether a Call-ID is another one with a suffix that a B2BUA puts behind it. */
    static boolean extendedCallId(String longer, String shorter) {
        if (shorter.isEmpty() || longer.length() <= shorter.length() || !longer.startsWith(shorter)) {
            return false;
        }
        for (String suffix : SUFFIXES) {
            if (longer.startsWith(suffix, shorter.length())) {
                return true;
            }
        }
        return false;
    }

    /** The Call-IDs that a longer one may have been made of; mostly none. */
    static List<String> stems(String callId) {
        List<String> stems = new ArrayList<>(0);
        for (String suffix : SUFFIXES) {
            for (int at = callId.indexOf(suffix, 1); at > 0; at = callId.indexOf(suffix, at + 1)) {
                stems.add(callId.substring(0, at));
            }
        }
        return stems;
    }

    private static DialogEvidence.@Nullable Named sharesGroup(DialogFacts one, DialogFacts other) {
        for (DialogEvidence.Named group : one.evidence().groups()) {
            if (other.evidence().groups().contains(group)) {
                return group;
            }
        }
        return null;
    }

    private boolean sharesOrigin(DialogFacts parent, DialogFacts child) {
        for (long origin : child.evidence().callerOrigins()) {
            boolean isOffered = DialogEvidence.contains(parent.evidence().callerOrigins(), origin);
            // third party call control: what one side answered is offered to the other (RFC 3725)
            boolean isCrossed = parent.evidence().isOfferless()
                    && DialogEvidence.contains(parent.evidence().calleeOrigins(), origin);
            if ((isOffered || isCrossed) && telling.contains(origin)) {
                return true;
            }
        }
        return false;
    }

    private boolean sharesMedia(DialogFacts one, DialogFacts other) {
        for (Endpoint media : one.way().media()) {
            if (other.way().media().contains(media) && !shared.contains(media)) {
                return true;
            }
        }
        return false;
    }

    private static int coincidences(DialogFacts parent, DialogFacts child, boolean leads) {
        int signs = leads ? Sign.HOP.bit() : 0;
        long afterNs = Math.max(0, child.course().invitedNs() - parent.course().invitedNs());
        if (afterNs <= SECOND_NS / 2) {
            signs |= Sign.AT_ONCE.bit();
        } else if (afterNs <= 2 * SECOND_NS) {
            signs |= Sign.SOON.bit();
        } else if (afterNs <= NEAR_NS) {
            signs |= Sign.IN_TIME.bit();
        }
        if (isCalledAlike(parent, child)) {
            signs |= Sign.CALLED.bit();
        }
        if (isCallingAlike(parent, child)) {
            signs |= Sign.CALLING.bit();
        }
        if (isDivertedFrom(parent, child)) {
            signs |= Sign.DIVERTED.bit();
        }
        if (isAnsweredWith(parent.course(), child.course())) {
            signs |= Sign.ANSWERED.bit();
        }
        if (isEndedWith(parent.course(), child.course())) {
            signs |= Sign.ENDED.bit();
        }
        return signs;
    }

    private static boolean isCalledAlike(DialogFacts parent, DialogFacts child) {
        boolean alike = child.isCalled(parent.users().called());
        for (String digits : parent.evidence().called()) {
            alike |= child.isCalled(digits);
        }
        return alike;
    }

    private static boolean isCallingAlike(DialogFacts parent, DialogFacts child) {
        boolean alike = child.isCalledBy(parent.users().caller());
        for (String digits : parent.evidence().callers()) {
            alike |= child.isCalledBy(digits);
        }
        return alike;
    }

    private static boolean isDivertedFrom(DialogFacts parent, DialogFacts child) {
        for (String digits : child.evidence().diverted()) {
            if (parent.isCalled(digits)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the parent was answered right after the child, or failed as it did. */
    private static boolean isAnsweredWith(DialogFacts.Course parent, DialogFacts.Course child) {
        if (parent.answeredNs() != DialogFacts.NEVER && child.answeredNs() != DialogFacts.NEVER) {
            long afterNs = parent.answeredNs() - child.answeredNs();
            return afterNs >= 0 && afterNs <= SECOND_NS / 2;
        }
        return parent.failure() != 0
                && parent.failure() == child.failure()
                && Math.abs(parent.untilNs() - child.untilNs()) <= SECOND_NS / 2;
    }

    /** Whether the same side hung up both, one after the other along the way. */
    private static boolean isEndedWith(DialogFacts.Course parent, DialogFacts.Course child) {
        if (parent.byeNs() == DialogFacts.NEVER
                || child.byeNs() == DialogFacts.NEVER
                || parent.endedByCaller() != child.endedByCaller()) {
            return false;
        }
        long afterNs = parent.endedByCaller() ? child.byeNs() - parent.byeNs() : parent.byeNs() - child.byeNs();
        return afterNs >= 0 && afterNs <= SECOND_NS;
    }

    /** What the signs of a pair are, in words, the weightiest first. */
    List<String> reasons(DialogFacts parent, DialogFacts child, int signs) {
        List<String> reasons = new ArrayList<>();
        for (Sign sign : Sign.values()) {
            if (sign.isIn(signs)) {
                reasons.add(words(sign, parent, child) + " (" + sign.weight() + ")");
            }
        }
        return List.copyOf(reasons);
    }

    private static String words(Sign sign, DialogFacts parent, DialogFacts child) {
        return switch (sign) {
            case NAMED -> namingHeader(parent, child, true) + " names it";
            case SESSION_ID -> "same Session-ID";
            case SUFFIX -> "Call-ID with a suffix";
            case PACKETS -> "same RTP packets";
            case REWRITTEN -> "same RTP payloads";
            case GROUP -> {
                DialogEvidence.Named group = sharesGroup(parent, child);
                yield "same " + (group == null ? "group" : group.header());
            }
            case ORIGIN -> "same SDP origin";
            case MEDIA -> "same media address";
            case HOP -> "next hop";
            case AT_ONCE -> "within 0.5 s";
            case SOON -> "within 2 s";
            case IN_TIME -> "within 5 s";
            case CALLED -> "same called number";
            case CALLING -> "same calling number";
            case DIVERTED -> "diverted from its called number";
            case ANSWERED -> "answered or refused together";
            case ENDED -> "ended together";
        };
    }
}
