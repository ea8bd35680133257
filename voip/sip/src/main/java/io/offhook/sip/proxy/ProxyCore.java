package io.offhook.sip.proxy;

import io.offhook.packet.WrapStatus;
import io.offhook.sip.ReasonPhrases;
import io.offhook.sip.SipAddressView;
import io.offhook.sip.SipHeader;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import io.offhook.sip.SipUriView;
import io.offhook.sip.edit.OctetWriter;
import io.offhook.sip.transaction.ClientTransaction;
import io.offhook.sip.transaction.MessageFault;
import io.offhook.sip.transaction.MessageOutput;
import io.offhook.sip.transaction.ServerTransaction;
import io.offhook.sip.transaction.TransactionLayer;
import io.offhook.sip.transaction.TransactionSettings;
import io.offhook.sip.transaction.TransactionUser;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A stateful proxy (RFC 3261, 16) for one lane: transactions, response contexts and their rules, sans I/O. Messages, time and
 * transport errors come in through {@link #transactions}; messages go to a {@link MessageOutput}.
 */
public final class ProxyCore implements TransactionUser {
    private static final byte[] NO_REASON = new byte[0];
    private static final byte[] TAG = "tag".getBytes(StandardCharsets.US_ASCII);

    private final TransactionLayer layer;
    private final @Nullable HiddenTopology topology;
    private final ProxyPolicy policy;
    private final boolean recordsRoute;
    private final ProxyCounters counters = new ProxyCounters();
    private final RequestCheck check;
    private final RoutePlan plan;
    private final Forwarding forwarding;
    private final StatelessForwarding stateless;
    private final OwnResponses own;
    private final OptionsRequests options;
    private final @Nullable BodyRewriter bodies;
    private final @Nullable HeldMessages held;
    private final SipMessageView kept = new SipMessageView();

    private @Nullable ResponseContext current;
    private @Nullable SipMessageView currentRequest;
    /** Whose request the plan was made of; null if it was one without context. */
    private @Nullable ResponseContext planned;

    private final SipAddressView to = new SipAddressView();
    private final ContextPool contexts;
    private long contextCount;

    /**
     * Creates a core without requests.
     *
     * @param lane the number of the lane, 0 to 255
     * @param setup who the proxy is, and how it treats requests
     * @param policy decides where requests go
     * @param resolver finds where names lead
     * @param output where messages go
     * @param nowNs the time
     */
    public ProxyCore(
            int lane, ProxySetup setup, ProxyPolicy policy, HopResolver resolver, MessageOutput output, long nowNs) {
        this.policy = policy;
        ProxySettings settings = setup.settings();
        TransactionSettings transactions = setup.transactions();
        recordsRoute = settings.recordsRoute();
        topology = settings.hidesTopology() ? new HiddenTopology(setup.identity(), settings.routeKey()) : null;
        layer = new TransactionLayer(
                lane, transactions, topology == null ? output : hiding(topology, output), this, nowNs);
        check = new RequestCheck(settings);
        FlowToken tokens = new FlowToken(settings.routeKey());
        RouteSignature signature = new RouteSignature(settings.routeKey());
        plan = new RoutePlan(setup.identity(), tokens, signature);
        ForwardedMessages messages = new ForwardedMessages(setup.identity(), settings, tokens, signature);
        own = new OwnResponses(settings, layer, counters);
        contexts = new ContextPool(this);
        bodies = policy.bodies();
        held = bodies == null ? null : new HeldMessages(this, bodies);
        NextHop nextHop = new NextHop(setup.identity(), resolver);
        forwarding = new Forwarding(this, setup, messages, nextHop, own);
        stateless = new StatelessForwarding(this, messages, nextHop);
        options = new OptionsRequests(
                this, setup.identity(), nextHop, settings.maxForwards(), settings.secret() ^ nowNs ^ lane);
    }

    private static MessageOutput hiding(HiddenTopology topology, MessageOutput output) {
        return (to, octets, offset, length) -> {
            OctetWriter hidden = topology.hide(to, octets, offset, length);
            return hidden != null && output.send(to, hidden.octets(), 0, hidden.length());
        };
    }

    /**
     * Processes a received message.
     *
     * @param octets the array with the message, which may change afterwards
     * @param offset the first byte of the message
     * @param length its length in bytes
     * @param source from where it came
     * @param nowNs the time
     */
    public void receive(byte[] octets, int offset, int length, SipHop source, long nowNs) {
        OctetWriter revealed = topology == null ? null : topology.reveal(octets, offset, length);
        if (revealed == null) {
            layer.receive(octets, offset, length, source, nowNs);
        } else {
            layer.receive(revealed.octets(), 0, revealed.length(), source, nowNs);
        }
    }

    /** The transactions, which time and transport errors are given to. */
    public TransactionLayer transactions() {
        return layer;
    }

    /** Asks neighbours whether they are alive. */
    public OptionsRequests options() {
        return options;
    }

    /** What was counted. */
    public ProxyCounters counters() {
        return counters;
    }

    /** The number of requests at hand: those whose transactions are not all over. */
    public int contextCount() {
        return contexts.used();
    }

    /** Gives memory that is not needed back to the heap; to be called about once a second. */
    public void trim() {
        layer.trim();
        contexts.trim();
        forwarding.trim();
    }

    // requests

    @Override
    public boolean admits(SipMessageView request, SipHop source, long transaction, long nowNs) {
        boolean isInDialog = request.toTagHash() != 0 && (!policy.isRefusing() || isAlongOwnRoute(request, source));
        int retryAfterS = policy.retryAfterS(request, isInDialog, transaction, nowNs);
        if (retryAfterS == 0) {
            return true;
        }
        counters.turnedAway++;
        own.turnAway(request, source, retryAfterS);
        return false;
    }

    /** Always, if we do not record our route: then nothing is known of dialogs. */
    private boolean isAlongOwnRoute(SipMessageView request, SipHop source) {
        plan(request, source);
        return !recordsRoute || plan.isSigned();
    }

    @Override
    public void request(ServerTransaction transaction, SipMessageView request, long nowNs) {
        if (held == null || !held.keepsBehind(transaction, request, nowNs)) {
            process(transaction, request, nowNs);
        }
    }

    void process(ServerTransaction transaction, SipMessageView request, long nowNs) {
        plan(request, transaction.source());
        RequestCheck.Refusal refusal = check.check(request, plan, layer);
        if (refusal != null) {
            counters.refused++;
            counters.loops += refusal == RequestCheck.Refusal.LOOP ? 1 : 0;
            String headers =
                    refusal == RequestCheck.Refusal.BAD_EXTENSION ? "Unsupported: " + check.unsupported() + "\r\n" : "";
            own.send(transaction, request, refusal.status, refusal.reason, headers, nowNs);
            return;
        }
        ResponseContext context = contexts.take();
        context.begin(transaction, ++contextCount, plan, hasToTag(request));
        context.receivedNs = nowNs;
        countUnsigned(context.isInDialog());
        context.loop = check.loop();
        context.breadth = check.breadth();
        transaction.owner(context);
        current = context;
        currentRequest = request;
        planned = context;
        try {
            policy.decide(context, request, nowNs);
        } finally {
            current = null;
            currentRequest = null;
        }
    }

    /** The request of a context, wrapped, with its plan made; null if it is no longer kept. */
    @Nullable
    SipMessageView prepare(ResponseContext context) {
        SipMessageView request = currentRequest;
        if (context == current && request != null) {
            if (planned != context) {
                plan.make(request, context.source());
                planned = context;
            }
            return request;
        }
        if (!context.request(kept)) {
            return null;
        }
        plan.make(kept, context.source());
        planned = context;
        return kept;
    }

    private void countUnsigned(boolean isInDialog) {
        counters.unsignedRoutes += isInDialog && plan.isUnsigned() ? 1 : 0;
    }

    private boolean hasToTag(SipMessageView request) {
        return request.address(SipHeader.TO, to) && to.find(TAG) && to.valueLength() > 0;
    }

    /** Wraps the Request-URI that decides where a request goes; false if the request is no longer kept. */
    boolean target(ResponseContext context, SipUriView view) {
        return prepare(context) != null && view.wrap(plan.target(), plan.targetOffset(), plan.targetLength());
    }

    /** Wraps the URI that decides where a request goes next; false if a flow decides. */
    boolean nextHop(ResponseContext context, SipUriView view) {
        SipMessageView request = prepare(context);
        return request != null && !plan.hasFlow() && plan.nextHop(request.octets(), view);
    }

    /** Makes the plan of a request without context. */
    void plan(SipMessageView request, SipHop source) {
        plan.make(request, source);
        planned = null;
    }

    RoutePlan plan() {
        return plan;
    }

    @Nullable
    BodyRewriter bodies() {
        return bodies;
    }

    @Nullable
    HeldMessages held() {
        return held;
    }

    Forwarding forwarding() {
        return forwarding;
    }

    OwnResponses own() {
        return own;
    }

    ProxyPolicy policy() {
        return policy;
    }

    void relay(ResponseContext context, long nowNs) {
        forwarding.relay(context, nowNs);
    }

    void forkNext(ResponseContext context, long nowNs) {
        forwarding.forkNext(context, nowNs);
    }

    void reply(ResponseContext context, int status, String reason, String headers, long nowNs) {
        SipMessageView request = prepare(context);
        if (request != null) {
            forwarding.notices().given(context, status, nowNs);
            context.answered |= status >= 200;
            own.send(context.transaction(), request, status, reason, headers, nowNs);
        }
    }

    @Override
    public void ack(SipMessageView ack, SipHop source, long nowNs) {
        if (own.isForOwn(ack)) {
            return;
        }
        if (held == null || !held.takes(ack, source, nowNs)) {
            forwardAck(ack, source, nowNs);
        }
    }

    void forwardAck(SipMessageView ack, SipHop source, long nowNs) {
        plan(ack, source);
        countUnsigned(true);
        if (plan.isTooLong() || ack.maxForwards() == 0 || !mayForward(ack, source)) {
            counters.refused++;
            return;
        }
        stateless.request(ack, source, check.loopHash(ack), nowNs);
    }

    @Override
    public void cancel(
            ServerTransaction transaction, @Nullable ServerTransaction invite, SipMessageView request, long nowNs) {
        if (invite != null && invite.owner() instanceof ResponseContext context) {
            own.send(transaction, request, 200, "Canceling", "", nowNs);
            forwarding.cancel(context, reason(request), nowNs);
            return;
        }
        if (invite != null) {
            own.send(transaction, request, 200, "Canceling", "", nowNs);
            if (held != null && held.withdraws(invite) && invite.request(kept)) {
                own.send(invite, kept, 487, ReasonPhrases.of(487), "", nowNs);
            }
            return;
        }
        plan(request, transaction.source());
        boolean passes = !plan.isTooLong()
                && request.maxForwards() != 0
                && mayForward(request, transaction.source())
                && stateless.request(request, transaction.source(), check.loopHash(request), nowNs);
        if (passes) {
            // its response passes without a transaction, too
            transaction.abandon();
        } else {
            own.send(transaction, request, 481, "Call/Transaction Does Not Exist", "", nowNs);
        }
    }

    private boolean mayForward(SipMessageView request, SipHop source) {
        return policy.mayForward(request, source, plan.hasNextHop(), plan.isSigned());
    }

    private static byte[] reason(SipMessageView request) {
        String reason = request.reason();
        return reason.isEmpty() ? NO_REASON : reason.getBytes(StandardCharsets.UTF_8);
    }

    // responses

    @Override
    public void response(ClientTransaction transaction, SipMessageView response, long nowNs) {
        if (transaction.owner() instanceof ProxyBranch branch) {
            if (held == null || !held.takes(branch, response, nowNs)) {
                forwarding.response(branch, response, nowNs);
            }
        } else if (transaction.owner() instanceof ClientUser user) {
            user.response(transaction, response, nowNs);
        }
    }

    @Override
    public void statelessResponse(SipMessageView response, SipHop source, long nowNs) {
        stateless.response(response);
    }

    @Override
    public void timedOut(ClientTransaction transaction, long nowNs) {
        if (transaction.owner() instanceof ProxyBranch branch) {
            forwarding.placeFailed(branch, 408, nowNs);
        } else if (transaction.owner() instanceof ClientUser user) {
            user.noResponse(transaction, 408, nowNs);
        }
    }

    @Override
    public void failed(ClientTransaction transaction, long nowNs) {
        counters.undeliverable++;
        if (transaction.owner() instanceof ProxyBranch branch) {
            forwarding.placeFailed(branch, 503, nowNs);
        } else if (transaction.owner() instanceof ClientUser user) {
            user.noResponse(transaction, 503, nowNs);
        }
    }

    @Override
    public void ended(ServerTransaction transaction) {
        if (transaction.owner() instanceof ResponseContext context) {
            context.server = null;
            releaseIfOver(context);
        }
    }

    @Override
    public void ended(ClientTransaction transaction) {
        if (transaction.owner() instanceof ProxyBranch branch) {
            if (branch.client == transaction) {
                branch.client = null;
            }
            ResponseContext context = branch.context;
            if (context != null) {
                context.clients--;
                releaseIfOver(context);
            }
        }
    }

    /** A message of a context no longer waits. */
    void letGo(ResponseContext context) {
        context.held--;
        releaseIfOver(context);
    }

    private void releaseIfOver(ResponseContext context) {
        if (context.server != null || context.clients > 0 || context.held > 0) {
            return;
        }
        policy.ended(context);
        forwarding.release(context);
        contexts.release(context);
    }

    @Override
    public void rejected(SipMessageView message, WrapStatus status, MessageFault fault, SipHop source, long nowNs) {
        counters.badRequests++;
        if (fault != MessageFault.LIMIT) {
            policy.rejected(source, fault);
        }
        if (!message.isRequest() || message.method() == SipMethod.ACK || fault == MessageFault.NOT_SIP) {
            return;
        }
        switch (fault) {
            case LIMIT -> own.sendStateless(message, source, 503, "Service Unavailable", "Retry-After: 2\r\n");
            case VERSION -> own.sendStateless(message, source, 505, "Version Not Supported", "");
            case VIA_WRONG -> own.sendStateless(message, source, 400, "Bad Via", "");
            case LENGTH_WRONG -> own.sendStateless(message, source, 400, "Bad Content-Length", "");
            case CSEQ_WRONG -> own.sendStateless(message, source, 400, "CSeq Does Not Match", "");
            case HEADER_MISSING -> own.sendStateless(message, source, 400, "Missing Required Header", "");
            default -> own.sendStateless(message, source, 400, "Bad Request", "");
        }
    }

    /** What sends requests of its own through the layer: it is the owner of their transactions. */
    public interface ClientUser {
        /** A response has come. */
        void response(ClientTransaction transaction, SipMessageView response, long nowNs);

        /** No response came: status 408 after a timeout, 503 if the request could not be delivered. */
        void noResponse(ClientTransaction transaction, int status, long nowNs);
    }
}
