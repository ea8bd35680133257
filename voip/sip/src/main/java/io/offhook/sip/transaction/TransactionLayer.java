package io.offhook.sip.transaction;

import io.offhook.packet.WrapStatus;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import io.offhook.sip.SipViaView;
import io.offhook.sip.edit.OctetWriter;
import io.offhook.sip.edit.ResponseWriter;
import io.offhook.sip.transaction.OctetPool.Octets;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of one lane. Sans I/O: bytes, time and transport errors come in by method calls, messages go to a {@link
 * MessageOutput}, events to a {@link TransactionUser}. Not thread-safe; a steady load allocates nothing.
 */
public final class TransactionLayer {
    private static final byte[] TRYING = "Trying".getBytes(StandardCharsets.US_ASCII);
    private static final int TRYING_STATUS = 100;
    private static final int MESSAGE_LIMIT = 65_535;
    private static final int FIRST_CLIENTS = 1024;
    private static final int RESERVE = 8;

    private final int lane;
    private final TransactionTimers timers;
    private final TransactionLimits limits;
    private final MessageOutput output;
    private final TransactionObserver observer;
    private final TransactionUser user;
    private final TransactionCounters counters = new TransactionCounters();
    private final TimerWheel wheel;
    private final OctetPool pool;
    private final KeyTable servers = new KeyTable();
    private final TransactionKey key;
    private final KeyedHash tokens;
    private final ViaReply reply = new ViaReply();
    private final Branch branch = new Branch();
    private final DerivedRequests derived = new DerivedRequests();
    private final SipMessageView message = new SipMessageView();
    private final SipMessageView kept = new SipMessageView();
    private final OtherVersion version = new OtherVersion();
    private final SipViaView via = new SipViaView();
    private final ResponseWriter responses = new ResponseWriter();
    private final OctetWriter trying = new OctetWriter(MESSAGE_LIMIT);

    private @Nullable ClientTransaction[] clients = new ClientTransaction[FIRST_CLIENTS];
    private int clientSlots;
    private int clientCount;
    private long clientsStarted;
    private @Nullable ClientTransaction freeClient;
    private @Nullable ServerTransaction freeServer;
    private int freeServers;

    /**
     * Creates a layer without transactions.
     *
     * @param lane the number of the lane, 0 to 255, which our branches carry
     * @param settings times, limits and secret
     * @param output where messages go
     * @param user what is told of requests and responses
     * @param nowNs the time
     */
    public TransactionLayer(
            int lane, TransactionSettings settings, MessageOutput output, TransactionUser user, long nowNs) {
        if (lane < 0 || lane >= Branch.LANES) {
            throw new IllegalArgumentException("lane " + lane + " is outside 0 to " + (Branch.LANES - 1));
        }
        this.lane = lane;
        this.timers = settings.timers();
        this.limits = settings.limits();
        this.output = output;
        observer = settings.observer();
        this.user = user;
        wheel = new TimerWheel(nowNs);
        pool = new OctetPool(limits.bytes());
        key = new TransactionKey(new KeyedHash(settings.secret(), ~settings.secret()));
        tokens = new KeyedHash(settings.secret() + lane, nowNs);
    }

    /**
     * Takes a message that was received.
     *
     * @param octets the array with the message, which is copied as far as it is needed later
     * @param offset the first byte
     * @param length the length in bytes
     * @param source where it came from
     * @param nowNs the time
     */
    public void receive(byte[] octets, int offset, int length, SipHop source, long nowNs) {
        WrapStatus status = message.wrap(octets, offset, length);
        boolean isOtherVersion = status == WrapStatus.MALFORMED && version.readAs2(octets, offset, length);
        if (isOtherVersion) {
            status = message.wrap(version.octets(), 0, version.length());
        }
        MessageFault fault = MessageCheck.fault(message, status, via);
        if (isOtherVersion && fault == null) {
            fault = MessageFault.VERSION;
        }
        if (fault != null) {
            counters.countRejected();
            observer.rejected(octets, offset, length, fault, source, nowNs);
            user.rejected(message, status, fault, source, nowNs);
        } else if (message.isRequest()) {
            counters.countRequest();
            request(source, nowNs);
        } else {
            counters.countResponse();
            response(source, nowNs);
        }
    }

    private void request(SipHop source, long nowNs) {
        SipMethod method = message.method();
        boolean isAck = method == SipMethod.ACK;
        key.compute(message, via, isAck);
        ServerTransaction known = servers.find(key.high(), key.low());
        boolean isAgain = known != null && (!isAck || known.state() == ServerTransaction.State.CONFIRMED);
        observer.received(message, source, isAgain, nowNs);
        if (isAck) {
            acknowledge(known, source, nowNs);
        } else if (known != null) {
            counters.countRequestAgain();
            known.repeated(nowNs);
        } else {
            newServer(method, source, nowNs);
        }
    }

