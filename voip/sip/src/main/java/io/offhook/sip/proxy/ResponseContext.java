package io.offhook.sip.proxy;

import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import io.offhook.sip.SipUriView;
import io.offhook.sip.transaction.ServerTransaction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request and its branches (RFC 3261, 16.7). A {@link ProxyPolicy} decides on it by one call of {@link #relay}, {@link #fork}
 * or {@link #reply}. Used for another request after {@link ProxyPolicy#ended}: what decides later compares {@link #number}
 * first, on the core's thread.
 */
public final class ResponseContext {
    private final ProxyCore core;
    final ArrayList<ProxyBranch> branches = new ArrayList<>(2);
    /** Targets to try when all branches have failed. */
    final ArrayDeque<List<ForkTarget>> laterSets = new ArrayDeque<>();

    @Nullable
    ServerTransaction server;

    private long number;
    private boolean decided;
    private boolean hasRoute;
    private boolean followsOwnRoute;
    boolean isInvite;
    private boolean inDialog;
    private HeaderChanges requestChanges = HeaderChanges.NONE;
    private HeaderChanges responseChanges = HeaderChanges.NONE;
    /** Where responses go after the server transaction is over. */
    final SipHop replyTo = new SipHop();

    private @Nullable Object attachment;
    boolean cancelled;
    /** A final response went upstream, or none will. */
    boolean answered;

    long receivedNs;
    /** Whether it was sent to a target. */
    boolean forwarded;

    int loop;
    long breadth;
    int clients;
    int started;
    /** Messages of it that are held, or are kept behind such. */
    int held;

    ResponseContext(ProxyCore core) {
        this.core = core;
    }

    void begin(ServerTransaction transaction, long contextNumber, RoutePlan plan, boolean hasToTag) {
        server = transaction;
        replyTo.set(transaction.replyTo());
        number = contextNumber;
        hasRoute = plan.hasNextHop();
        followsOwnRoute = plan.isSigned();
        isInvite = transaction.isInvite();
        inDialog = hasToTag;
        requestChanges = HeaderChanges.NONE;
        responseChanges = HeaderChanges.NONE;
        decided = false;
        cancelled = false;
        answered = false;
        forwarded = false;
        attachment = null;
        clients = 0;
        started = 0;
        held = 0;
    }

    /** A number that no other request of this core has. */
    public long number() {
        return number;
    }

    /** Whether the request still has this number and waits for a decision. */
    public boolean isWaiting(long contextNumber) {
        return number == contextNumber && server != null && !decided && !answered;
    }

    /** The method of the request. */
    public SipMethod method() {
        return transaction().method();
    }

    /** Where the request came from. */
    public SipHop source() {
        return transaction().source();
    }

    /** Whether a Route, or a flow token of ours, says where the request goes, so that it needs no target. */
    public boolean hasRoute() {
        return hasRoute;
    }

    /**
     * Whether the request came along a route that we had recorded for this Call-ID, which its signature proves, as all requests of
     * a dialog do in which we stay. A Route of ours without it can be written by anybody.
     */
    public boolean followsOwnRoute() {
        return followsOwnRoute;
    }

    /** Whether the request belongs to a dialog: its To has a tag. */
    public boolean isInDialog() {
        return inDialog;
    }

    /**
     * Wraps the Request-URI as it is after our Route values were taken out, a strict router's change undone and a maddr of
     * ours removed (RFC 3261, 16.4): the URI that decides on the target; false if the request is no longer kept.
     *
     * @param view valid until the next call of a method of this core
     */
    public boolean target(SipUriView view) {
        return core.target(this, view);
    }

    /**
     * Wraps the URI that decides where the request goes if it is relayed: that of the first Route, or else the target; false if a
     * flow token decides, or the request is no longer kept.
     *
     * @param view valid until the next call of a method of this core
     */
    public boolean nextHop(SipUriView view) {
        return core.nextHop(this, view);
    }

    /** Sets changes to the headers of the request as it is passed on, whatever its targets. */
    public void requestChanges(HeaderChanges changes) {
        requestChanges = changes;
    }

    HeaderChanges requestChanges() {
        return requestChanges;
    }

    /** Sets changes to the headers of responses that are passed on. */
    public void responseChanges(HeaderChanges changes) {
        responseChanges = changes;
    }

    HeaderChanges responseChanges() {
        return responseChanges;
    }

    /** Whether the sender has cancelled the request. */
    public boolean isCancelled() {
        return cancelled;
    }

    /** When the request was received. */
    public long receivedNs() {
        return receivedNs;
    }

    /** Whether the request was sent to a target so far; not yet while the observer is notified of the first one. */
    public boolean isForwarded() {
        return forwarded;
    }

    /** The status of the last response sent to the sender; 0 if there is none. */
    public int status() {
        ServerTransaction transaction = server;
        return transaction == null ? 0 : transaction.status();
    }

    /** Wraps the request as it was received; false if it is no longer kept. */
    public boolean request(SipMessageView view) {
        ServerTransaction transaction = server;
        return transaction != null && transaction.request(view);
    }

    /** What the policy keeps with this request; null until it is set. */
    public @Nullable Object attachment() {
        return attachment;
    }

    /** Sets what the policy keeps with this request. */
    public void attachment(@Nullable Object value) {
        attachment = value;
    }

    /** Forwards the request by its Route, a flow token, or else its Request-URI. */
    public void relay(long nowNs) {
        if (decide()) {
            core.relay(this, nowNs);
        }
    }

    /**
     * Forwards the request to targets.
     *
     * @param sets the targets: those of a list at once, the lists one after the other
     */
    public void fork(List<List<ForkTarget>> sets, long nowNs) {
        if (decide()) {
            laterSets.addAll(sets);
            core.forkNext(this, nowNs);
        }
    }

    /**
     * Answers the request.
     *
     * @param status 100 to 699; after a provisional one the context waits for a decision still
     * @param reason the reason phrase
     * @param headers header lines to add, each with its line end; "" for none
     */
    public void reply(int status, String reason, String headers, long nowNs) {
        if (status < 200 ? !decided : decide()) {
            core.reply(this, status, reason, headers, nowNs);
        }
    }

    private boolean decide() {
        if (decided) {
            throw new IllegalStateException("request " + number + " was decided on before");
        }
        decided = true;
        return !answered;
    }

    ServerTransaction transaction() {
        return Objects.requireNonNull(server, "the request is over");
    }

    boolean hasPendingBranch() {
        for (int i = 0; i < branches.size(); i++) {
            if (!branches.get(i).done) {
                return true;
            }
        }
        return false;
    }
}
