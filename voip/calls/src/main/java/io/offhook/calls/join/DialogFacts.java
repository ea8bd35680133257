package io.offhook.calls.join;

import io.offhook.packet.Endpoint;
import java.util.List;

/**
 * A dialog as it is compared with others.
 *
 * @param callId its Call-ID
 * @param firstFrame the number of its first packet, 1-based
 * @param evidence what its messages said about others
 * @param course what happened when
 * @param users who calls whom
 * @param way where its INVITE went
 */
public record DialogFacts(
        String callId, long firstFrame, DialogEvidence evidence, Course course, Users users, Way way) {
    /** Stands for a time at which nothing happened. */
    public static final long NEVER = Long.MIN_VALUE;

    /**
     * The course of a dialog; times in nanoseconds since the epoch, {@link #NEVER} for what did not happen.
     *
     * @param invitedNs its first INVITE
     * @param answeredNs the 2xx
     * @param byeNs the BYE
     * @param untilNs the BYE, the final failure, or the end of the capture
     * @param failure its final status if it failed, 400 to 699; otherwise 0
     * @param endedByCaller whether the caller sent the BYE
     */
    public record Course(
            long invitedNs, long answeredNs, long byeNs, long untilNs, int failure, boolean endedByCaller) {}

    /**
     * The users of a dialog's INVITE.
     *
     * @param caller digits of the user of From, as they count; "" if it is no number
     * @param called digits of the user of To; "" if it is no number
     */
    public record Users(String caller, String called) {
        /** Takes the digits of users as they are written. */
        public static Users of(String from, String to) {
            return new Users(Subscriber.digits(from), Subscriber.digits(to));
        }
    }

    /**
     * The way of an INVITE.
     *
     * @param source the sender on the first hop
     * @param destination the receiver on the first hop
     * @param destinations the receivers on all hops
     * @param media where the caller's side offered to receive media
     */
    public record Way(Endpoint source, Endpoint destination, List<Endpoint> destinations, List<Endpoint> media) {}

    private boolean isHostOfDestination(Endpoint endpoint) {
        for (Endpoint destination : way.destinations) {
            if (destination.high() == endpoint.high() && destination.low() == endpoint.low()) {
                return true;
            }
        }
        return false;
    }

    /** Whether its INVITE went to the host that another one's comes from. */
    boolean leadsTo(DialogFacts next) {
        return isHostOfDestination(next.way.source);
    }

    /** Whether both were there at one time. */
    boolean overlaps(DialogFacts other) {
        return course.invitedNs <= other.course.untilNs && other.course.invitedNs <= course.untilNs;
    }

    /** Whether the INVITEs of both come from one host. */
    boolean isFromHostOf(DialogFacts other) {
        return way.source.high() == other.way.source.high() && way.source.low() == other.way.source.low();
    }

    /** Whether both run between the same endpoints. */
    boolean runsAs(DialogFacts other) {
        return way.source.equals(other.way.source) && way.destination.equals(other.way.destination);
    }

    boolean isCalled(String digits) {
        return !digits.isEmpty()
                && (digits.equals(users.called) || evidence.called().contains(digits));
    }

    boolean isCalledBy(String digits) {
        return !digits.isEmpty()
                && (digits.equals(users.caller) || evidence.callers().contains(digits));
    }
}