    private void acknowledge(@Nullable ServerTransaction known, SipHop source, long nowNs) {
        if (known == null || known.state() == ServerTransaction.State.ACCEPTED) {
            user.ack(message, source, nowNs);
        } else {
            known.acknowledged(nowNs);
        }
    }

    private void newServer(SipMethod method, SipHop source, long nowNs) {
        Octets copy = hasRoom(method) ? pool.copy(message.octets(), message.offset(), message.length()) : null;
        if (copy == null) {
            counters.countLimited();
            user.rejected(message, WrapStatus.OK, MessageFault.LIMIT, source, nowNs);
            return;
        }
        ServerTransaction transaction = freeServer;
        if (transaction == null) {
            transaction = new ServerTransaction(this);
        } else {
            freeServer = transaction.nextFree;
            transaction.nextFree = null;
            freeServers--;
        }
        transaction.keyHigh = key.high();
        transaction.keyLow = key.low();
        servers.add(transaction);
        reply.compute(via, message.octets(), source);
        transaction.begin(method, source, reply.hop(), reply.sentByPort(), copy, nowNs);
        observer.began(true, transaction.isInvite());
        if (method != SipMethod.CANCEL) {
            user.request(transaction, message, nowNs);
            return;
        }
        key.compute(message, via, true);
        user.cancel(transaction, servers.find(key.high(), key.low()), message, nowNs);
    }

    /** Near a limit, only requests that end calls or belong to some are taken: one eighth is for them. */
    private boolean hasRoom(SipMethod method) {
        int count = servers.count();
        boolean isScarce = count >= limits.servers() - limits.servers() / RESERVE
                || pool.usedBytes() > limits.bytes() - limits.bytes() / RESERVE;
        return count < limits.servers() && (!isScarce || method == SipMethod.CANCEL || message.toTagHash() != 0);
    }

    private void response(SipHop source, long nowNs) {
        boolean isOurs = branch.read(via, message.octets()) && branch.lane() == lane;
        ClientTransaction client = isOurs && !branch.isStateless() ? client() : null;
        observer.received(message, source, client != null && !client.isPending(), nowNs);
        if (client != null) {
            client.received(message, message.statusCode(), nowNs);
        } else if (isOurs && branch.isStateless()) {
            user.statelessResponse(message, source, nowNs);
        } else {
            counters.countStray();
        }
    }

    /** The transaction that the branch at hand names, if the response belongs to it; else null. */
    private @Nullable ClientTransaction client() {
        ClientTransaction client = branch.slot() < clientSlots ? clients[branch.slot()] : null;
        if (client == null || client.token() != branch.token() || client.state() == ClientTransaction.State.ENDED) {
            return null;
        }
        if (client.isInvite() && message.cseqMethod() == SipMethod.CANCEL) {
            client = client.cancel();
        }
        return client != null && message.cseqMethod() == client.method() ? client : null;
    }

    /**
     * Creates a client transaction, to be sent with {@link ClientTransaction#send}.
     *
     * @return null if a limit is met
     */
    public @Nullable ClientTransaction newClient(SipMethod method, SipHop to) {
        if (clientCount >= limits.clients()) {
            counters.countLimited();
            return null;
        }
        ClientTransaction client = freeClient;
        if (client == null) {
            if (clientSlots == clients.length) {
                clients = Arrays.copyOf(clients, 2 * clients.length);
            }
            client = new ClientTransaction(this, clientSlots);
            clients[clientSlots++] = client;
        } else {
            freeClient = client.nextFree;
            client.nextFree = null;
        }
        clientCount++;
        tokens.begin().add(clientsStarted++).end();
        client.begin(method, tokens.low(), to);
        observer.began(false, client.isInvite());
        return client;
    }

    /** Takes back a client transaction that was not sent. */
    public void discard(ClientTransaction client) {
        if (client.state() == ClientTransaction.State.NEW) {
            client.owner(null);
            client.abandon();
        }
    }

    /** Appends the branch of a request forwarded without a transaction: a hash of the request's own (RFC 3261, 16.11). */
    public void writeStatelessBranch(SipMessageView request, int loop, OctetWriter out) {
        request.topVia(via);
        key.compute(request, via, request.method() == SipMethod.CANCEL);
        Branch.writeStateless(lane, key.low(), loop, out);
    }

