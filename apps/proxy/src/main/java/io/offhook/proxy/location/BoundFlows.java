package io.offhook.proxy.location;

import io.offhook.sip.SipHost;
import io.offhook.sip.SipTransport;
import io.offhook.sip.SipUri;
import io.offhook.sip.registrar.AddressOfRecord;
import io.offhook.sip.registrar.Binding;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What phones are reached by: the flows that bindings name, and what is left of a binding whose flow has ended (RFC 5626, 7). A
 * phone that can only be reached by its flow is not bound any more, until it registers over another; one whose contact can be
 * connected to is reached by that. Thread-safe.
 *
 * <p>As many flows as connections are open, with at most {@link #MOST_OF_A_FLOW} addresses of record each; those beyond are
 * counted, and passed over at each call until they expire.
 */
public final class BoundFlows {
    /** The most addresses of record of one flow that its end is known of. */
    public static final int MOST_OF_A_FLOW = 1000;

    private static final AddressOfRecord[] NONE = new AddressOfRecord[0];

    private final Predicate<byte[]> isOpen;
    private final ConcurrentHashMap<ByteBuffer, AddressOfRecord[]> byToken = new ConcurrentHashMap<>();
    private final LongAdder beyond = new LongAdder();

    /**
     * Creates a table without flows.
     *
     * @param isOpen says of a flow token whether what it leads to is open; true for one of datagrams
     */
    public BoundFlows(Predicate<byte[]> isOpen) {
        this.isOpen = isOpen;
    }

    /** The number of flows that bindings name, as far as they are known here. */
    public int size() {
        return byToken.size();
    }

    /** Addresses of record that a flow had beyond the limit. */
    public long beyond() {
        return beyond.sum();
    }

    /** Whether what a token leads to is open. */
    boolean isOpen(byte[] token) {
        return isOpen.test(token);
    }

    /** An address of record was bound to a flow. */
    void bind(byte[] token, AddressOfRecord addressOfRecord) {
        byToken.compute(ByteBuffer.wrap(token), (_, known) -> with(known == null ? NONE : known, addressOfRecord));
    }

    private AddressOfRecord[] with(AddressOfRecord[] known, AddressOfRecord addressOfRecord) {
        if (Arrays.asList(known).contains(addressOfRecord)) {
            return known;
        }
        if (known.length == MOST_OF_A_FLOW) {
            beyond.increment();
            return known;
        }
        AddressOfRecord[] more = Arrays.copyOf(known, known.length + 1);
        more[known.length] = addressOfRecord;
        return more;
    }

    /** Forgets a flow, and returns which addresses of record were bound to it. */
    List<AddressOfRecord> unbind(byte[] token) {
        AddressOfRecord[] known = byToken.remove(ByteBuffer.wrap(token));
        return known == null ? List.of() : List.of(known);
    }

    /** The bindings as they can be used now: the same list if no flow has ended. */
    List<Binding> reachable(List<Binding> bindings) {
        for (Binding binding : bindings) {
            if (!isReachable(binding)) {
                return without(bindings, token -> !isOpen.test(token));
            }
        }
        return bindings;
    }

    private boolean isReachable(Binding binding) {
        byte[] token = binding.flowToken();
        return token.length == 0 || isOpen.test(token);
    }

    /** The bindings without flows that have ended. */
    static List<Binding> without(List<Binding> bindings, Predicate<byte[]> hasEnded) {
        List<Binding> left = new ArrayList<>(bindings.size());
        for (Binding binding : bindings) {
            byte[] token = binding.flowToken();
            Binding kept = token.length > 0 && hasEnded.test(token) ? withoutFlow(binding) : binding;
            if (kept != null) {
                left.add(kept);
            }
        }
        return left;
    }

    /** What is left of a binding without its flow; null if nothing else leads to the phone. */
    private static @Nullable Binding withoutFlow(Binding binding) {
        boolean isConnectable = binding.transport() == SipTransport.TCP || binding.transport() == SipTransport.TLS;
        boolean hasOtherWay =
                !binding.path().isEmpty() || isConnectable && binding.regId() == 0 && isWhereItSays(binding);
        return hasOtherWay ? binding.withoutFlow() : null;
    }

    /** Whether the contact is no address behind NAT: it is the one that the phone registered from, or a name. */
    private static boolean isWhereItSays(Binding binding) {
        String name = SipUri.parse(binding.contact()).host();
        byte[] octets = name.getBytes(StandardCharsets.UTF_8);
        SipHost host = new SipHost();
        if (!host.read(octets, 0, octets.length)) {
            return !name.endsWith(".invalid");
        }
        return host.high() == binding.source().high()
                && host.low() == binding.source().low();
    }
}