    /** The loop hash in the branch of a Via; -1 if it was not written by a proxy of this kind. Unsigned 32 bits. */
    public long loopHash(SipViaView value, byte[] octets) {
        return branch.read(value, octets) ? branch.loop() & 0xffff_ffffL : -1;
    }

    /** Lets timers expire. */
    public void advance(long nowNs) {
        wheel.advance(nowNs);
    }

    /** When {@link #advance} has something to do next; {@link Long#MAX_VALUE} if nothing waits. */
    public long nextNs() {
        return wheel.nextNs();
    }

    /**
     * Reports that messages to an address cannot be delivered, for example by an ICMP error: transactions that wait for a
     * response from there fail.
     */
    public void transportFailed(SipHop to, long nowNs) {
        for (int i = 0; i < clientSlots; i++) {
            ClientTransaction client = clients[i];
            if (client != null
                    && client.state() == ClientTransaction.State.TRYING
                    && client.hop().isSameRemote(to)) {
                counters.countTransportFailure();
                client.fail(nowNs);
            }
        }
    }

    /** Gives memory that is not needed back to the heap; to be called about once a second. */
    public void trim() {
        pool.trim();
        servers.trim();
        for (int drop = freeServers / 2; drop > 0 && freeServer != null; drop--) {
            freeServer = freeServer.nextFree;
            freeServers--;
        }
        if (clientCount == 0 && clientSlots > 0) {
            clients = new ClientTransaction[FIRST_CLIENTS];
            clientSlots = 0;
            freeClient = null;
        }
    }

    /** The number of server transactions that are not over. */
    public int serverCount() {
        return servers.count();
    }

    /** The number of server transactions without a final response; takes time in proportion to all. */
    public int pendingServers() {
        return servers.pending();
    }

    /** The number of client transactions that are not over. */
    public int clientCount() {
        return clientCount;
    }

    /** Memory of kept messages, in bytes. */
    public long keptBytes() {
        return pool.usedBytes();
    }

    /** What was counted. */
    public TransactionCounters counters() {
        return counters;
    }

    /** The times of transactions. */
    public TransactionTimers timers() {
        return timers;
    }

    /** The timers, for those of the user, too. */
    public TimerWheel wheel() {
        return wheel;
    }

    /** The number of the lane. */
    public int lane() {
        return lane;
    }

    TransactionUser user() {
        return user;
    }

    /** Sends a message; {@code status} is 0 for a request. */
    boolean send(SipHop to, byte[] octets, int length, SipMethod method, int status, boolean isAgain) {
        boolean isTaken = output.send(to, octets, 0, length);
        if (isTaken) {
            observer.sent(octets, length, method, status, to, isAgain);
        }
        return isTaken;
    }

    /**
     * Sends a message that has no transaction.
     *
     * @param status of a response; 0 for a request
     * @return false if it is known that it cannot be sent
     */
    public boolean sendStateless(SipHop to, OctetWriter text, SipMethod method, int status) {
        return send(to, text.octets(), text.length(), method, status, false);
    }

    @Nullable
    Octets keep(OctetWriter text) {
        return pool.copy(text.octets(), 0, text.length());
    }

    void release(@Nullable Octets loan) {
        pool.release(loan);
    }

    OctetWriter writeAck(Octets invite, SipMessageView response) {
        return derived.ack(invite, response);
    }

    boolean cancel(ClientTransaction invite, Octets request, byte[] reason, long nowNs) {
        ClientTransaction cancel = newClient(SipMethod.CANCEL, invite.hop());
        if (cancel == null) {
            return false;
        }
        cancel.beginCancel(invite);
        cancel.send(derived.cancel(request, reason), nowNs);
        return true;
    }

    void sendTrying(ServerTransaction transaction, long nowNs) {
        if (transaction.needsTrying() && transaction.request(kept)) {
            trying.clear();
            responses.begin(kept, transaction.source(), TRYING_STATUS, TRYING, 0, trying);
            responses.end(trying);
            transaction.respond(trying, TRYING_STATUS, nowNs);
        }
    }

    void ended(ServerTransaction transaction) {
        servers.remove(transaction);
        observer.ended(true, transaction.isInvite(), transaction.isExpired());
        user.ended(transaction);
        transaction.owner(null);
        transaction.nextFree = freeServer;
        freeServer = transaction;
        freeServers++;
    }

    void ended(ClientTransaction transaction, boolean wasCancel) {
        clientCount--;
        observer.ended(false, transaction.isInvite(), transaction.isExpired());
        if (!wasCancel) {
            user.ended(transaction);
        }
        transaction.owner(null);
        transaction.nextFree = freeClient;
        freeClient = transaction;
    }
}
